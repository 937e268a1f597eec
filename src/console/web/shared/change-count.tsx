import { MAX_STEPS, useSince } from './since.js';

/** How many causes changed past days since the last visit. */
export function ChangeCount() {
  const { data, loading } = useSince().changes;
  if (data === null || loading || data.causes.length === 0) return null;
  return (
    <span class="count">
      {data.next === undefined ? data.causes.length : `${MAX_STEPS}+`}
      <span class="unseen"> new</span>
    </span>
  );
}

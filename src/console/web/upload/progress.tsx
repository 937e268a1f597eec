import { useEffect, useRef } from 'preact/hooks';
import type { PushesResponse } from '../../../schemas/pushes.js';
import { shopApi } from '../shared/api.js';
import { FailureNotice } from '../shared/frame.js';
import { usePolled } from '../shared/use-polled.js';

const isOver = ({ days_left }: PushesResponse): boolean => days_left === 0;

/** How far the days are recalculated that a push changes; `onStep` is called once it is stored, and then as their number falls. */
export function Progress({ shop, receipt, onStep }: { shop: string; receipt: string; onStep?: () => void }) {
  const path = shopApi(shop, `/v1/ingest/pushes?receipt=${encodeURIComponent(receipt)}`);
  const { data, failure } = usePolled(path, isOver);
  /** Null: the push waits. */
  const left = data?.days_left ?? null;
  useEffect(() => {
    if (left !== null) onStep?.();
  }, [left]);
  const first = useRef(0);
  const most = (first.current = Math.max(first.current, left ?? 0));
  const done = left === null ? 0 : most - left;
  return (
    <section class="panel" aria-labelledby="progress" aria-live="polite">
      <div class="panel-head">
        <h2 id="progress">{left === 0 ? 'All figures contain it' : 'After saving: recalculating'}</h2>
        <span class="note">{left === 0 ? '' : left === null ? 'waiting' : `${done} of ${most} days`}</span>
      </div>
      <progress class="progress" max={most || 1} value={left === 0 ? most || 1 : done} aria-label="Days recalculated" />
      <p class="note">You can leave this page. The figures change day by day.</p>
      {failure !== null && <FailureNotice failure={failure} />}
    </section>
  );
}

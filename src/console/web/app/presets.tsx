import { PRESETS } from '../shared/days.js';
import { useKeys } from './keys.js';

interface Props {
  preset: string | null;
  take: (id: string) => void;
  /** Whether single keys take them too. */
  hasKeys: boolean;
}

/** Days by name; one press takes them. */
export function Presets({ preset, take, hasKeys }: Props) {
  useKeys(Object.fromEntries(PRESETS.map(({ id, key }) => [`range ${key}`, () => take(id)])));
  return (
    <ul class="presets">
      {PRESETS.map(({ id, key, label }) => (
        <li key={id}>
          <button
            type="button"
            aria-pressed={id === preset}
            aria-keyshortcuts={hasKeys ? key : undefined}
            onClick={() => take(id)}
          >
            {label}
            {hasKeys && (
              <kbd class="wide-only" aria-hidden="true">
                {key.toUpperCase()}
              </kbd>
            )}
          </button>
        </li>
      ))}
    </ul>
  );
}

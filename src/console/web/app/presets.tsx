import { PRESETS } from '../shared/days.js';

/** Days by name; one press takes them. */
export function Presets({ preset, take }: { preset: string | null; take: (id: string) => void }) {
  return (
    <ul class="presets">
      {PRESETS.map(({ id, label }) => (
        <li key={id}>
          <button type="button" aria-pressed={id === preset} onClick={() => take(id)}>
            {label}
          </button>
        </li>
      ))}
    </ul>
  );
}

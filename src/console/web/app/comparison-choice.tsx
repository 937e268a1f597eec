import { formatRange, type Range } from '../shared/days.js';
import { comparedDays } from './compared.js';
import { COMPARISONS, type Comparison } from './range.js';

const LABELS: Readonly<Record<Comparison, string>> = {
  before: 'The days before',
  year: 'The year before, same weekdays',
  none: 'Nothing',
};

interface Props {
  /** Null while the days are no range. */
  range: Range | null;
  today: string;
  vs: Comparison;
  setVs: (vs: Comparison) => void;
}

/** What to compare the days with, each choice with its dates. */
export function ComparisonChoice({ range, today, vs, setVs }: Props) {
  return (
    <fieldset>
      <legend>Compare with</legend>
      {COMPARISONS.map((name) => {
        const days = range && comparedDays(range, name, today);
        return (
          <label key={name} class="choice">
            <input type="radio" name="vs" checked={name === vs} onChange={() => setVs(name)} />
            <span>
              {LABELS[name]}
              {days && <span class="small soft">{formatRange(days)}</span>}
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}

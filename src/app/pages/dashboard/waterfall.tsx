import { formatMoney, fromMicros } from '../shared/money.js';
import type { MetricsAnswer } from './answers.js';
import { stepsOf } from './steps.js';

const WIDTH = 1000;

/** A table whose middle column is drawn: readers of either kind get the same figures. */
export function Waterfall({ figures }: { figures: MetricsAnswer }) {
  const steps = stepsOf(figures);
  const ends = steps.flatMap(({ from, to }) => [from, to]);
  const low = ends.reduce((least, end) => (end < least ? end : least), 0n);
  const high = ends.reduce((most, end) => (end > most ? end : most), 1n);
  // Only for drawing: the amounts themselves stay whole numbers.
  const x = (end: bigint): number => Number(((end - low) * BigInt(WIDTH)) / (high - low));
  return (
    <table class="waterfall">
      <thead class="unseen">
        <tr>
          <th scope="col">Part</th>
          <th scope="col">Bar</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      <tbody>
        {steps.map(({ label, amount, from, to, kind }) => (
          <tr key={label} class={kind === 'level' ? 'level' : ''}>
            <th scope="row">{label}</th>
            <td>
              <svg viewBox={`0 0 ${WIDTH} 24`} preserveAspectRatio="none" aria-hidden="true">
                <line x1={x(0n)} x2={x(0n)} y1="0" y2="24" class="axis" />
                {amount !== 0n && (
                  <rect
                    x={Math.min(x(from), x(to))}
                    width={Math.max(Math.abs(x(to) - x(from)), 2)}
                    y="3"
                    height="18"
                    class={`bar ${label === 'Net profit' ? (amount < 0n ? 'loss' : 'profit') : kind}`}
                  />
                )}
              </svg>
            </td>
            <td class="number">{formatMoney(fromMicros(amount), figures.currency)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

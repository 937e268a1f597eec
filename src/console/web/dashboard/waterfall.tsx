import { formatMoney, fromMicros } from '../shared/money.js';
import type { MetricsAnswer } from './answers.js';
import { stepsOf } from './steps.js';

const WIDTH = 1000;
const LEVELS = new Set(['level', 'profit', 'loss']);

/** A list whose middle is drawn: readers of either kind get the same figures. */
export function Waterfall({ figures }: { figures: MetricsAnswer }) {
  const steps = stepsOf(figures);
  const ends = steps.flatMap(({ from, to }) => [from, to]);
  const low = ends.reduce((least, end) => (end < least ? end : least), 0n);
  const high = ends.reduce((most, end) => (end > most ? end : most), 1n);
  // Only for drawing: the amounts themselves stay whole numbers.
  const x = (end: bigint): number => Number(((end - low) * BigInt(WIDTH)) / (high - low));
  return (
    <ol class="waterfall">
      {steps.map(({ label, amount, from, to, kind }) => (
        <li key={label} class={LEVELS.has(kind) ? 'sum' : ''}>
          <span>{label}</span>
          <svg viewBox={`0 0 ${WIDTH} 24`} preserveAspectRatio="none" aria-hidden="true">
            <line x1={x(0n)} x2={x(0n)} y1="0" y2="24" class="axis" />
            {amount !== 0n && (
              <rect
                x={Math.min(x(from), x(to))}
                width={Math.max(Math.abs(x(to) - x(from)), 2)}
                y="3"
                height="18"
                class={`bar ${kind}`}
              />
            )}
          </svg>
          <span class="amount">{formatMoney(fromMicros(amount), figures.currency)}</span>
        </li>
      ))}
    </ol>
  );
}

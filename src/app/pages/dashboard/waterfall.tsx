import { formatMoney, fromMicros, micros } from '../shared/money.js';
import type { MetricsAnswer } from './figures.js';

interface Step {
  label: string;
  /** The change that the step makes, or the level that it shows. */
  amount: bigint;
  from: bigint;
  to: bigint;
  kind: 'level' | 'less' | 'more';
}

const PARTS = [
  { key: 'refunds', label: 'Refunds' },
  { key: 'cogs', label: 'COGS' },
  { key: 'gateway_fees', label: 'Gateway fees' },
  { key: 'ad_spend', label: 'Ad spend' },
] as const;

/** How revenue becomes net profit: exact in millionths, so the last step ends where the figure stands. */
export function stepsOf(figures: Pick<MetricsAnswer, 'revenue' | 'net_profit' | (typeof PARTS)[number]['key']>): Step[] {
  let level = micros(figures.revenue);
  const steps: Step[] = [{ label: 'Revenue', amount: level, from: 0n, to: level, kind: 'level' }];
  for (const { key, label } of PARTS) {
    const amount = -micros(figures[key]);
    steps.push({ label, amount, from: level, to: level + amount, kind: amount > 0n ? 'more' : 'less' });
    level += amount;
  }
  const profit = micros(figures.net_profit);
  return [...steps, { label: 'Net profit', amount: profit, from: 0n, to: profit, kind: 'level' }];
}

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
                <rect
                  x={Math.min(x(from), x(to))}
                  width={Math.max(Math.abs(x(to) - x(from)), 2)}
                  y="3"
                  height="18"
                  class={`bar ${label === 'Net profit' ? (amount < 0n ? 'loss' : 'profit') : kind}`}
                />
              </svg>
            </td>
            <td class="number">{formatMoney(fromMicros(amount), figures.currency)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

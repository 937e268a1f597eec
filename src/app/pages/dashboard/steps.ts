import type { Metrics } from '../../../domain/metrics.js';
import { micros } from '../shared/money.js';

export interface Step {
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
export function stepsOf(figures: Pick<Metrics, 'revenue' | 'net_profit' | (typeof PARTS)[number]['key']>): Step[] {
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

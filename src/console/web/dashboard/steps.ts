import { micros } from '../shared/money.js';
import type { AllMetrics } from './answers.js';

export interface Step {
  label: string;
  /** The change that the step makes, or the level that it shows. */
  amount: bigint;
  from: bigint;
  to: bigint;
  kind: 'level' | 'profit' | 'loss' | 'less' | 'more';
}

const COSTS = [
  { key: 'refunds', label: 'Refunds' },
  { key: 'cogs', label: 'COGS' },
  { key: 'gateway_fees', label: 'Gateway fees' },
  { key: 'ad_spend', label: 'Ad spend' },
] as const;

/** How revenue becomes net profit, and what the expenses leave of it: exact, so each level stands where its figure does. */
export function stepsOf(figures: AllMetrics): Step[] {
  const level = (label: string, amount: bigint): Step => {
    const kind = label === 'Revenue' ? 'level' : amount < 0n ? 'loss' : 'profit';
    return { label, amount, from: 0n, to: amount, kind };
  };
  let height = micros(figures.revenue);
  const cost = (label: string, decimal: string): Step => {
    const [from, amount] = [height, -micros(decimal)];
    height += amount;
    return { label, amount, from, to: height, kind: amount > 0n ? 'more' : 'less' };
  };
  return [
    level('Revenue', height),
    ...COSTS.map(({ key, label }) => cost(label, figures[key])),
    level('Net profit', micros(figures.net_profit)),
    cost('Operating expenses', figures.operating_expenses),
    level('Net profit after expenses', micros(figures.net_profit_after_expenses)),
  ];
}

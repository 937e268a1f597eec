import type { AllMetrics } from '../shared/answers.js';
import { amountOf, type StatementRow } from './rows.js';

/** A bar of a statement in percent of its room: a sum begins at zero, another line where the one before ended. */
export interface Step {
  left: number;
  width: number;
  tone: 'revenue' | 'cost' | 'profit' | 'loss';
}

const PROFITS = ['net_profit', 'earnings'];

/** The bars of all lines on one scale. They are only drawn, so floats are exact enough. */
export function stepsOf(rows: readonly StatementRow[], figures: AllMetrics): Step[] {
  let height = 0;
  const spans = rows.map((row) => {
    const isSum = row.kind === 'sum' || row.kind === 'last';
    const amount = Number(amountOf(row, figures));
    const start = isSum ? 0 : height;
    height = start + amount;
    return { row, low: Math.min(start, height), high: Math.max(start, height), amount };
  });
  const low = Math.min(0, ...spans.map((span) => span.low));
  const room = Math.max(0, ...spans.map((span) => span.high)) - low;
  return spans.map(({ row, amount, ...span }) => ({
    left: room === 0 ? 0 : ((span.low - low) / room) * 100,
    width: room === 0 ? 0 : ((span.high - span.low) / room) * 100,
    tone: PROFITS.includes(row.key) ? (amount < 0 ? 'loss' : 'profit') : row.kind === 'less' ? 'cost' : 'revenue',
  }));
}

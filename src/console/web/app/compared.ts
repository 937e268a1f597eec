import { comparedRange } from '../../../domain/metrics/comparison.js';
import type { Range } from '../shared/days.js';
import type { Comparison } from './range.js';

const DAY_MS = 86_400_000;
const numberOf = (day: string): number => Date.parse(day) / DAY_MS;
const dayOf = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);

/** The days that the service compares a range with; null for none, and for days before those that it knows. */
export function comparedDays({ from, to }: Range, vs: Comparison, today: string): Range | null {
  if (vs === 'none') return null;
  try {
    const days = comparedRange({ from: numberOf(from), to: numberOf(to) }, vs, numberOf(today));
    return { from: dayOf(days.from), to: dayOf(days.to) };
  } catch {
    return null;
  }
}

import type { DayRange } from './metrics/range.js';

/** The fewest ranges that cover the days, given in any order. */
export function toRanges(days: Iterable<number>): DayRange[] {
  const ranges: DayRange[] = [];
  for (const day of [...days].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && day <= last.to + 1) last.to = day;
    else ranges.push({ from: day, to: day });
  }
  return ranges;
}

/** The days of the ranges that lie within others. No two of a list have a day in common. */
export function daysWithin(ranges: readonly DayRange[], others: readonly DayRange[]): number[] {
  const days: number[] = [];
  for (const range of ranges) {
    for (const { from, to } of others) {
      const last = Math.min(range.to, to);
      for (let day = Math.max(range.from, from); day <= last; day++) days.push(day);
    }
  }
  return days;
}

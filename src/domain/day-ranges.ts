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

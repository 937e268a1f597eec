import { requestError } from '../../errors.js';
import { formatDay, MS_PER_DAY } from '../time.js';
import type { DayRange } from './range.js';

export const COMPARISONS = ['before', 'year'] as const;
/** `before`: the days before a range; `year`: 52 weeks before, so that weekdays are the same. */
export type Comparison = (typeof COMPARISONS)[number];

const YEAR_DAYS = 52 * 7;
/** Months of a month, a quarter and a year. */
const UNITS = [1, 3, 12];

/**
 * The days that a range is compared with (contract: "What the app reads"). Those before a whole month, quarter or year are the whole
 * one before. Those before a range that begins with one and ends today are the same days of the one before; a day that this has not is
 * its month's last. Throws `invalid_range` if they begin before 1970.
 */
export function comparedRange(range: DayRange, comparison: Comparison, today: number): DayRange {
  const compared = comparison === 'year' ? earlier(range, YEAR_DAYS) : before(range, today);
  if (compared.from >= 0) return compared;
  const message = `The days to compare ${formatDay(range.from)} to ${formatDay(range.to)} with begin before 1970-01-01.`;
  throw requestError('invalid_range', message, 'vs');
}

function before(range: DayRange, today: number): DayRange {
  for (const months of UNITS) {
    const { year, month, day } = dateOf(range.from);
    if (day !== 1 || month % months !== 0) continue;
    const from = dayOf(year, month - months, 1);
    const last = dayOf(year, month + months, 1) - 1;
    if (range.to === last) return { from, to: range.from - 1 };
    if (range.to < last && range.to === today) return { from, to: monthsBefore(range.to, months) };
  }
  return earlier(range, range.to - range.from + 1);
}

const earlier = ({ from, to }: DayRange, days: number): DayRange => ({ from: from - days, to: to - days });

/** The same day of an earlier month; its last day where it has no such day. */
function monthsBefore(of: number, months: number): number {
  const { year, month, day } = dateOf(of);
  return Math.min(dayOf(year, month - months, day), dayOf(year, month - months + 1, 1) - 1);
}

/** @param month from 0 on; others are months of other years */
const dayOf = (year: number, month: number, day: number): number => Date.UTC(year, month, day) / MS_PER_DAY;

function dateOf(day: number): { year: number; month: number; day: number } {
  const date = new Date(day * MS_PER_DAY);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() };
}

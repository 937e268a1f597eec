import { daysInMonth, formatDay } from '../time.js';
import type { DayRange } from './range.js';

export const PERIODS = ['day', 'week', 'month', 'quarter'] as const;
export type Period = (typeof PERIODS)[number];

/** 1970-01-01 was a Thursday, the fourth day of a week from Monday. */
const DAYS_OF_FIRST_WEEK = 4;

/** The weeks, from Monday, months, quarters or days that a range is made of; the first and the last are cut at the range. */
export function periodsOf({ from, to }: DayRange, period: Period): DayRange[] {
  const periods: DayRange[] = [];
  for (let day = from; day <= to;) {
    const last = Math.min(to, LAST_DAYS[period](day));
    periods.push({ from: day, to: last });
    day = last + 1;
  }
  return periods;
}

const lastOfMonth = (day: number): number => day + daysInMonth(day) - Number(formatDay(day).slice(-2));

const LAST_DAYS: Record<Period, (day: number) => number> = {
  day: (day) => day,
  week: (day) => day + 6 - ((day + DAYS_OF_FIRST_WEEK - 1) % 7),
  month: lastOfMonth,
  quarter(day) {
    let last = lastOfMonth(day);
    while (Number(formatDay(last).slice(5, 7)) % 3 !== 0) last = lastOfMonth(last + 1);
    return last;
  },
};

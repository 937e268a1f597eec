/** Months as `YYYY-MM`, and ways from day to day. Weeks begin on Monday, as those of the bars do. */

import { addDays, FIRST_DAY } from '../shared/days.js';

export const monthOf = (day: string): string => day.slice(0, 7);

export function addMonths(month: string, count: number): string {
  const months = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + count;
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}`;
}

const lastOf = (month: string): string => addDays(`${addMonths(month, 1)}-01`, -1);

/** 0 is Monday. */
const weekdayOf = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;

/** The Monday of its week. */
export const weekStartOf = (day: string): string => addDays(day, -weekdayOf(day));

/** The weeks of a month; null: a day of another month. */
export function weeksOf(month: string): (string | null)[][] {
  const before = weekdayOf(`${month}-01`);
  const count = Number(lastOf(month).slice(8));
  return Array.from({ length: Math.ceil((before + count) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => {
      const date = week * 7 + weekday - before + 1;
      return date < 1 || date > count ? null : `${month}-${String(date).padStart(2, '0')}`;
    }),
  );
}

/** The same day of another month; its last one where it has fewer. */
function inMonths(day: string, count: number): string {
  const month = addMonths(monthOf(day), count);
  const same = `${month}-${day.slice(8)}`;
  return same > lastOf(month) ? lastOf(month) : same;
}

const MOVES: Readonly<Record<string, (day: string) => string>> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  Home: weekStartOf,
  End: (day) => addDays(day, 6 - weekdayOf(day)),
  PageUp: (day) => inMonths(day, -1),
  PageDown: (day) => inMonths(day, 1),
};

/** No day before the first or after today. */
export function bounded(day: string, today: string): string {
  return day < FIRST_DAY ? FIRST_DAY : day > today ? today : day;
}

/** Where a key leads from a day; null: nowhere. */
export function dayAfterKey(day: string, key: string, today: string): string | null {
  const next = MOVES[key]?.(day);
  return next === undefined ? null : bounded(next, today);
}

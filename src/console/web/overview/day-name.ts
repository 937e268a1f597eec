import type { Day } from '../shared/answers.js';
import { formatDay, formatRange } from '../shared/days.js';

/** A day, or the days of a week. */
export function nameOf({ date, to }: Day, style: { near: string; weekday?: boolean }): string {
  return to === undefined ? formatDay(date, style) : formatRange({ from: date, to }, style.near);
}

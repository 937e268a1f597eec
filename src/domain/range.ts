import { requestError } from '../errors.js';
import { formatDay, parseDay, utcDay } from './time.js';

/** An inclusive range of days, as day numbers. */
export interface DayRange {
  from: number;
  to: number;
}

export const MAX_RANGE_DAYS = 366;
const DEFAULT_DAYS = 30;

/**
 * The range of a metrics request. Without bounds the last 30 days ending today (UTC); `from` alone ends today; `to` alone
 * starts 29 days before it. Throws `invalid_range` (malformed or inverted) and `range_too_long`.
 */
export function parseRange(from: string | undefined, to: string | undefined, nowMs: number): DayRange {
  const last = to === undefined ? utcDay(nowMs) : bound('to', to);
  const first = from === undefined ? last - (DEFAULT_DAYS - 1) : bound('from', from);
  if (first > last) {
    const start = formatDay(first);
    throw requestError('invalid_range', `from (${start}) must not be after to (${formatDay(last)}).`, 'from');
  }
  if (last - first + 1 > MAX_RANGE_DAYS) {
    throw requestError(
      'range_too_long',
      `The range holds ${last - first + 1} days; at most ${MAX_RANGE_DAYS} are allowed.`,
    );
  }
  return { from: Math.max(first, 0), to: last };
}

function bound(name: 'from' | 'to', text: string): number {
  const day = parseDay(text);
  if (day === null)
    throw requestError('invalid_range', `${name} must be a real calendar day written YYYY-MM-DD.`, name);
  return day;
}

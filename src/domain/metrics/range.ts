import { requestError, requireNoFaults, type ErrorDetail } from '../../errors.js';
import { dayRule, formatDay, parseDay, utcDay } from '../time.js';

/** An inclusive range of days, as day numbers. */
export interface DayRange {
  from: number;
  to: number;
}

export const MAX_RANGE_DAYS = 366;
const DEFAULT_DAYS = 30;

/**
 * The range of a metrics request. Without bounds the last 30 days ending today (UTC); `from` alone ends today; `to` alone
 * starts 29 days before it. Throws `invalid_range` (malformed or inverted; of both bounds at once) and `range_too_long`.
 */
export function parseRange(from: string | undefined, to: string | undefined, nowMs: number): DayRange {
  requireNoFaults([...checkBound('from', from), ...checkBound('to', to)]);
  const last = (to === undefined ? null : parseDay(to)) ?? utcDay(nowMs);
  const first = (from === undefined ? null : parseDay(from)) ?? last - (DEFAULT_DAYS - 1);
  if (first > last) {
    const start = formatDay(first);
    throw requestError('invalid_range', `from (${start}) must not be after to (${formatDay(last)}).`, 'from');
  }
  if (last - first + 1 > MAX_RANGE_DAYS) {
    const message = `The range holds ${last - first + 1} days; at most ${MAX_RANGE_DAYS} are allowed.`;
    throw requestError('range_too_long', message, 'from');
  }
  return { from: Math.max(first, 0), to: last };
}

function checkBound(field: 'from' | 'to', text: string | undefined): ErrorDetail[] {
  if (text === undefined || parseDay(text) !== null) return [];
  return [{ code: 'invalid_range', message: `${field} ${dayRule(text)}.`, field }];
}

import { requestError, requireNoFaults, type ErrorDetail } from '../../errors.js';
import { dayRule, formatDay, LAST_DAY, parseDay, utcDay } from '../time.js';

/** An inclusive range of days, as day numbers. */
export interface DayRange {
  from: number;
  to: number;
}

/** The days that an order may be of. */
export const ALL_DAYS: DayRange = { from: 0, to: parseDay(LAST_DAY) ?? 0 };

export const MAX_RANGE_DAYS = 366;
/** Of figures by week, month or quarter: three years. */
export const MAX_PERIODS_DAYS = 1_098;
const DEFAULT_DAYS = 30;

/**
 * The range of a metrics request, of at most `most` days. Without bounds the last 30 days ending today (UTC); `from` alone ends today; `to` alone
 * starts 29 days before it. Throws `invalid_range` (malformed or inverted; of both bounds at once) and `range_too_long`.
 */
export function parseRange(
  from: string | undefined,
  to: string | undefined,
  nowMs: number,
  most = MAX_RANGE_DAYS,
  advice = '',
): DayRange {
  requireNoFaults([...checkBound('from', from), ...checkBound('to', to)]);
  const last = (to === undefined ? null : parseDay(to)) ?? utcDay(nowMs);
  const first = (from === undefined ? null : parseDay(from)) ?? last - (DEFAULT_DAYS - 1);
  if (first > last) {
    const start = formatDay(first);
    throw requestError('invalid_range', `from (${start}) must not be after to (${formatDay(last)}).`, 'from');
  }
  requireDays({ from: first, to: last }, most, advice);
  return { from: Math.max(first, 0), to: last };
}

/** Throws `range_too_long`; `advice` is the end of its message. */
export function requireDays({ from, to }: DayRange, most: number, advice = ''): void {
  const days = to - from + 1;
  if (days <= most) return;
  throw requestError('range_too_long', `The range holds ${days} days; at most ${most} are allowed.${advice}`, 'from');
}

function checkBound(field: 'from' | 'to', text: string | undefined): ErrorDetail[] {
  if (text === undefined || parseDay(text) !== null) return [];
  return [{ code: 'invalid_range', message: `${field} ${dayRule(text)}.`, field }];
}

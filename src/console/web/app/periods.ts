import { lengthOf, type Range } from '../shared/days.js';

/** More days than this are drawn by week; a week or less has no weeks to choose. */
const MAX_DAYS = 92;
const WEEK = 7;

export type Period = 'day' | 'week';

/** What the bars are of, and whether the reader may choose: the address's `by`, else what fits the length. */
export function periodOf(range: Range, query: URLSearchParams): { by: Period; isFree: boolean } {
  const days = lengthOf(range);
  if (days > MAX_DAYS) return { by: 'week', isFree: false };
  const isFree = days > WEEK;
  return { by: isFree && query.get('by') === 'week' ? 'week' : 'day', isFree };
}

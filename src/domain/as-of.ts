import { requestError } from '../errors.js';
import { formatTimestamp, MICROS_PER_DAY, parseTimestamp, timestampRule } from './time.js';

/**
 * A change counts from the moment at which the warehouse had computed it; it can be read some milliseconds later. Once this
 * much time is over after a moment, nothing that counts from before it is still on its way.
 */
export const LANDED_MS = 250;

/**
 * The moment that `as_of` names, in microseconds since 1970. Throws `invalid_range` for what is no timestamp, still to come, or
 * longer ago than the past is kept.
 */
export function parseAsOf(text: string, nowMs: number, keptDays: number): number {
  const moment = parseTimestamp(text);
  if (moment === null) throw requestError('invalid_range', `as_of ${timestampRule(text)}.`, 'as_of');
  if (moment > nowMs * 1000) {
    throw requestError(
      'invalid_range',
      'as_of must not be in the future; leave it out for the newest figures.',
      'as_of',
    );
  }
  const first = nowMs * 1000 - keptDays * MICROS_PER_DAY;
  if (moment < first) {
    const message = `as_of must not be before ${formatTimestamp(first)}: the past is kept for ${keptDays} days.`;
    throw requestError('invalid_range', message, 'as_of');
  }
  return moment;
}

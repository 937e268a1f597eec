import { requestError } from '../errors.js';
import { formatTimestamp, MICROS_PER_DAY, parseTimestamp, timestampRule } from './time.js';

/**
 * A change counts from the moment at which the warehouse had computed it; it can be read some milliseconds later. So a read of
 * a past moment waits until this much time is over after it: then all changes from before it can be read, and the same request
 * always has the same answer.
 */
export const LANDED_MS = 250;

/**
 * The moment of the past that a parameter names, in microseconds since 1970. Throws `invalid_range` for what is no timestamp,
 * still to come, or longer ago than the past is kept.
 */
export function parsePastMoment(name: string, text: string, nowMs: number, keptDays: number): number {
  const moment = parseTimestamp(text);
  if (moment === null) throw requestError('invalid_range', `${name} ${timestampRule(text)}.`, name);
  if (moment > nowMs * 1000) {
    throw requestError('invalid_range', `${name} must not be in the future.`, name);
  }
  const first = nowMs * 1000 - keptDays * MICROS_PER_DAY;
  if (moment < first) {
    const message = `${name} must not be before ${formatTimestamp(first)}: the past is kept for ${keptDays} days.`;
    throw requestError('invalid_range', message, name);
  }
  return moment;
}

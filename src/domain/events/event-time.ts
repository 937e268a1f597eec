import { MS_PER_DAY, parseTimestamp } from '../time.js';

/**
 * The instant of an event in milliseconds since 1970, or null when it cannot be used (`invalid_timestamp`).
 *
 * The visitor's clock sets `ts`. Up to one day ahead of the server's is a skewed clock: the event happened by the time
 * it arrived, so it is moved back to `receivedAtMs`, and no touch can lie after the order it led to. Further ahead, or
 * more than 30 days old (beyond every look-back), the clock tells nothing and the event is dropped: moving it to now
 * would invent a fresh touch. Timestamps without offset and days that no calendar has are null too.
 */
export function eventTime(ts: string, receivedAtMs: number): number | null {
  const micros = parseTimestamp(ts);
  if (micros === null) return null;
  const at = Math.floor(micros / 1000);
  if (at > receivedAtMs + MS_PER_DAY || at < receivedAtMs - 30 * MS_PER_DAY) return null;
  return Math.min(at, receivedAtMs);
}

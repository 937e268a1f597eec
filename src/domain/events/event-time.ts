import { MS_PER_DAY, parseTimestamp } from '../time.js';

/** A page's clock that differs by more than this is corrected: less is the way of the request. */
const CLOCK_TOLERANCE_MS = 5_000;
/** How long before it was sent an event may have happened, where the page says when it sent it. */
const LONGEST_WAIT_MS = 2 * MS_PER_DAY;

/**
 * The instant of an event in milliseconds since 1970, or null when it cannot be used (`invalid_timestamp`).
 *
 * The visitor's clock sets `ts`. Up to one day ahead of the server's is a skewed clock: the event happened by the time
 * it arrived, so it is moved back to `receivedAtMs`, and no touch can lie after the order it led to. Further ahead, or
 * more than 30 days old (beyond every look-back), the clock tells nothing and the event is dropped: moving it to now
 * would invent a fresh touch. Where the page says when it sent the event (`sentAtMs`), by the same clock, that clock is
 * corrected by the difference, and what waited more than two days is dropped. Timestamps without offset and days that no
 * calendar has are null too.
 */
export function eventTime(ts: string, receivedAtMs: number, sentAtMs?: number): number | null {
  const micros = parseTimestamp(ts);
  if (micros === null) return null;
  const said = Math.floor(micros / 1000);
  if (sentAtMs !== undefined && said < sentAtMs - LONGEST_WAIT_MS) return null;
  const off = sentAtMs === undefined ? 0 : receivedAtMs - sentAtMs;
  const at = Math.abs(off) > CLOCK_TOLERANCE_MS ? said + off : said;
  if (at > receivedAtMs + MS_PER_DAY || at < receivedAtMs - 30 * MS_PER_DAY) return null;
  return Math.min(at, receivedAtMs);
}

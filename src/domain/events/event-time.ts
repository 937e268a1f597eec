const dayMs = 86_400_000;
const form = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * The instant of an event in milliseconds since 1970, or null when it cannot be used (`invalid_timestamp`).
 *
 * The visitor's clock sets `ts`. Up to one day ahead of the server's is a skewed clock: the event happened by the time
 * it arrived, so it is moved back to `receivedAtMs`, and no touch can lie after the order it led to. Further ahead, or
 * more than 30 days old (beyond every look-back), the clock tells nothing and the event is dropped: moving it to now
 * would invent a fresh touch. Timestamps without offset and days that no calendar has are null too.
 */
export function eventTime(ts: string, receivedAtMs: number): number | null {
  const parts = form.exec(ts);
  if (parts === null) return null;
  const at = Date.parse(ts);
  return Number.isNaN(at) || isNoDay(parts) ? null : usable(at, receivedAtMs);
}

function usable(at: number, receivedAtMs: number): number | null {
  if (at > receivedAtMs + dayMs || at < receivedAtMs - 30 * dayMs) return null;
  return Math.min(at, receivedAtMs);
}

/** The engine itself reads 30 February as 2 March. */
function isNoDay([, year, month, day]: readonly string[]): boolean {
  return Number(day) > 28 && Number(day) > new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
}

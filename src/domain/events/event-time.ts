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

let lastDay = NaN;
let lastDayAt = 0;

/**
 * The same of 24 bytes that read `2026-03-01T12:00:00.000Z`, as browsers write it. Null for any other form too, which
 * {@link eventTime} may know.
 */
export function eventTimeAt(bytes: Uint8Array, from: number, receivedAtMs: number): number | null {
  const isForm =
    bytes[from + 4] === 0x2d &&
    bytes[from + 7] === 0x2d &&
    bytes[from + 10] === 0x54 &&
    bytes[from + 13] === 0x3a &&
    bytes[from + 16] === 0x3a &&
    bytes[from + 19] === 0x2e &&
    bytes[from + 23] === 0x5a;
  const year = digits(bytes, from, from + 4);
  const month = digits(bytes, from + 5, from + 7);
  const day = digits(bytes, from + 8, from + 10);
  const hour = digits(bytes, from + 11, from + 13);
  const minute = digits(bytes, from + 14, from + 16);
  const second = digits(bytes, from + 17, from + 19);
  const ms = digits(bytes, from + 20, from + 23);
  const whole = (year * 100 + month) * 100 + day;
  const time = ((hour * 60 + minute) * 60 + second) * 1000 + ms;
  if (!isForm || Number.isNaN(whole + time) || hour > 23 || minute > 59 || second > 59) return null;
  // Events mostly share their day.
  if (whole !== lastDay) {
    const date = new Date(Date.UTC(year, month - 1, day));
    // The engine reads 30 February as 2 March, and year 26 as 1926.
    if (date.getUTCDate() !== day || date.getUTCMonth() !== month - 1 || date.getUTCFullYear() !== year) return null;
    lastDay = whole;
    lastDayAt = date.getTime();
  }
  return usable(lastDayAt + time, receivedAtMs);
}

/** The number written there; NaN when one of the characters is no digit. */
function digits(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = (bytes[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** The engine itself reads 30 February as 2 March. */
function isNoDay([, year, month, day]: readonly string[]): boolean {
  return Number(day) > 28 && Number(day) > new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
}

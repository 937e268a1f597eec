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
  const at = usualForm(ts) ?? anyForm(ts);
  if (at === null) return null;
  if (at > receivedAtMs + dayMs || at < receivedAtMs - 30 * dayMs) return null;
  return Math.min(at, receivedAtMs);
}

function anyForm(ts: string): number | null {
  const parts = form.exec(ts);
  if (parts === null) return null;
  const at = Date.parse(ts);
  return Number.isNaN(at) || isNoDay(parts) ? null : at;
}

let lastMinute = '';
let lastMinuteAt = 0;

/** `2026-03-01T12:00:00.000Z`, as browsers write it. The events of a batch mostly share their minute: it is read once. */
function usualForm(ts: string): number | null {
  if (ts.length !== 24 || ts.charCodeAt(19) !== 0x2e || ts.charCodeAt(23) !== 0x5a) return null;
  if (!ts.startsWith(lastMinute) || lastMinute === '') {
    const minute = anyForm(`${ts.slice(0, 17)}00Z`);
    if (minute === null) return null;
    lastMinute = ts.slice(0, 17);
    lastMinuteAt = minute;
  }
  const second = digits(ts, 17, 19);
  const fraction = digits(ts, 20, 23);
  return second > 59 || Number.isNaN(second + fraction) ? null : lastMinuteAt + second * 1000 + fraction;
}

/** The number written there; NaN when one of the characters is no digit. */
function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** The engine itself reads 30 February as 2 March. */
function isNoDay([, year, month, day]: readonly string[]): boolean {
  return Number(day) > 28 && Number(day) > new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
}

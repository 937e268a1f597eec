/** Instants are whole microseconds since 1970 (exact in a JS number until 2255); days are `YYYY-MM-DD` or day numbers. */

const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const MS_PER_DAY = 86_400_000;

export const MICROS_PER_DAY = MS_PER_DAY * 1000;
/** 2000-01-01T00:00:00Z, the earliest `placed_at` and `refunded_at`. */
export const EARLIEST_MICROS = Date.UTC(2000, 0, 1) * 1000;

/**
 * RFC 3339 with an explicit offset → microseconds; digits past the sixth are cut. Null when it is bare local time, not a
 * real date or time of day, or outside 1970-2254.
 */
export function parseTimestamp(text: string): number | null {
  const match = TIMESTAMP.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = match;
  const ms = utcMs(Number(year), Number(month), Number(day));
  const h = Number(hour);
  const m = Number(minute);
  const s = Number(second);
  const oh = Number(offsetHour);
  const om = Number(offsetMinute);
  if (ms === null || h > 23 || m > 59 || s > 59 || oh > 23 || om > 59) return null;
  const offset = (oh * 60 + om) * (sign === '-' ? -1 : 1);
  const instant = ms + ((h * 60 + m - offset) * 60 + s) * 1000;
  if (instant < 0 || instant >= Date.UTC(2255, 0, 1)) return null;
  return instant * 1000 + Number(fraction.slice(0, 6).padEnd(6, '0'));
}

/** Microseconds → `YYYY-MM-DDTHH:MM:SS.ffffffZ`. */
export function formatTimestamp(micros: number): string {
  const fraction = String(micros % 1_000_000).padStart(6, '0');
  return `${new Date(Math.floor(micros / 1000)).toISOString().slice(0, 19)}.${fraction}Z`;
}

/** A real calendar day → days since 1970-01-01; null for any other text or a day outside 1970-2148. */
export function parseDay(text: string): number | null {
  const match = DAY.exec(text);
  if (match === null) return null;
  const ms = utcMs(Number(match[1]), Number(match[2]), Number(match[3]));
  if (ms === null) return null;
  const day = ms / MS_PER_DAY;
  return day >= 0 && day <= 65_379 ? day : null;
}

/** Days since 1970-01-01 → `YYYY-MM-DD`. */
export function formatDay(day: number): string {
  return new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
}

/** The UTC day of an instant in milliseconds. */
export function utcDay(ms: number): number {
  return Math.floor(ms / MS_PER_DAY);
}

/** Number of days of the calendar month that holds the day. */
export function daysInMonth(day: number): number {
  const date = new Date(day * MS_PER_DAY);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}

/** Number of days of the calendar year that holds the day. */
export function daysInYear(day: number): number {
  const year = new Date(day * MS_PER_DAY).getUTCFullYear();
  return (Date.UTC(year + 1, 0, 1) - Date.UTC(year, 0, 1)) / MS_PER_DAY;
}

/** True for a name of the IANA time zone database that this runtime knows; fixed offsets are no zone names. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Gives the local day number of an instant in microseconds. */
export type LocalDay = (micros: number) => number;

const BUCKET_MS = 15 * 60_000;
const MINUTE_MS = 60_000;
const MAX_BUCKETS = 100_000;
const resolvers = new Map<string, LocalDay>();
/** Stands in the cache for a bucket within which the day changes. */
const MIXED = -1;

/**
 * The days of a time zone. Since 1972 every offset is a multiple of 15 minutes, so nearly all instants of a 15-minute UTC
 * bucket share one local day and the slow look-up happens twice a bucket. Zones that moved their clocks at one minute past
 * midnight went back into the day before: such a bucket is told by its two ends and resolved by the minute.
 */
export function localDayIn(timezone: string): LocalDay {
  const known = resolvers.get(timezone);
  if (known !== undefined) return known;
  const dayAt = dayLookup(timezone);
  const days = new Map<number, number>();
  const resolve: LocalDay = (micros) => {
    const ms = Math.floor(micros / 1000);
    const bucket = Math.floor(ms / BUCKET_MS);
    let day = days.get(bucket);
    if (day === undefined) {
      const first = dayAt(bucket * BUCKET_MS);
      day = first === dayAt((bucket + 1) * BUCKET_MS - 1) ? first : MIXED;
      if (days.size >= MAX_BUCKETS) days.clear();
      days.set(bucket, day);
    }
    return day === MIXED ? dayAt(Math.floor(ms / MINUTE_MS) * MINUTE_MS) : day;
  };
  resolvers.set(timezone, resolve);
  return resolve;
}

/** The local day number of an instant in milliseconds, asked of the runtime's time zone data each time. */
function dayLookup(timezone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  });
  return (ms) => {
    const part: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(ms)) part[type] = Number(value);
    return Date.UTC(part.year ?? 0, (part.month ?? 0) - 1, part.day) / MS_PER_DAY;
  };
}

function utcMs(year: number, month: number, day: number): number | null {
  if (year < 1900) return null;
  const ms = Date.UTC(year, month - 1, day);
  const date = new Date(ms);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? ms : null;
}

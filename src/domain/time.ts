/** Instants are whole microseconds since 1970 (exact in a JS number until 2255); days are `YYYY-MM-DD` or day numbers. */

const ZERO = 48;
const PLUS = 43;
const DASH = 45;
const DOT = 46;
const COLON = 58;
const LOWER_T = 116;
const LOWER_Z = 122;
/** Stays negative through the arithmetic on years, months and hours. */
const NO_NUMBER = -1_000_000;
const END_MS = Date.UTC(2255, 0, 1);
const INSTANTS = '1970-01-01 and 2254-12-31';
const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;

export const MS_PER_HOUR = 3_600_000;
export const MS_PER_DAY = 24 * MS_PER_HOUR;
export const MICROS_PER_DAY = MS_PER_DAY * 1000;
/** 2000-01-01T00:00:00Z, the earliest `placed_at` and `refunded_at`. */
export const EARLIEST_MICROS = Date.UTC(2000, 0, 1) * 1000;

/** The days that figures can be of: an expense alone may end later. */
export const FIRST_DAY = '1970-01-01';
export const LAST_DAY = '2148-12-31';
export const LAST_END_DAY = '9999-12-31';

/**
 * RFC 3339 with an explicit offset → microseconds; digits past the sixth are cut. Null when it is bare local time, not a
 * real date or time of day, or outside 1970-2254. A leap second, which is at the end of a month of UTC alone, is the
 * first instant of the next second. An order has several timestamps and each is looked at more than once, so the text is
 * read by position and not by a pattern.
 */
export function parseTimestamp(text: string): number | null {
  const instant = readInstant(text);
  return instant !== null && instant >= 0 && instant < END_MS * 1000 ? instant : null;
}

/** What a text that {@link parseTimestamp} refuses must be instead. */
export function timestampRule(text: string): string {
  return readInstant(text) === null
    ? 'must be a real RFC 3339 timestamp with an explicit offset such as "2026-03-01T09:30:00+01:00"'
    : `must lie between ${INSTANTS}`;
}

function readInstant(text: string): number | null {
  const between = text.charCodeAt(10) | 0x20;
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH || between !== LOWER_T) return null;
  if (text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON) return null;
  const midnight = utcMs(pair(text, 0) * 100 + pair(text, 2), pair(text, 5), pair(text, 8));
  const hour = pair(text, 11);
  const minute = pair(text, 14);
  const second = pair(text, 17);
  if (midnight === null || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return null;

  let at = 19;
  let micros = 0;
  if (text.charCodeAt(at) === DOT) {
    const start = ++at;
    for (; isDigit(text.charCodeAt(at)); at++) {
      if (at - start < 6) micros = micros * 10 + (text.charCodeAt(at) - ZERO);
    }
    if (at === start) return null;
    for (let digits = at - start; digits < 6; digits++) micros *= 10;
  }
  const offset = zoneOffset(text, at);
  if (offset === null) return null;
  const instant = midnight + ((hour * 60 + minute - offset) * 60 + second) * 1000;
  if (second === 60) return isMonthStart(instant) ? instant * 1000 : null;
  return instant * 1000 + micros;
}

function isMonthStart(ms: number): boolean {
  return ms % MS_PER_DAY === 0 && new Date(ms).getUTCDate() === 1;
}

/** Minutes east of UTC of a zone that ends the text; null when it is none. */
function zoneOffset(text: string, at: number): number | null {
  const sign = text.charCodeAt(at);
  if ((sign | 0x20) === LOWER_Z) return text.length === at + 1 ? 0 : null;
  if ((sign !== PLUS && sign !== DASH) || text.length !== at + 6 || text.charCodeAt(at + 3) !== COLON) return null;
  const hours = pair(text, at + 1);
  const minutes = pair(text, at + 4);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return null;
  return sign === DASH ? -(hours * 60 + minutes) : hours * 60 + minutes;
}

/** The number that two digits make; far below zero when one of them is none. */
function pair(text: string, at: number): number {
  const tens = text.charCodeAt(at);
  const ones = text.charCodeAt(at + 1);
  return isDigit(tens) && isDigit(ones) ? (tens - ZERO) * 10 + (ones - ZERO) : NO_NUMBER;
}

function isDigit(char: number): boolean {
  return char >= ZERO && char <= ZERO + 9;
}

const twoDigits = (count: number): string => String(count).padStart(2, '0');

/** Microseconds → `YYYY-MM-DDTHH:MM:SS.ffffffZ`. */
export function formatTimestamp(micros: number): string {
  const day = Math.floor(micros / MICROS_PER_DAY);
  const left = micros - day * MICROS_PER_DAY;
  const seconds = Math.floor(left / 1_000_000);
  const time = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60].map(twoDigits).join(':');
  return `${formatDay(day)}T${time}.${String(left % 1_000_000).padStart(6, '0')}Z`;
}

/** A real calendar day → days since 1970-01-01; null for any other text or a day outside {@link FIRST_DAY} to `last`. */
export function parseDay(text: string, last: string = LAST_DAY): number | null {
  const day = calendarDay(text);
  // Texts of this form sort as the days do.
  return day !== null && text >= FIRST_DAY && text <= last ? day : null;
}

/** What a text that {@link parseDay} refuses must be instead. */
export function dayRule(text: string, last: string = LAST_DAY): string {
  const isDay = calendarDay(text) !== null;
  return isDay ? `must lie between ${FIRST_DAY} and ${last}` : 'must be a real calendar day written YYYY-MM-DD';
}

function calendarDay(text: string): number | null {
  const match = DAY.exec(text);
  const ms = match === null ? null : utcMs(Number(match[1]), Number(match[2]), Number(match[3]));
  return ms === null ? null : ms / MS_PER_DAY;
}

/** Ten years; it is emptied when it is full. */
const MAX_FORMATTED = 3_660;
const formatted = new Map<number, string>();

/** Days since 1970-01-01 → `YYYY-MM-DD`. Remembered, since a row of an export has four: 0.04 µs each so, and 1.6 with a Date. */
export function formatDay(day: number): string {
  let text = formatted.get(day);
  if (text === undefined) {
    if (formatted.size === MAX_FORMATTED) formatted.clear();
    formatted.set(day, (text = new Date(day * MS_PER_DAY).toISOString().slice(0, 10)));
  }
  return text;
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

/** Gives the local day number of an instant in microseconds. */
export type LocalDay = (micros: number) => number;

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
/** Days from the first of January of the year 1 to that of 1970. */
const DAYS_BEFORE_1970 = 719_162;

/** Midnight UTC of a real date from the year 0 on; null for any other numbers, negative ones and NaN among them. */
function utcMs(year: number, month: number, day: number): number | null {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = (MONTH_DAYS[month - 1] ?? 0) + (month === 2 && leap ? 1 : 0);
  if (!(year >= 0 && day >= 1 && day <= days)) return null;
  const past = year - 1;
  const leaps = Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400);
  const inYear = (DAYS_BEFORE_MONTH[month - 1] ?? 0) + (month > 2 && leap ? 1 : 0) + day - 1;
  return (past * 365 + leaps + inYear - DAYS_BEFORE_1970) * MS_PER_DAY;
}

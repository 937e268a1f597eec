import { isOpen } from './amounts.js';
import { hold } from './holds.js';

const STAMP = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d+)? ?(?:([Zz]|UTC)|([+-]\d\d):?(\d\d))$/;
const EARLIEST = Date.UTC(2000, 0, 1);
const HOUR_MS = 3_600_000;

interface Instant {
  /** RFC 3339. */
  text: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** A date and time with its offset from UTC; null where it is none. */
function readInstant(value: unknown): Instant | null {
  const match = typeof value === 'string' ? STAMP.exec(value.trim()) : null;
  if (match === null) return null;
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '', decimals = '', , hours, minutes = ''] =
    match;
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const isDay = new Date(date).toISOString().startsWith(`${year}-${month}-${day}`);
  if (!isDay || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59 || Number(minutes) > 59) return null;
  if (Math.abs(Number(hours ?? 0)) > 23) return null;
  const offset = hours === undefined ? 0 : Number(hours) + (Number(minutes) / 60) * (hours.startsWith('-') ? -1 : 1);
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  const at = date + (Number(hour) - offset) * HOUR_MS + (Number(minute) * 60 + Number(second)) * 1000;
  return { text: `${year}-${month}-${day}T${hour}:${minute}:${second}${decimals}${zone}`, at };
}

function requireInstant(value: unknown, field: string): Instant {
  const instant = readInstant(value);
  if (instant === null) throw hold('bad_date', field, `${field} is not a date and time with its offset from UTC.`);
  if (instant.at < EARLIEST) throw hold('bad_date', field, `${field} is before the year 2000.`);
  return instant;
}

/** The first of some fields that is given, as RFC 3339. */
export function firstDate(...fields: [field: string, value: unknown][]): string {
  const [field, value] = fields.find(([, one]) => !isOpen(one)) ?? fields[0] ?? ['', undefined];
  return requireInstant(value, field).text;
}

/** The newest of some dates that are given; undefined where none is. */
export function newestDate(...fields: [field: string, value: unknown][]): string | undefined {
  const instants = fields.filter(([, value]) => !isOpen(value)).map(([field, value]) => requireInstant(value, field));
  return instants.reduce<Instant | undefined>((a, b) => (a === undefined || b.at > a.at ? b : a), undefined)?.text;
}

/** WooCommerce tells UTC without saying so. */
export function gmt(value: unknown): unknown {
  return typeof value === 'string' && /:\d\d(\.\d+)?$/.test(value.trim()) && !/[+-]\d\d:\d\d$/.test(value.trim())
    ? `${value.trim()}Z`
    : value;
}

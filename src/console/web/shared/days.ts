/** Calendar days as `YYYY-MM-DD`, in the time zone of a shop. */

import { localTime, pageZone } from './clocks.js';
import { locale } from './locale.js';
import { zoneName } from './zone.js';

const DAY_MS = 86_400_000;

export interface Range {
  from: string;
  to: string;
}

const toMs = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Today in a time zone. */
export function todayIn(timezone: string, nowMs = Date.now()): string {
  const { ms, timeZone } = localTime(timezone, nowMs);
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(ms);
  const part = (type: string) => parts.find((candidate) => candidate.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

export function addDays(day: string, count: number): string {
  return toDay(toMs(day) + count * DAY_MS);
}

export function lengthOf({ from, to }: Range): number {
  return Math.round((toMs(to) - toMs(from)) / DAY_MS) + 1;
}

/** The days of the same number just before a range. */
export function periodBefore(range: Range): Range {
  return { from: addDays(range.from, -lengthOf(range)), to: addDays(range.from, -1) };
}

/** Days by name, each with the key that takes it while days are chosen. */
export const PRESETS = [
  { id: 'today', key: 't', label: 'Today', range: (today: string): Range => ({ from: today, to: today }) },
  {
    id: 'yesterday',
    key: 'y',
    label: 'Yesterday',
    range: (today: string): Range => ({ from: addDays(today, -1), to: addDays(today, -1) }),
  },
  {
    id: '7d',
    key: '7',
    label: 'Last 7 days',
    range: (today: string): Range => ({ from: addDays(today, -6), to: today }),
  },
  {
    id: '30d',
    key: '3',
    label: 'Last 30 days',
    range: (today: string): Range => ({ from: addDays(today, -29), to: today }),
  },
  {
    id: '90d',
    key: '9',
    label: 'Last 90 days',
    range: (today: string): Range => ({ from: addDays(today, -89), to: today }),
  },
  {
    id: 'month',
    key: 'm',
    label: 'This month',
    range: (today: string): Range => ({ from: `${today.slice(0, 8)}01`, to: today }),
  },
  {
    id: 'last-month',
    key: 'l',
    label: 'Last month',
    range: (today: string): Range => {
      const to = addDays(`${today.slice(0, 8)}01`, -1);
      return { from: `${to.slice(0, 8)}01`, to };
    },
  },
  {
    id: 'quarter',
    key: 'q',
    label: 'This quarter',
    range: (today: string): Range => {
      const month = Number(today.slice(5, 7));
      return { from: `${today.slice(0, 5)}${String(month - ((month - 1) % 3)).padStart(2, '0')}-01`, to: today };
    },
  },
  {
    id: 'year',
    key: 'a',
    label: 'This year',
    range: (today: string): Range => ({ from: `${today.slice(0, 4)}-01-01`, to: today }),
  },
  {
    id: '366d',
    key: '6',
    label: 'Last 366 days',
    range: (today: string): Range => ({ from: addDays(today, -365), to: today }),
  },
] as const;

/** How a moment is written: its year only where it is another than that of `near`, a day; absent: today. */
interface Style {
  near?: string | undefined;
  weekday?: boolean;
}

const yearOf = (day: string): string => day.slice(0, 4);
const dateOptions = (isNear: boolean, weekday = false): Intl.DateTimeFormatOptions => ({
  day: 'numeric',
  month: 'short',
  ...(weekday && { weekday: 'short' }),
  ...(!isNear && { year: 'numeric' }),
});
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

export function formatDay(day: string, { near = todayIn('UTC'), weekday = false }: Style = {}): string {
  const options = dateOptions(yearOf(day) === yearOf(near), weekday);
  return new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', ...options }).format(toMs(day));
}

export function formatRange({ from, to }: Range, near = todayIn('UTC')): string {
  const isNear = yearOf(from) === yearOf(near) && yearOf(to) === yearOf(near);
  const format = new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', ...dateOptions(isNear) });
  return from === to ? format.format(toMs(from)) : format.formatRange(toMs(from), toMs(to));
}

/** A moment in the zone of the page; a dash for none. */
export function formatMoment(timestamp: string | null, { near }: Pick<Style, 'near'> = {}): string {
  if (timestamp === null) return '–';
  const ms = Date.parse(timestamp);
  const zone = pageZone();
  const options = dateOptions(yearOf(todayIn(zone, ms)) === yearOf(near ?? todayIn(zone)));
  const local = localTime(zone, ms);
  return new Intl.DateTimeFormat(locale(), { timeZone: local.timeZone, ...options, ...CLOCK }).format(local.ms);
}

/** When a link ends, with the zone: the link is read elsewhere too. */
export const formatUntil = (timestamp: string | null): string =>
  `${formatMoment(timestamp)}, ${zoneName(pageZone())} time`;

/** The time of day in the zone of the page. */
export function formatTime(timestamp: string): string {
  const { ms, timeZone } = localTime(pageZone(), Date.parse(timestamp));
  return new Intl.DateTimeFormat(locale(), { timeZone, ...CLOCK }).format(ms);
}

/** The first day that the service knows, and the days that it answers for at once. */
export const FIRST_DAY = '1970-01-01';
const MAX_DAYS = 366;

/** Whether a text is a day that can be shown: a real one that has begun. A year that is only half typed is none. */
export function isShownDay(text: string, today: string): boolean {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(toMs(text)) && toDay(toMs(text)) === text;
  return isDay && text >= FIRST_DAY && text <= today;
}

/** Why a range can't be shown; null when it can. */
export function rangeFault(range: Range, today: string): string | null {
  const odd = [range.from, range.to].find((day) => !isShownDay(day, today));
  if (odd !== undefined) return `Days from ${formatDay(FIRST_DAY)} to today (${formatDay(today)}) can be shown.`;
  if (range.from > range.to) return 'The first day must not be after the last one.';
  return lengthOf(range) > MAX_DAYS ? `At most ${MAX_DAYS} days fit into one view.` : null;
}

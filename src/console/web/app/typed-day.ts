import { addDays, formatDay } from '../shared/days.js';
import { locale } from '../shared/locale.js';

/** The months whose names in a language, short or long, begin with a word; a shorter word may be a preposition. */
function monthsNamed(word: string, language: string | undefined): number[] {
  const found = (style: 'short' | 'long'): number[] => {
    const format = new Intl.DateTimeFormat(language, { month: style, day: 'numeric', timeZone: 'UTC' });
    return Array.from({ length: 12 }, (_, month) => month).filter((month) => {
      const name = format.formatToParts(Date.UTC(2026, month, 1)).find(({ type }) => type === 'month')?.value ?? '';
      return word.length >= 3 && name.toLowerCase().startsWith(word);
    });
  };
  return [...found('short'), ...found('long')];
}

/**
 * A day as people type it: `2010-12-01`, `1 dec 2010`, `1 dec` (the last one that was), `-7` (seven days ago). A text that can be read
 * in no way, or in two as `1/12/2010` can, stays as it is.
 */
export function readDay(text: string, today: string): string {
  const ago = /^[-−](\d{1,5})$/.exec(text.trim())?.[1];
  if (ago !== undefined) return addDays(today, -Number(ago));
  const words = text.toLowerCase().match(/\p{L}[\p{L}\p{M}]*/gu) ?? [];
  const numbers = text.match(/\d+/g) ?? [];
  const months = new Set(words.flatMap((word) => [...monthsNamed(word, locale()), ...monthsNamed(word, 'en')]));
  const [month = 0] = months;
  const [date, ...otherDates] = numbers.filter((number) => number.length < 3);
  const [year, ...others] = numbers.filter((number) => number.length > 2);
  if (months.size !== 1 || date === undefined || otherDates.length + others.length > 0) return text.trim();
  const inYear = (of: string): string => `${of}-${String(month + 1).padStart(2, '0')}-${date.padStart(2, '0')}`;
  if (year !== undefined) return inYear(year);
  const now = today.slice(0, 4);
  return inYear(now) <= today ? inYear(now) : inYear(String(Number(now) - 1));
}

/** A day as a field shows it: in a way that is read as the same day, whatever the language. */
export function typedDay(day: string, today: string): string {
  const text = formatDay(day, { near: '' });
  return readDay(text, today) === day ? text : day;
}

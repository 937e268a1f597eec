import { addDays, type Range } from '../shared/days.js';
import { addMonths, monthOf, weekStartOf } from './calendar.js';

/** The periods that the statement is shown of, in columns: as many as one answer spans. */
export const COLUMNS = {
  month: { label: 'Months', count: 13 },
  quarter: { label: 'Quarters', count: 12 },
  week: { label: 'Weeks', count: 13 },
} as const;
export type ColumnsBy = keyof typeof COLUMNS;
export const COLUMN_PERIODS = ['month', 'quarter', 'week'] as const satisfies readonly ColumnsBy[];

/** The `columns` of the address; null: the page of one range. */
export function columnsOf(query: URLSearchParams): ColumnsBy | null {
  const asked = query.get('columns');
  return COLUMN_PERIODS.find((by) => by === asked) ?? null;
}

/** The days of the columns of which the last ends with this day. */
export function columnsRange(by: ColumnsBy, to: string): Range {
  const back = COLUMNS[by].count - 1;
  if (by === 'week') return { from: addDays(weekStartOf(to), -7 * back), to };
  const month = monthOf(to);
  const into = by === 'quarter' ? (Number(month.slice(5)) - 1) % 3 : 0;
  return { from: `${addMonths(month, -into - back * (by === 'quarter' ? 3 : 1))}-01`, to };
}

import { CELL_PATTERNS } from '../../domain/csv/cells.js';
import { guarded } from '../../domain/formula.js';
import { cellOf, type Cell, type Column, type ColumnKind } from './columns.js';

const SPECIAL = new RegExp(CELL_PATTERNS.special);

/** Rows, or the lines of them that the warehouse wrote. */
export type CsvPage = readonly object[] | string;

/**
 * Rows as CSV (RFC 4180), with a line of names before the first page. A text that a spreadsheet would run as a formula has an apostrophe before it;
 * numbers, dates and flags stay as they are.
 */
export async function* toCsv(columns: readonly Column[], pages: AsyncIterable<CsvPage>): AsyncGenerator<string> {
  let head = lineOf(columns.map(({ name }) => name));
  for await (const page of pages) {
    yield head + (typeof page === 'string' ? page : linesOf(columns, page));
    head = '';
  }
}

const linesOf = (columns: readonly Column[], rows: readonly object[]): string =>
  rows.map((row) => lineOf(columns.map((column) => toField(cellOf(row, column), column.kind)))).join('');

function lineOf(fields: readonly string[]): string {
  return `${fields.join(',')}\r\n`;
}

export function toField(cell: Cell, kind: ColumnKind): string {
  if (cell === null) return '';
  const text = String(cell);
  if (kind !== 'text') return text;
  const safe = guarded(text);
  return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

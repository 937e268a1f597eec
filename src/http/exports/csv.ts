import { guarded } from '../../domain/formula.js';
import { cellOf, type Cell, type Column, type ColumnKind } from './columns.js';

/** What has to stand in quotes: semicolons and tabs too, since some spreadsheets take them for separators. */
const SPECIAL = /[",;\t\r\n]|^\s|\s$/;

/**
 * Rows as CSV (RFC 4180), with a line of names before the first page. A text that a spreadsheet would run as a formula has an apostrophe before it;
 * numbers, dates and flags stay as they are.
 */
export async function* toCsv(
  columns: readonly Column[],
  pages: AsyncIterable<readonly object[]>,
): AsyncGenerator<string> {
  let head = lineOf(columns.map(({ name }) => name));
  for await (const rows of pages) {
    const lines = rows.map((row) => lineOf(columns.map((column) => toField(cellOf(row, column), column.kind))));
    yield head + lines.join('');
    head = '';
  }
}

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

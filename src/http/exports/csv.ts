import { CELL_PATTERNS } from '../../domain/csv/cells.js';
import { guarded } from '../../domain/formula.js';
import { cellOf, type Cell, type Column, type ColumnKind } from './columns.js';

const SPECIAL = new RegExp(CELL_PATTERNS.special);

/**
 * Rows as CSV (RFC 4180), with a line of names before the first page. A text that a spreadsheet would run as a formula has an apostrophe before it;
 * numbers, dates and flags stay as they are.
 */
export async function* toCsv(
  columns: readonly Column[],
  pages: AsyncIterable<readonly object[]>,
): AsyncGenerator<string> {
  let head = headOf(columns);
  for await (const page of pages) {
    yield head + linesOf(columns, page);
    head = '';
  }
}

/** The same of lines that the warehouse writes. */
export async function* withHead(columns: readonly Column[], pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head = Buffer.from(headOf(columns));
  for await (const piece of pieces) {
    yield head.length === 0 ? piece : Buffer.concat([head, piece]);
    head = Buffer.alloc(0);
  }
}

const headOf = (columns: readonly Column[]): string => lineOf(columns.map(({ name }) => name));

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

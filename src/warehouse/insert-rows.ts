import type { Warehouse } from './client.js';
import { JSON_INSERT_SETTINGS } from './columns/json-rows.js';

/** Encoded rows of one table. */
export interface EncodedRows {
  /** The head of `RowBinaryWithNamesAndTypes`; empty: the rows are JSON, a line each. */
  head: Buffer;
  rows: Buffer;
}

/**
 * Writes the rows of many jobs as one insert, and those with other columns, as two releases side by side write them, as one more.
 * The server checks names and types against the table; a column that is not named gets its default.
 * Throws a RangeError when a head is damaged.
 */
export async function insertRows(
  warehouse: Pick<Warehouse, 'insertBytes'>,
  table: string,
  parts: readonly EncodedRows[],
): Promise<void> {
  const name = `insert ${table}`;
  const inserts = new Map<string, { sql: string; bytes: Buffer[] }>();
  for (const part of parts) {
    if (part.rows.length === 0) continue;
    const sql = statementOf(table, part);
    const key = `${sql} ${part.head.toString('latin1')}`;
    const insert = inserts.get(key);
    if (insert === undefined) inserts.set(key, { sql, bytes: [part.head, part.rows] });
    else insert.bytes.push(part.rows);
  }
  await Promise.all(
    [...inserts.values()].map(({ sql, bytes }) => warehouse.insertBytes({ name, sql }, Buffer.concat(bytes))),
  );
}

const JSON_SETTINGS = Object.entries(JSON_INSERT_SETTINGS)
  .map(([name, value]) => `${name} = ${value}`)
  .join(', ');

function statementOf(table: string, { head }: EncodedRows): string {
  if (head.length > 0) {
    return `INSERT INTO ${table} (${namesIn(head).join(', ')}) FORMAT RowBinaryWithNamesAndTypes`;
  }
  return `INSERT INTO ${table} SETTINGS ${JSON_SETTINGS} FORMAT JSONEachRow`;
}

const COLUMN_NAME = /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?$/;

/** The names of the columns: their number, then each with its length. All are shorter than 128 bytes, and fewer. */
function namesIn(head: Buffer): string[] {
  let offset = 1;
  return Array.from({ length: head.readUInt8(0) }, () => {
    const end = offset + 1 + head.readUInt8(offset);
    const name = head.toString('latin1', offset + 1, end);
    if (end > head.length || !COLUMN_NAME.test(name)) throw new RangeError('the head of encoded rows is damaged');
    offset = end;
    return name;
  });
}

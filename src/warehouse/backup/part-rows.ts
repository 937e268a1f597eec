import { Type } from 'typebox';
import type { Warehouse } from '../client.js';
import { chunksOf, type Chunk } from './snapshot.js';
import { defineQuery, texts } from '../query.js';

const PARTS = defineQuery(
  'parts of a database',
  texts('name', 'table', 'partition', 'first', 'last', 'rows', 'bytes', 'mutation'),
);

/** A part of a table, with the blocks of rows that it was merged from. */
export type Part = Awaited<ReturnType<typeof readParts>>[number];

/** The parts of a database in the order in which they were written: of two rows with one key and version the later one counts. */
export async function readParts(warehouse: Warehouse, database: string) {
  const rows = await warehouse.ask(
    PARTS(
      `SELECT name, table, partition_id AS partition, min_block_number AS first, max_block_number AS last,
       toString(rows) AS rows, toString(data_uncompressed_bytes) AS bytes,
       if(data_version = min_block_number, 0, data_version) AS mutation
     FROM system.parts AS p WHERE p.database = {database:String} AND p.active AND p.rows > 0
     ORDER BY p.table, p.partition_id, p.min_block_number`,
      { database },
    ),
  );
  return rows.map((row) => ({
    ...row,
    first: Number(row.first),
    last: Number(row.last),
    /** Version of the last mutation that changed its rows; 0: none has. */
    mutation: Number(row.mutation),
  }));
}

/** Parts that are copied and noted together, with their chunks. */
export interface Unit {
  parts: readonly Part[];
  chunks: readonly Chunk[];
}

/** Bytes of small parts that are noted together; a larger part is noted alone. */
const UNIT_BYTES = 64 * 1024 * 1024;

export function unitsOf(parts: readonly Part[]): Unit[] {
  const units: { parts: Part[]; bytes: number }[] = [];
  for (const part of parts) {
    const last = units.at(-1);
    if (last !== undefined && last.bytes + Number(part.bytes) <= UNIT_BYTES) {
      last.parts.push(part);
      last.bytes += Number(part.bytes);
    } else units.push({ parts: [part], bytes: Number(part.bytes) });
  }
  return units.map((unit) => ({ parts: unit.parts, chunks: chunksOf(unit.parts) }));
}

const ACTIVE_PARTS = defineQuery('active parts', { parts: Type.Number() });

/** Whether all are still parts of the table: then every row of them was read. */
export async function areActive(warehouse: Warehouse, database: string, parts: readonly Part[]): Promise<boolean> {
  const names = parts.map(({ name }) => `'${name}'`).join(',');
  const [found] = await warehouse.ask(
    ACTIVE_PARTS(
      `SELECT toUInt32(count()) AS parts FROM system.parts
     WHERE database = {database:String} AND table = {table:String} AND active AND name IN (${names})`,
      { database, table: parts[0]?.table ?? '' },
    ),
  );
  return found?.parts === parts.length;
}

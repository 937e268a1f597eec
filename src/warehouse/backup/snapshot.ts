import type { Warehouse } from '../client.js';
import { quoted } from '../sql.js';
import type { StoredTable } from './tables.js';
import { defineQuery, texts, type RowOf } from '../query.js';

/** A range of rows of one part of a copied table. */
export interface PartRange {
  part: string;
  from: number;
  to: number;
}

/** Rows of a table that are read together, in the order in which they were written; their size is bounded. */
export interface Chunk {
  ranges: readonly PartRange[];
  rows: number;
}

/** A condition on the rows of a range, in SQL. */
export type Condition = (range: PartRange) => string;

/** A copy of tables that nothing writes to. It shares files with the tables, so it takes hardly any time or disk space. */
export interface Snapshot {
  /** Copies these tables as they are now. */
  take(tables: readonly StoredTable[]): Promise<void>;
  /** The parts of every table that has rows, in the order in which they were written. */
  parts(): Promise<Map<string, SnapshotPart[]>>;
  /** The rows of a chunk in the format `Native`; with a condition those that meet it. */
  read(table: StoredTable, chunk: Chunk, only?: Condition): Promise<Buffer>;
  /** Throws unless the copy still has these parts. */
  requireUnchanged(parts: ReadonlyMap<string, readonly SnapshotPart[]>): Promise<void>;
}

/** The copy has changed while it was read: its server was restarted, or somebody wrote to it. */
class SnapshotChangedError extends Error {
  override readonly name = 'SnapshotChangedError';
  constructor() {
    super('the copy of the tables changed while it was read; start again');
  }
}

/** Bytes of a chunk, estimated from the mean row size of its part. */
export const CHUNK_BYTES = 16 * 1024 * 1024;

const PARTS = defineQuery('parts of a snapshot', texts('table', 'name', 'rows', 'bytes', 'hash'));
/** With the engine's hash of all files of the part: of one hash are parts of the same rows, whatever their names. */
export type SnapshotPart = RowOf<typeof PARTS>;

/** The rows of a chunk in the format `Native`. Of a part that was merged meanwhile there are none, or not all: see `areActive`. */
export async function readChunk(
  warehouse: Warehouse,
  database: string,
  { name, columns }: StoredTable,
  { ranges }: Chunk,
  only?: Condition,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (const range of ranges) {
    const { part, from, to } = range;
    pieces.push(
      await warehouse.queryBytes({
        name: 'read a chunk',
        sql: `SELECT ${quoted(columns)} FROM ${database}.${name} WHERE _part = '${part}' AND _part_offset >= ${from} AND _part_offset < ${to}
         ${only === undefined ? '' : `AND ${only(range)}`} SETTINGS max_threads = 1 FORMAT Native`,
      }),
    );
  }
  return Buffer.concat(pieces);
}

/** Makes the empty tables of a copy in a database of their own, which is dropped first. */
export async function prepareSnapshot(
  warehouse: Warehouse,
  { from, into, tables }: { from: string; into: string; tables: readonly StoredTable[] },
): Promise<Snapshot> {
  await makeTables(warehouse, { from, into, tables });
  // Chunks refer to parts by name.
  await Promise.all(
    tables.map(({ name }) =>
      warehouse.run({ name: 'stop merges of the snapshot', sql: `SYSTEM STOP MERGES ${into}.${name}` }),
    ),
  );

  // Parts in the order in which they were written: of two rows with the same key and version the later one counts.
  const readParts = (): Promise<SnapshotPart[]> =>
    warehouse.ask(
      PARTS(
        `SELECT p.table AS table, p.name AS name, toString(p.rows) AS rows, toString(p.data_uncompressed_bytes) AS bytes,
         p.hash_of_all_files AS hash
       FROM system.parts AS p
       WHERE p.database = {database:String} AND p.active AND p.rows > 0
       ORDER BY p.table, p.partition_id, p.min_block_number`,
        { database: into },
      ),
    );

  return {
    async take(chosen) {
      await Promise.all(
        chosen.map(({ name }) =>
          warehouse.run({
            name: 'attach to the snapshot',
            sql: `ALTER TABLE ${into}.${name} ATTACH PARTITION ALL FROM ${from}.${name}`,
          }),
        ),
      );
    },
    async parts() {
      const parts = new Map<string, SnapshotPart[]>();
      for (const part of await readParts()) parts.set(part.table, [...(parts.get(part.table) ?? []), part]);
      return parts;
    },
    read: (table, chunk, only) => readChunk(warehouse, into, table, chunk, only),
    async requireUnchanged(parts) {
      const nameOf = ({ table, name }: SnapshotPart): string => `${table} ${name}`;
      const read = new Set([...parts.values()].flat().map(nameOf));
      const there = await readParts();
      if (there.length !== read.size || there.some((part) => !read.has(nameOf(part)))) throw new SnapshotChangedError();
    },
  };
}

/** Makes a database, after dropping it, with empty tables like those of another one, without their TTLs. */
export async function makeTables(
  warehouse: Warehouse,
  { from, into, tables }: { from: string; into: string; tables: readonly StoredTable[] },
): Promise<void> {
  await dropDatabase(warehouse, into);
  await warehouse.run({ name: 'create a database', sql: `CREATE DATABASE ${into} ENGINE = Atomic` });
  await Promise.all(
    tables.map(async ({ name, hasTtl }) => {
      await warehouse.run({ name: 'copy a table', sql: `CREATE TABLE ${into}.${name} AS ${from}.${name}` });
      if (hasTtl) await warehouse.run({ name: 'remove a TTL', sql: `ALTER TABLE ${into}.${name} REMOVE TTL` });
    }),
  );
}

export async function dropDatabase(warehouse: Warehouse, name: string): Promise<void> {
  // The setting allows large tables.
  await warehouse.run({
    name: 'drop a database',
    sql: `DROP DATABASE IF EXISTS ${name} SYNC SETTINGS max_table_size_to_drop = 0`,
  });
}

/** Cuts large parts into several chunks, and puts small ones together. */
export function chunksOf(parts: readonly Pick<SnapshotPart, 'name' | 'rows' | 'bytes'>[], most = CHUNK_BYTES): Chunk[] {
  const chunks: { ranges: PartRange[]; rows: number; bytes: number }[] = [];
  let chunk: (typeof chunks)[number] | undefined;
  for (const { name: part, rows, bytes } of parts) {
    const total = Number(rows);
    const mean = Math.max(1, Number(bytes) / total);
    for (let from = 0; from < total;) {
      if (chunk === undefined || chunk.bytes >= most) chunks.push((chunk = { ranges: [], rows: 0, bytes: 0 }));
      const room = Math.max(1, Math.floor((most - chunk.bytes) / mean));
      const to = Math.min(total, from + room);
      chunk.ranges.push({ part, from, to });
      chunk.rows += to - from;
      chunk.bytes += (to - from) * mean;
      // Close the chunk when the next row does not fit.
      if (to < total) chunk.bytes = Math.max(chunk.bytes, most);
      from = to;
    }
  }
  return chunks.map(({ ranges, rows }) => ({ ranges, rows }));
}

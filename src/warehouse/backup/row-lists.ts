import type { Warehouse } from '../client.js';
import { defineQuery, texts } from '../query.js';
import { CHUNK_BYTES, dropDatabase, type Chunk, type Condition, type PartRange } from './snapshot.js';
import { rowHash, type StoredTable } from './tables.js';

/**
 * The list of a table's rows by their hashes, with how often each was there at the last backup and is there now. An increment is the rows
 * whose count has changed. So it is exact whatever changed them: inserts with any stamp, merges, deletions, expiry.
 */
export interface ListedTable {
  warehouse: Warehouse;
  /** The database of the copy. */
  copy: string;
  /** The database of the lists. */
  lists: string;
  table: StoredTable;
}

/** Entries of a list that are read together, in the format `Native` with the columns of {@link LIST_STRUCTURE}. */
export interface ListSlice {
  rows: number;
  read(): Promise<Buffer>;
}

/** Rows that the last backup has not, or not as often. */
export interface NewRows {
  chunks: readonly Chunk[];
  /** Of a range of these chunks: which rows of it are new. */
  only: Condition;
}

const LIST_COLUMNS = 'hash, was, now';
export const LIST_STRUCTURE = 'hash UInt64, was UInt32, now UInt32';
/** Rows of a part of which it is known together whether any is new. */
const STEP = 16_384;
const SLICE_ROWS = 1_048_576;
/** Of a table with more rows than fit, the rest is put on the disk. */
const BOUNDED = 'SETTINGS max_bytes_before_external_group_by = 536870912';

const NEW_ROWS = defineQuery('new rows by place', texts('part', 'first', 'rows', 'mean'));
const LISTED = defineQuery('entries of a list', texts('entries'));

const NAMES = ['was', 'now', 'new', 'list'] as const;
/** Rows of all tables are in one table each: making some for every table takes longer than a small backup. */
const TABLES: Readonly<Record<(typeof NAMES)[number], { columns: string; order: string }>> = {
  was: { columns: LIST_STRUCTURE, order: '`table`' },
  now: { columns: 'hash UInt64, part LowCardinality(String), place UInt64', order: '`table`' },
  new: { columns: 'part LowCardinality(String), place UInt64', order: '`table`, part, place' },
  list: { columns: LIST_STRUCTURE, order: '`table`, hash' },
};

/** Makes the database of the lists, after dropping it. */
export async function makeLists(warehouse: Warehouse, lists: string): Promise<void> {
  await dropDatabase(warehouse, lists);
  await warehouse.run({ name: 'create a database', sql: `CREATE DATABASE ${lists} ENGINE = Atomic` });
  for (const name of NAMES)
    await warehouse.run({
      name: 'create a list of rows',
      sql: `CREATE TABLE ${lists}.${name} (\`table\` LowCardinality(String), ${TABLES[name].columns})
       ENGINE = MergeTree ORDER BY (${TABLES[name].order})`,
    });
}

/** Lists all rows, for a backup that is whole. */
export async function listAll({ warehouse, copy, lists, table }: ListedTable): Promise<void> {
  const sql = `INSERT INTO ${lists}.list (\`table\`, ${LIST_COLUMNS})
    SELECT '${table.name}', ${rowHash(table)}, 0, 1 FROM ${copy}.${table.name}`;
  await warehouse.run({ name: 'list all rows', sql });
}

/** Lists the rows that differ from those of the lists of earlier backups, and gives the new ones. */
export async function listChanges(
  { warehouse, copy, lists, table }: ListedTable,
  earlier: AsyncIterable<Buffer>,
): Promise<NewRows> {
  const own = `\`table\` = '${table.name}'`;
  for await (const bytes of earlier) {
    const sql = `INSERT INTO ${lists}.was (\`table\`, ${LIST_COLUMNS})
      SELECT '${table.name}', ${LIST_COLUMNS} FROM input('${LIST_STRUCTURE}') FORMAT Native`;
    await warehouse.insertBytes({ name: 'load a list of rows', sql }, bytes);
  }
  await warehouse.run({
    name: 'list rows by place',
    sql: `INSERT INTO ${lists}.now (\`table\`, hash, part, place)
     SELECT '${table.name}', ${rowHash(table)}, _part, _part_offset FROM ${copy}.${table.name}`,
  });
  await warehouse.run({
    name: 'list changed rows',
    sql: `INSERT INTO ${lists}.list (\`table\`, ${LIST_COLUMNS})
     SELECT '${table.name}', hash, toUInt32(sum(before)) AS was, toUInt32(sum(after)) AS now FROM (
       SELECT hash, toInt64(now) - toInt64(was) AS before, 0 AS after FROM ${lists}.was WHERE ${own}
       UNION ALL SELECT hash, 0 AS before, 1 AS after FROM ${lists}.now WHERE ${own}
     ) GROUP BY hash HAVING was != now ${BOUNDED}`,
  });
  await warehouse.run({
    name: 'list new rows',
    sql: `INSERT INTO ${lists}.new (\`table\`, part, place) SELECT '${table.name}', part, place FROM ${lists}.now
     WHERE ${own} AND hash IN (SELECT hash FROM ${lists}.list WHERE ${own})`,
  });
  const rows = await warehouse.ask(
    NEW_ROWS(
      `SELECT n.part AS part, toString(n.first) AS first, toString(n.rows) AS rows,
       toString(intDiv(p.data_uncompressed_bytes, p.rows)) AS mean
     FROM (
       SELECT part, intDiv(place, ${STEP}) * ${STEP} AS first, count() AS rows FROM ${lists}.new WHERE ${own} GROUP BY part, first
     ) AS n
     INNER JOIN system.parts AS p ON p.name = n.part
     WHERE p.database = {database:String} AND p.table = {table:String} AND p.active
     ORDER BY p.partition_id, p.min_block_number, n.first`,
      { database: copy, table: table.name },
    ),
  );
  return {
    chunks: chunksOf(
      rows.map(({ part, ...place }) => ({ part, first: +place.first, rows: +place.rows, mean: +place.mean })),
    ),
    only: ({ part, from, to }) =>
      `_part_offset IN (SELECT place FROM ${lists}.new WHERE ${own} AND part = '${part}' AND place >= ${from} AND place < ${to})`,
  };
}

/** Joins steps of parts until they have the bytes of a chunk. */
export function chunksOf(
  steps: readonly { part: string; first: number; rows: number; mean: number }[],
  most = CHUNK_BYTES,
): Chunk[] {
  const chunks: { ranges: PartRange[]; rows: number; bytes: number }[] = [];
  for (const { part, first, rows, mean } of steps) {
    let chunk = chunks.at(-1);
    if (chunk === undefined || chunk.bytes >= most) chunks.push((chunk = { ranges: [], rows: 0, bytes: 0 }));
    const last = chunk.ranges.at(-1);
    if (last?.part === part && last.to === first) last.to = first + STEP;
    else chunk.ranges.push({ part, from: first, to: first + STEP });
    chunk.rows += rows;
    chunk.bytes += rows * mean;
  }
  return chunks.map(({ ranges, rows }) => ({ ranges, rows }));
}

/** The list in slices of a bounded size: hashes are spread evenly. */
export async function readList({ warehouse, lists, table }: ListedTable): Promise<ListSlice[]> {
  const list = `${lists}.list WHERE \`table\` = '${table.name}'`;
  const [found] = await warehouse.ask(LISTED(`SELECT toString(count()) AS entries FROM ${list}`));
  const entries = Number(found?.entries ?? 0);
  const slices = BigInt(Math.ceil(entries / SLICE_ROWS));
  const edge = (slice: bigint): bigint => (slice << 64n) / slices;
  return Promise.all(
    Array.from({ length: Number(slices) }, async (_, i): Promise<ListSlice> => {
      const within = `hash BETWEEN ${edge(BigInt(i))} AND ${edge(BigInt(i) + 1n) - 1n}`;
      const [own] = await warehouse.ask(LISTED(`SELECT toString(count()) AS entries FROM ${list} AND ${within}`));
      return {
        rows: Number(own?.entries ?? 0),
        read: () =>
          warehouse.queryBytes({
            name: 'read a list of rows',
            sql: `SELECT ${LIST_COLUMNS} FROM ${list} AND ${within} ORDER BY hash FORMAT Native`,
          }),
      };
    }),
  );
}

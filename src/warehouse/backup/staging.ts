import type { Warehouse } from '../client.js';
import { EVERYWHERE, shardOfRow } from '../cluster/placement.js';
import type { RowServer, RowServers } from '../cluster/row-servers.js';
import { literal, quoted } from '../sql.js';
import { GONE_STRUCTURE } from './row-lists.js';
import { dropDatabase, makeTables } from './snapshot.js';
import { contentOnAll, NOTHING, rowHash, type Content, type StoredTable } from './tables.js';
import { defineQuery, texts } from '../query.js';

/**
 * Tables that rows are loaded into, in databases of their own. Views on the tables of the service would compute from every row that is
 * inserted there; attaching whole partitions does not trigger them.
 */
export interface Staging {
  /** Loads rows of a shard of the source, in the format `Native`, where they are to be. */
  load(table: StoredTable, from: RowSource, rows: Buffer): Promise<void>;
  /** Leaves out rows of earlier links from now on whose hashes are given; the rows that this link has stay. */
  forget(table: StoredTable, from: Required<RowSource>, hashes: Buffer): Promise<void>;
  /** The content of all that was loaded of a table, replaced rows too; only of staging that is summed. */
  loaded(table: StoredTable): Promise<Content>;
  /** Deletes what was loaded of a table. */
  clear(table: StoredTable): Promise<void>;
  /** Moves the rows into the service's table; harmless to repeat. */
  putInPlace(table: StoredTable): Promise<void>;
  drop(): Promise<void>;
}

/** Where rows come from: a shard of the source, and with several backups the number of theirs. */
export interface RowSource {
  shard: number;
  link?: number;
}

export interface StagingOptions {
  /** The database. */
  at: string;
  /** Keeps what an earlier try has loaded, instead of dropping it. */
  isKept?: boolean;
  /** Every row goes to its own shard: the source has another number of them. Otherwise rows stay on the shard that they had. */
  isPlaced: boolean;
  /** Sums up what is loaded. */
  isSummed?: boolean;
}

/** Makes it on every server. */
export async function createStaging(
  servers: RowServers,
  tables: readonly StoredTable[],
  { at, isKept = false, isPlaced, isSummed = false }: StagingOptions,
): Promise<Staging> {
  const { rows: into, holders, cluster, shards } = servers;
  const [first] = holders;
  if (first === undefined) throw new RangeError('there is no server');
  const onHolders = async (work: (server: RowServer) => Promise<void>): Promise<void> => {
    await Promise.all(holders.map(work));
  };
  const placed = placedOf(at);
  const gone = `${at}.gone__rows`;
  const sums = `${at}.loaded__rows`;
  /** The newest list of a table of a shard. */
  const newest = new Map<string, number>();
  const keyOf = ({ name }: StoredTable, shard: number): string => `${name} ${shard}`;
  if (!isKept) {
    // Without TTLs, so that no row expires before contents are compared. The service's tables have them.
    await Promise.all(servers.all.map(({ warehouse }) => makeTables(warehouse, { from: into, into: at, tables })));
    if (isPlaced && shards > 1) {
      await dropDatabase(first.warehouse, placed);
      await first.warehouse.run({ name: 'create a database', sql: `CREATE DATABASE ${placed} ENGINE = Atomic` });
      for (const { name } of tables.filter((table) => !EVERYWHERE.includes(table.name)))
        await first.warehouse.run({
          name: 'create a table that places rows',
          sql: `CREATE TABLE ${placed}.${name} AS ${at}.${name}
           ENGINE = Distributed('${cluster}', '${at}', '${name}', ${shardOfRow(name, shards)})`,
        });
    }
  }
  if (isSummed) await onHolders(({ warehouse }) => sumLoaded(warehouse, tables, { at, sums }));
  return {
    async load(table, { shard, link = 0 }, rows) {
      const name = `${at}.${table.name}`;
      const later = `SELECT hash FROM ${gone} WHERE \`table\` = '${table.name}' AND shard = ${shard} AND link > ${link}`;
      const except = (newest.get(keyOf(table, shard)) ?? 0) > link ? later : undefined;
      if (EVERYWHERE.includes(table.name))
        await onHolders(({ warehouse }) => insertNative(warehouse, name, table, rows, except));
      else if (isPlaced && shards > 1)
        await insertNative(first.warehouse, `${placed}.${table.name}`, table, rows, except);
      else await insertNative((holders[isPlaced ? 0 : shard - 1] ?? first).warehouse, name, table, rows, except);
    },
    async forget(table, { shard, link }, hashes) {
      await onHolders(async ({ warehouse }) => {
        await warehouse.run({
          name: 'create the list of rows to forget',
          sql: `CREATE TABLE IF NOT EXISTS ${gone} (\`table\` LowCardinality(String), shard UInt32, link UInt32, hash UInt64)
           ENGINE = MergeTree ORDER BY (\`table\`, shard, link)`,
        });
        const sql = `INSERT INTO ${gone} (\`table\`, shard, link, hash)
           SELECT '${table.name}', ${shard}, ${link}, hash FROM input('${GONE_STRUCTURE}') FORMAT Native`;
        await warehouse.insertBytes({ name: 'list rows to forget', sql }, hashes);
      });
      newest.set(keyOf(table, shard), link);
    },
    loaded: (table) =>
      contentOnAll(servers, table, async (warehouse) => {
        const sql = `SELECT toString(sum(rows)) AS rows, toString(sum(hash)) AS hash FROM ${sums} WHERE \`table\` = {table:String}`;
        return (await warehouse.ask(LOADED(sql, { table: table.name })))[0] ?? NOTHING;
      }),
    clear: ({ name }) => onHolders(({ warehouse }) => truncate(warehouse, `${at}.${name}`)),
    putInPlace: (table) =>
      onHolders(async ({ warehouse }) => {
        // Each shard notes in rows without a shop until when its hours are counted. Other shards count from the log again.
        if (isPlaced && table.name === 'push_hours')
          await warehouse.run({ name: 'clear counted hours', sql: `DELETE FROM ${at}.push_hours WHERE shop_id = ''` });
        await putInPlace(warehouse, { at, into, table });
      }),
    drop: () => dropStaging(servers, at),
  };
}

/** By views: they see every row that is inserted, also those that a merge or the insert itself leaves out as replaced. */
async function sumLoaded(
  warehouse: Warehouse,
  tables: readonly StoredTable[],
  { at, sums }: { at: string; sums: string },
): Promise<void> {
  await warehouse.run({
    name: 'create the sums of what is loaded',
    sql: `CREATE TABLE ${sums} (\`table\` LowCardinality(String), rows UInt64, hash UInt64) ENGINE = MergeTree ORDER BY \`table\``,
  });
  for (const table of tables)
    await warehouse.run({
      name: 'sum up what is loaded',
      sql: `CREATE MATERIALIZED VIEW ${at}.${table.name}__sums TO ${sums} AS
       SELECT '${table.name}' AS \`table\`, count() AS rows, sum(${rowHash(table)}) AS hash FROM ${at}.${table.name}`,
    });
}

/** Harmless to repeat. */
export async function dropStaging(servers: RowServers, at: string): Promise<void> {
  const [first] = servers.holders;
  if (first !== undefined) await dropDatabase(first.warehouse, placedOf(at));
  await Promise.all(servers.all.map(({ warehouse }) => dropDatabase(warehouse, at)));
}

/** The database of the tables that place rows. */
const placedOf = (at: string): string => `${at}_placed`;

const truncate = (warehouse: Warehouse, table: string): Promise<void> =>
  warehouse.run({ name: 'truncate a table', sql: `TRUNCATE TABLE ${table} SETTINGS max_table_size_to_drop = 0` });

const LOADED = defineQuery('content of what is loaded', texts('rows', 'hash'));
const STAGED_TABLES = defineQuery('staged tables', texts('tables'));
const STAGED_PARTITIONS = defineQuery('staged partitions', texts('id'));

async function putInPlace(
  warehouse: Warehouse,
  { at, into, table: { name } }: { at: string; into: string; table: StoredTable },
): Promise<void> {
  const [staged] = await warehouse.ask(
    STAGED_TABLES(
      'SELECT count() AS tables FROM system.tables WHERE database = {database:String} AND name = {table:String}',
      { database: at, table: name },
    ),
  );
  // Else a process that was suspended while another one finished would delete all rows.
  if (staged?.tables !== '1') throw new RangeError(`there is no ${at}.${name} to put in place`);
  const partitions = await warehouse.ask(
    STAGED_PARTITIONS(
      `SELECT DISTINCT partition_id AS id FROM system.parts
     WHERE database = {database:String} AND table = {table:String} AND active ORDER BY id`,
      { database: at, table: name },
    ),
  );
  // The table has rows that workers write in an empty deployment, or those of an earlier try.
  await truncate(warehouse, `${into}.${name}`);
  for (const { id } of partitions) {
    await warehouse.run({
      name: 'put a partition in place',
      sql: `ALTER TABLE ${into}.${name} REPLACE PARTITION ID '${id}' FROM ${at}.${name}`,
    });
  }
}

/**
 * Inserts rows in the format `Native`, of any number of partitions.
 *
 * @param except a query of the hashes of rows that are left out
 */
export function insertNative(
  warehouse: Warehouse,
  name: string,
  table: StoredTable,
  rows: Buffer,
  except?: string,
): Promise<void> {
  const columns = quoted(table.columns);
  const settings = 'max_partitions_per_insert_block = 0, distributed_foreground_insert = 1';
  const chosen =
    except === undefined
      ? ''
      : `SELECT ${columns} FROM input(${literal(table.structure)}) WHERE ${rowHash(table)} NOT IN (${except})`;
  const sql = `INSERT INTO ${name} (${columns}) SETTINGS ${settings} ${chosen} FORMAT Native`;
  return warehouse.insertBytes({ name: 'load rows', sql }, rows);
}

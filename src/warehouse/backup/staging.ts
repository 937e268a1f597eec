import type { Warehouse } from '../client.js';
import { EVERYWHERE, shardOfRow } from '../cluster/placement.js';
import type { RowServer, RowServers } from '../cluster/row-servers.js';
import { literal, quoted } from '../sql.js';
import { LIST_STRUCTURE } from './row-lists.js';
import { dropDatabase, makeTables } from './snapshot.js';
import { rowHash, type StoredTable } from './tables.js';
import { defineQuery, texts } from '../query.js';

/**
 * Tables that rows are loaded into, in databases of their own. Views on the tables of the service would compute from every row that is
 * inserted there; attaching whole partitions does not trigger them.
 */
export interface Staging {
  /** Loads rows of a shard of the source, in the format `Native`, where they are to be. */
  load(table: StoredTable, from: RowSource, rows: Buffer): Promise<void>;
  /** Leaves out rows of earlier links from now on that the list of this one (see `row-lists.ts`) says to have been there before. */
  forget(table: StoredTable, from: Required<RowSource>, list: Buffer): Promise<void>;
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
}

/** Makes it on every server. */
export async function createStaging(
  servers: RowServers,
  tables: readonly StoredTable[],
  { at, isKept = false, isPlaced }: StagingOptions,
): Promise<Staging> {
  const { rows: into, holders, cluster, shards } = servers;
  const [first] = holders;
  if (first === undefined) throw new RangeError('there is no server');
  const onHolders = async (work: (server: RowServer) => Promise<void>): Promise<void> => {
    await Promise.all(holders.map(work));
  };
  const placed = placedOf(at);
  const gone = `${at}.gone__rows`;
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
    async forget(table, { shard, link }, list) {
      await onHolders(async ({ warehouse }) => {
        await warehouse.run({
          name: 'create the list of rows to forget',
          sql: `CREATE TABLE IF NOT EXISTS ${gone} (\`table\` LowCardinality(String), shard UInt32, link UInt32, hash UInt64)
           ENGINE = MergeTree ORDER BY (\`table\`, shard, link)`,
        });
        const sql = `INSERT INTO ${gone} (\`table\`, shard, link, hash)
           SELECT '${table.name}', ${shard}, ${link}, hash FROM input('${LIST_STRUCTURE}') WHERE was > 0 FORMAT Native`;
        await warehouse.insertBytes({ name: 'list rows to forget', sql }, list);
      });
      newest.set(keyOf(table, shard), link);
    },
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

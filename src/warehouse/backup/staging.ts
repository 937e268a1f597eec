import type { Warehouse } from '../client.js';
import type { RowServer, RowServers } from '../cluster/row-servers.js';
import { quoted } from '../sql.js';
import { dropDatabase, makeTables } from './snapshot.js';
import { contentOf, isEverywhere, sumOf, type Content, type StoredTable } from './tables.js';

/**
 * Tables that rows are loaded into, in databases of their own. Views on the tables of the service would compute from every row that is
 * inserted there; attaching whole partitions does not trigger them.
 */
export interface Staging {
  /** Loads rows of a shard of the backup, in the format `Native`. */
  load(table: StoredTable, shard: number, rows: Buffer): Promise<void>;
  /** The content of the table on all servers. */
  contentOf(table: StoredTable): Promise<Content>;
  /** Moves the rows into the service's table; harmless to repeat. */
  putInPlace(table: StoredTable): Promise<void>;
  drop(): Promise<void>;
}

/** Staging for the number of shards that the backup has: each shard gets its own rows. What an earlier try left is dropped. */
export async function createStaging(servers: RowServers, tables: readonly StoredTable[]): Promise<Staging> {
  const at = `${servers.rows}_restore`;
  const onAll = async (work: (server: RowServer) => Promise<void>): Promise<void> => {
    await Promise.all(servers.all.map(work));
  };
  // Without TTLs, so that no row expires before contents are compared. The service's tables have them.
  await onAll(({ warehouse }) => makeTables(warehouse, { from: servers.rows, into: at, tables }));
  return {
    load: (table, from, rows) =>
      onAll(async ({ warehouse, shard }) => {
        if (isEverywhere(table) || shard === from) await insertNative(warehouse, `${at}.${table.name}`, table, rows);
      }),
    contentOf: (table) => contentOnAll(servers, at, table),
    putInPlace: (table) => onAll(({ warehouse }) => putInPlace(warehouse, { at, into: servers.rows, table })),
    drop: () => onAll(({ warehouse }) => dropDatabase(warehouse, at)),
  };
}

/** The content of a table on all servers; of a table that is everywhere, that of any one. Throws a RangeError if these differ. */
export async function contentOnAll(servers: RowServers, database: string, table: StoredTable): Promise<Content> {
  const contents = await Promise.all(servers.holders.map(({ warehouse }) => contentOf(warehouse, database, table)));
  const [first] = contents;
  if (first === undefined || !isEverywhere(table)) return sumOf(contents);
  if (contents.some(({ hash }) => hash !== first.hash)) throw new RangeError(`the servers differ about ${table.name}`);
  return first;
}

export async function putInPlace(
  warehouse: Warehouse,
  { at, into, table: { name } }: { at: string; into: string; table: StoredTable },
): Promise<void> {
  const [staged] = await warehouse.query<{ tables: string }>(
    'SELECT count() AS tables FROM system.tables WHERE database = {database:String} AND name = {table:String}',
    { database: at, table: name },
  );
  // Else a process that was suspended while another one finished would delete all rows.
  if (staged?.tables !== '1') throw new RangeError(`there is no ${at}.${name} to put in place`);
  const partitions = await warehouse.query<{ id: string }>(
    `SELECT DISTINCT partition_id AS id FROM system.parts
     WHERE database = {database:String} AND table = {table:String} AND active ORDER BY id`,
    { database: at, table: name },
  );
  // The table has rows that workers write in an empty deployment, or during a move all of its old rows.
  await warehouse.command(`TRUNCATE TABLE ${into}.${name} SETTINGS max_table_size_to_drop = 0`);
  for (const { id } of partitions) {
    await warehouse.command(`ALTER TABLE ${into}.${name} REPLACE PARTITION ID '${id}' FROM ${at}.${name}`);
  }
}

/** Inserts rows in the format `Native`, of any number of partitions. */
export function insertNative(
  warehouse: Warehouse,
  name: string,
  { columns }: StoredTable,
  rows: Buffer,
): Promise<void> {
  const settings = 'max_partitions_per_insert_block = 0, distributed_foreground_insert = 1';
  return warehouse.insertBytes(`INSERT INTO ${name} (${quoted(columns)}) SETTINGS ${settings} FORMAT Native`, rows);
}

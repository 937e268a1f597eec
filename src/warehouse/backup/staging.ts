import type { Warehouse } from '../client.js';
import { PLACEMENT } from '../cluster/placement.js';
import type { RowServer, RowServers } from '../cluster/row-servers.js';
import { dropDatabase, makeTables } from './snapshot.js';
import { contentOf, quoted, sumOf, type Content, type StoredTable } from './tables.js';

/**
 * Tables in databases of their own that rows are loaded into. Views look at the tables of the service and would compute
 * from each row that is inserted there; whole partitions that are put in place pass them by.
 */
export interface Staging {
  /** Rows in the format `Native` that a shard of the backup held. */
  load(table: StoredTable, shard: number, rows: Buffer): Promise<void>;
  /** Once all is loaded: computes what is not. */
  compute?(options: ComputeOptions): Promise<void>;
  /** What all servers hold of the table; null where it is not loaded but computed. */
  contentOf(table: StoredTable): Promise<Content | null>;
  /** Makes the rows those of the service's table; harmless to repeat. */
  putInPlace(table: StoredTable): Promise<void>;
  drop(): Promise<void>;
}

export interface ComputeOptions {
  signal: AbortSignal;
  /** Told how many days are computed. */
  onDays: (days: number) => void;
}

/** For as many shards as the backup is of: what one held goes to the same. What an earlier try left there is dropped. */
export async function createStaging(servers: RowServers, tables: readonly StoredTable[]): Promise<Staging> {
  const at = `${servers.rows}_restore`;
  const onAll = async (work: (server: RowServer) => Promise<void>): Promise<void> => {
    await Promise.all(servers.all.map(work));
  };
  // What has come of age since the backup ends where it is put, and not before it was compared.
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

export const isEverywhere = ({ name }: StoredTable): boolean => PLACEMENT[name] === 'everywhere';

/** Of a table that is everywhere, what each server has. Throws a RangeError where they differ. */
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
  const partitions = await warehouse.query<{ id: string }>(
    `SELECT DISTINCT partition_id AS id FROM system.parts
     WHERE database = {database:String} AND table = {table:String} AND active ORDER BY id`,
    { database: at, table: name },
  );
  // What workers note in an empty deployment is not of the backup; a move to other shards finds all rows there.
  await warehouse.command(`TRUNCATE TABLE ${into}.${name} SETTINGS max_table_size_to_drop = 0`);
  for (const { id } of partitions) {
    await warehouse.command(`ALTER TABLE ${into}.${name} REPLACE PARTITION ID '${id}' FROM ${at}.${name}`);
  }
}

/** Rows in the format `Native`, of whatever partitions. */
export function insertNative(
  warehouse: Warehouse,
  name: string,
  { columns }: StoredTable,
  rows: Buffer,
): Promise<void> {
  const settings = 'max_partitions_per_insert_block = 0, distributed_foreground_insert = 1';
  return warehouse.insertBytes(`INSERT INTO ${name} (${quoted(columns)}) SETTINGS ${settings} FORMAT Native`, rows);
}

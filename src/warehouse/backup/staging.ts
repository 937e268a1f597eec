import type { Warehouse } from '../client.js';
import { dropDatabase, makeTables } from './snapshot.js';
import { quoted, type StoredTable } from './tables.js';

/**
 * Tables in a database of their own that rows are loaded into. Views look at the tables of the service and would compute
 * from each row that is inserted there; whole partitions that are put in place pass them by.
 */
export interface Staging {
  /** Rows in the format `Native`. */
  load(table: StoredTable, rows: Buffer): Promise<void>;
  /** Makes the rows those of the service's table; harmless to repeat. */
  putInPlace(table: StoredTable): Promise<void>;
  drop(): Promise<void>;
}

/** Makes the tables; what an earlier try left there is dropped. */
export async function createStaging(
  warehouse: Warehouse,
  { into, at, tables }: { into: string; at: string; tables: readonly StoredTable[] },
): Promise<Staging> {
  // What has come of age since the backup ends where it is put, and not before it was compared.
  await makeTables(warehouse, { from: into, into: at, tables });
  return {
    load: (table, rows) => insertNative(warehouse, `${at}.${table.name}`, table, rows),
    async putInPlace({ name }) {
      const partitions = await warehouse.query<{ id: string }>(
        `SELECT DISTINCT partition_id AS id FROM system.parts
         WHERE database = {database:String} AND table = {table:String} AND active ORDER BY id`,
        { database: at, table: name },
      );
      // What workers note in an empty deployment is not of the backup.
      await warehouse.command(`TRUNCATE TABLE ${into}.${name}`);
      for (const { id } of partitions) {
        await warehouse.command(`ALTER TABLE ${into}.${name} REPLACE PARTITION ID '${id}' FROM ${at}.${name}`);
      }
    },
    drop: () => dropDatabase(warehouse, at),
  };
}

/** Rows in the format `Native`, of whatever partitions. */
export function insertNative(
  warehouse: Warehouse,
  name: string,
  { columns }: StoredTable,
  rows: Buffer,
): Promise<void> {
  const settings = 'max_partitions_per_insert_block = 0';
  return warehouse.insertBytes(`INSERT INTO ${name} (${quoted(columns)}) SETTINGS ${settings} FORMAT Native`, rows);
}

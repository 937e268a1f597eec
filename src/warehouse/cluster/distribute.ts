import { Type } from 'typebox';
import { hash } from 'node:crypto';
import type { Warehouse } from '../client.js';
import { noteChecksum } from '../migrations/migrations.js';
import { EVERYWHERE, shardOfRow } from './placement.js';
import { defineQuery, texts } from '../query.js';

/**
 * On shards, each server has the tables of the schema in a database of their own, whose views read and write the rows of that shard. The
 * service's database has Distributed tables of the same names over them, for questions about all shops.
 */
export const localDatabase = (database: string): string => `${database}_local`;

export interface Shards {
  /** The service's own. */
  database: string;
  cluster: string;
  /** How many. */
  shards: number;
}

/** The statement that makes the Distributed table of one table. */
export function distributed(table: string, { database, cluster, shards }: Shards): string {
  const local = localDatabase(database);
  return `CREATE OR REPLACE TABLE ${database}.${table} AS ${local}.${table}
    ENGINE = Distributed('${cluster}', '${local}', '${table}', ${shardOfRow(table, shards)})`;
}

/** A table of one server. */
export interface LocalTable {
  name: string;
  /** All of them, computed ones too. */
  columns: readonly string[];
  engine: string;
}

/** Tables or views over local tables. */
interface Layer {
  /** Prefix of their names in `schema_migrations`. */
  known: string;
  /** The database that they are made in. */
  database: string;
  isOver: (table: string) => boolean;
  statements: (table: LocalTable) => readonly string[];
}

const LOCAL_TABLES = defineQuery('local tables', {
  ...texts('name', 'engine', 'text'),
  columns: Type.Array(Type.String()),
  known: Type.String(),
  there: Type.Array(Type.String()),
  is_there: Type.Number(),
});

/**
 * Makes those that are missing, or were made by other statements or over other columns; harmless to repeat. `local` is a connection
 * to the local database of a server, whose migrations are done.
 */
export async function bringUp(local: Warehouse, { known: prefix, database, isOver, statements }: Layer): Promise<void> {
  const found = await local.ask(
    LOCAL_TABLES(
      `SELECT t.name AS name, t.engine AS engine, t.create_table_query AS text, c.columns AS columns, m.checksum AS known,
       (SELECT groupArray(name) FROM system.tables WHERE database = {database:String}) AS there, has(there, t.name) AS is_there
     FROM system.tables AS t
     INNER JOIN (
       SELECT table, groupArray(name) AS columns FROM system.columns WHERE database = currentDatabase() GROUP BY table
     ) AS c ON c.table = t.name
     LEFT JOIN (SELECT name, checksum FROM schema_migrations FINAL) AS m ON m.name = concat({prefix:String}, t.name)
     WHERE t.database = currentDatabase() AND (t.engine LIKE '%MergeTree' OR t.engine = 'Null')`,
      { database, prefix },
    ),
  );
  for (const { text, known, is_there, ...table } of found.filter(({ name }) => isOver(name))) {
    const made = statements(table);
    const checksum = hash('sha256', [...made, text].join('\n'));
    if (is_there === 1 && known === checksum) continue;
    for (const statement of made) await local.run({ name: 'distribute a table', sql: statement });
    await noteChecksum(local, `${prefix}${table.name}`, checksum);
  }
}

/** Makes the Distributed tables of the service on one server. */
export const distribute = (local: Warehouse, options: Shards): Promise<void> =>
  bringUp(local, {
    known: 'distributed/',
    database: options.database,
    isOver: (table) => !EVERYWHERE.includes(table),
    statements: ({ name }) => [distributed(name, options)],
  });

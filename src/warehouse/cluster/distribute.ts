import { hash } from 'node:crypto';
import type { Warehouse } from '../client.js';
import { PLACEMENT, shardOf } from './placement.js';

/**
 * On shards, each server has the tables of the migrations in a database of their own, whose views read and write the rows of that
 * shard. The service's database has Distributed tables of the same names over them, so that the service uses the same statements as
 * on a single server.
 */
export const localDatabase = (database: string): string => `${database}_local`;

/** The cluster in `remote_servers` whose one shard has all servers as its replicas. */
export const everywhere = (cluster: string): string => `${cluster}_everywhere`;

export interface Shards {
  /** The service's own. */
  database: string;
  cluster: string;
  /** How many. */
  shards: number;
}

/** The statement that makes the Distributed table of one table. */
export function distributed(table: string, options: Shards): string {
  const placement = PLACEMENT[table];
  if (placement === undefined) throw new RangeError(`the table ${table} has no place among shards`);
  if (placement === 'everywhere')
    return distributedOver(table, undefined, { ...options, cluster: everywhere(options.cluster) });
  return distributedOver(table, placement === 'views' ? undefined : shardOf(placement, options.shards), options);
}

/** The same; `shard` is an expression for the shard of a row, from 0. Without one, inserts are refused unless there is one shard. */
export function distributedOver(
  table: string,
  shard: string | undefined,
  { database, cluster }: Omit<Shards, 'shards'>,
): string {
  const local = localDatabase(database);
  return `CREATE OR REPLACE TABLE ${database}.${table} AS ${local}.${table}
    ENGINE = Distributed('${cluster}', '${local}', '${table}'${shard === undefined ? '' : `, ${shard}`})`;
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
  tables: readonly string[];
  statements: (table: LocalTable) => readonly string[];
}

/**
 * Makes those that are missing, or were made by other statements or over other columns; harmless to repeat. `local` is a connection
 * to the local database of a server, whose migrations are done.
 */
export async function bringUp(local: Warehouse, { known: prefix, database, tables, statements }: Layer): Promise<void> {
  const found = await local.query<LocalTable & { text: string; known: string; is_there: number }>(
    `SELECT t.name AS name, t.engine AS engine, t.create_table_query AS text, c.columns AS columns, m.checksum AS known,
       (SELECT groupArray(name) FROM system.tables WHERE database = {database:String}) AS there, has(there, t.name) AS is_there
     FROM system.tables AS t
     INNER JOIN (
       SELECT table, groupArray(name) AS columns FROM system.columns WHERE database = currentDatabase() GROUP BY table
     ) AS c ON c.table = t.name
     LEFT JOIN (SELECT name, checksum FROM schema_migrations FINAL) AS m ON m.name = concat({prefix:String}, t.name)
     WHERE t.database = currentDatabase() AND t.name IN {tables:Array(String)}`,
    { tables: [...tables], database, prefix },
  );
  for (const { text, known, is_there, ...table } of found) {
    const made = statements(table);
    const checksum = hash('sha256', [...made, text].join('\n'));
    if (is_there === 1 && known === checksum) continue;
    for (const statement of made) await local.command(statement);
    await local.insert('schema_migrations', [{ name: `${prefix}${table.name}`, checksum }]);
  }
}

/** The tables of the service on one server, each made by one statement. */
export const bringUpTables = (
  local: Warehouse,
  database: string,
  statement: (table: string) => string,
): Promise<void> =>
  bringUp(local, {
    known: 'distributed/',
    database,
    tables: Object.keys(PLACEMENT),
    statements: ({ name }) => [statement(name)],
  });

/** Makes the Distributed tables of the service on one server. */
export const distribute = (local: Warehouse, options: Shards): Promise<void> =>
  bringUpTables(local, options.database, (table) => distributed(table, options));

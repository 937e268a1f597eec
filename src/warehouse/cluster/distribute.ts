import { createHash } from 'node:crypto';
import type { Warehouse } from '../client.js';
import { PLACEMENT, shardOf } from './placement.js';

/**
 * Where there are shards, each server has the tables of the migrations in a database of their own, whose views read and write
 * the rows of that shard. The service's database has Distributed tables of the same names over them, so that every statement
 * of the service is the one of a single server.
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

/** The statement of one table. */
export function distributed(table: string, { database, cluster, shards }: Shards): string {
  const placement = PLACEMENT[table];
  if (placement === undefined) throw new RangeError(`the table ${table} has no place among shards`);
  const local = localDatabase(database);
  const isEverywhere = placement === 'everywhere';
  // Without a key an insert is refused; on the one shard that is everywhere no key is needed.
  const key = isEverywhere || placement === 'views' ? '' : `, ${shardOf(placement, shards)}`;
  return `CREATE OR REPLACE TABLE ${database}.${table} AS ${local}.${table}
    ENGINE = Distributed('${isEverywhere ? everywhere(cluster) : cluster}', '${local}', '${table}'${key})`;
}

/**
 * Brings the Distributed tables of one server up to its local tables; harmless to repeat. `local` is a connection to the local
 * database of that server, where its migrations are done.
 */
export async function distribute(local: Warehouse, options: Shards): Promise<void> {
  const tables = await local.query<{ name: string; columns: string; known: string; is_there: number }>(
    `SELECT t.name AS name, t.create_table_query AS columns, m.checksum AS known,
       (SELECT groupArray(name) FROM system.tables WHERE database = {database:String}) AS there, has(there, t.name) AS is_there
     FROM system.tables AS t
     LEFT JOIN (SELECT name, checksum FROM schema_migrations FINAL) AS m ON m.name = concat('distributed/', t.name)
     WHERE t.database = currentDatabase() AND t.name IN {tables:Array(String)}`,
    { tables: Object.keys(PLACEMENT), database: options.database },
  );
  for (const { name, columns, known, is_there } of tables) {
    const statement = distributed(name, options);
    const checksum = createHash('sha256').update(`${statement}\n${columns}`).digest('hex');
    if (is_there === 1 && known === checksum) continue;
    await local.command(statement);
    await local.insert('schema_migrations', [{ name: `distributed/${name}`, checksum }]);
  }
}

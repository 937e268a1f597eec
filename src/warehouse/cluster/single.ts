import type { Warehouse } from '../client.js';
import { ClusterError } from '../migrations/cluster.js';
import { localDatabase } from './distribute.js';

/** The database of a single server's tables while they become those of a shard. */
export const singleDatabase = (database: string): string => `${database}_single`;

/** - `between`: the tables of a single server are put aside, but the shard does not have all of them yet. */
export type Form = 'none' | 'single' | 'between' | 'shard';

/** What the tables on a server are, whatever the configuration says. Throws a {@link ClusterError} if this can't be told. */
export async function formOf(server: Warehouse, database: string): Promise<Form> {
  const [single, local] = [singleDatabase(database), localDatabase(database)];
  const rows = await server.query<{ at: string }>(
    `SELECT database AS at FROM system.tables
     WHERE name = 'schema_migrations' AND database IN {databases:Array(String)}`,
    { databases: [database, single, local] },
  );
  const found = new Set(rows.map(({ at }) => at));
  if (found.has(single) && found.has(database))
    throw new ClusterError(
      `both "${database}" and "${single}" have tables of a single server: drop the ones without its rows`,
    );
  if (found.has(single)) return 'between';
  // A server that is becoming a shard has both databases.
  if (found.has(database)) return 'single';
  return found.has(local) ? 'shard' : 'none';
}

/** Throws a {@link ClusterError} if a server that should be a single one is a shard: it would get a second set of tables. */
export async function requireSingle(server: Warehouse, database: string): Promise<void> {
  const form = await formOf(server, database);
  if (form === 'shard') {
    throw new ClusterError(
      `the tables of "${database}" are those of a shard: set CLICKHOUSE_CLUSTER and CLICKHOUSE_NODES`,
    );
  }
  if (form === 'between') {
    throw new ClusterError(
      `the tables of "${database}" are becoming those of a shard, or that was cut off: end it with profit cluster adopt, run as before`,
    );
  }
}

/** Throws a {@link ClusterError} if a server that should be a shard has the tables of a single server: they would be replaced. */
export async function requireNotSingle(
  server: Warehouse,
  { name, database }: { name: string; database: string },
): Promise<void> {
  if (!['single', 'between'].includes(await formOf(server, database))) return;
  throw new ClusterError(
    `${name} has the tables of a single server: make it a shard with profit cluster adopt, in the environment of that service`,
  );
}

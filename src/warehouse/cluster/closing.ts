import { setTimeout as sleep } from 'node:timers/promises';
import type { Warehouse } from '../client.js';
import { BI_SHARDS } from '../bi/access.js';
import { ClusterError } from '../migrations/cluster.js';
import { bringUpTables, localDatabase, type Shards } from './distribute.js';
import { PLACEMENT } from './placement.js';

/**
 * While rows move, the tables of the service themselves refuse statements that would be wrong: first inserts, then all. So it does not
 * matter what a process knows about the move. A refused statement is tried again, see `isRefused` in `../failures.ts`.
 */

/** A statement that makes the table read-only: its engine accepts no rows. */
export function readOnly(table: string, { database, cluster, shards }: Shards): string {
  const local = localDatabase(database);
  const isHere = PLACEMENT[table] === 'everywhere' || shards === 1;
  // Over several shards, a Distributed table without a sharding expression refuses inserts.
  const engine = isHere ? `Merge('${local}', '^${table}$')` : `Distributed('${cluster}', '${local}', '${table}')`;
  return `CREATE OR REPLACE TABLE ${database}.${table} AS ${local}.${table} ENGINE = ${engine}`;
}

/** Makes the tables of the service read-only on a server. `local` is a connection to its local database. */
export const closeWrites = (local: Warehouse, shards: Shards): Promise<void> =>
  bringUpTables(local, shards.database, (table) => readOnly(table, shards));

/** Drops the Distributed tables and waits for queries under way. Throws a {@link ClusterError} if a table there holds rows. */
export async function closeReads(admin: Warehouse, database: string): Promise<void> {
  const [held] = await admin.query<{ name: string }>(
    'SELECT table AS name FROM system.parts WHERE database = {database:String} AND active AND rows > 0 LIMIT 1',
    { database },
  );
  if (held !== undefined) throw new ClusterError(`"${database}.${held.name}" holds rows: it is no table of shards`);
  for (const name of [database, BI_SHARDS]) await admin.command(`DROP DATABASE IF EXISTS ${name} SYNC`);
}

const POLL_MS = 100;
/** Longer than any statement of the service may take. */
const PATIENCE_MS = 10 * 60_000;

/**
 * Resolves when every insert that began before the call has ended. An insert starts others on other servers, so no insert may be
 * found twice in a row. Throws a {@link ClusterError} after `patienceMs`.
 */
export async function insertsAreOver(
  servers: readonly Pick<Warehouse, 'query'>[],
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const since = performance.now();
  const seconds = (): number => (performance.now() - since) / 1_000;
  for (let free = 0; free < 2;) {
    const running = await Promise.all(
      servers.map((server) =>
        server.query<{ running: string }>(
          `SELECT count() AS running FROM system.processes WHERE query_kind = 'Insert' AND elapsed > {seconds:Float64}`,
          { seconds: seconds() },
        ),
      ),
    );
    free = running.every(([row]) => row?.running === '0') ? free + 1 : 0;
    if (seconds() * 1_000 > patienceMs) throw new ClusterError('inserts do not end: look at system.processes');
    await sleep(POLL_MS);
  }
}

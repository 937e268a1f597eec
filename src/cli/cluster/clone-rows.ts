import type { Writable } from 'node:stream';
import { dropDatabase, prepareSnapshot } from '../../warehouse/backup/snapshot.js';
import { insertNative } from '../../warehouse/backup/staging.js';
import { contentOf, countRows, storedTables } from '../../warehouse/backup/tables.js';
import type { Warehouse } from '../../warehouse/client.js';
import { SHARD_MARK } from '../../warehouse/cluster/check-shards.js';
import { MOVE } from '../../warehouse/cluster/move-state.js';
import type { RowServer, RowServers } from '../../warehouse/cluster/row-servers.js';
import { ClusterError } from '../../warehouse/migrations/cluster.js';
import { inTurns } from '../backup/in-turns.js';
import { createProgress } from '../import/progress.js';

export interface Clone {
  source: RowServers;
  /** The server that is filled. */
  server: RowServer;
  /** Another server of its shard, with all rows. */
  sibling: RowServer;
  stderr: Writable & { isTTY?: boolean };
  requireLock: () => Promise<void>;
}

/** The database of the copies until they are in place; nobody reads it. */
export const cloneOf = ({ rows }: RowServers): string => `${rows}_repair`;

/** Chunks that are copied at the same time: each is in memory. */
const AT_ONCE = 2;

/**
 * Copies the tables of the sibling while nobody writes to them, including those that views fill. Gives the statements of its views.
 * Throws a {@link ClusterError} unless the copy has the same content.
 */
export async function cloneRows({ source, server, sibling, stderr, requireLock }: Clone): Promise<string[]> {
  const { rows } = source;
  const at = cloneOf(source);
  const tables = await storedTables(sibling.warehouse, rows);
  const snapshot = await prepareSnapshot(sibling.warehouse, { from: rows, into: at, tables });
  await snapshot.take(tables);
  const chunks = await snapshot.chunks();
  const views = await makeClone({ source, server, sibling });
  await setTtlMerges(server.warehouse, at, 'STOP');
  const total = countRows([...chunks.values()].flat());
  const progress = createProgress({ stream: stderr, label: 'rows', total });
  let done = 0;
  await inTurns(tables, AT_ONCE, async (table) => {
    for (const chunk of chunks.get(table.name) ?? []) {
      const read = await snapshot.read(table, chunk);
      await requireLock();
      await insertNative(server.warehouse, `${at}.${table.name}`, table, read);
      progress.update((done += chunk.rows));
    }
    const [was, is] = await Promise.all([
      contentOf(sibling.warehouse, at, table),
      contentOf(server.warehouse, at, table),
    ]);
    if (was.rows === is.rows && was.hash === is.hash) return;
    throw new ClusterError(`"${table.name}" came to ${is.rows} rows that differ from the ${was.rows} there were`);
  }).finally(() => progress.stop());
  await snapshot.requireUnchanged(chunks);
  return views;
}

/** Makes empty tables like the sibling's, and copies its notes on migrations and its shard. Gives the statements of its views. */
async function makeClone({ source, server, sibling }: Pick<Clone, 'source' | 'server' | 'sibling'>): Promise<string[]> {
  const { rows } = source;
  const at = cloneOf(source);
  const made = await sibling.warehouse.query<{ is_view: number; text: string }>(
    `SELECT engine LIKE '%View' AS is_view, create_table_query AS text FROM system.tables
     WHERE database = {rows:String} ORDER BY name`,
    { rows },
  );
  await dropDatabase(server.warehouse, at);
  await server.warehouse.command(`CREATE DATABASE ${at} ENGINE = Atomic`);
  const start = `CREATE TABLE ${rows}.`;
  for (const { text } of made.filter(({ is_view }) => is_view === 0)) {
    if (!text.startsWith(start)) throw new ClusterError(`not a table of the service: ${text.slice(0, 100)}`);
    await server.warehouse.command(`CREATE TABLE ${at}.${text.slice(start.length)}`);
  }
  const noted = await sibling.warehouse.query<{ name: string; checksum: string; applied_at: string }>(
    `SELECT name, checksum, applied_at FROM ${rows}.schema_migrations FINAL
     WHERE match(name, '^[0-9]{3}_') OR name IN ('${SHARD_MARK}', '${MOVE}')`,
  );
  await server.warehouse.insert(`${at}.schema_migrations`, noted);
  return made.filter(({ is_view }) => is_view === 1).map(({ text }) => text);
}

/** Renames the clone to the database of the server's rows, in one step. From then on it is read. */
export async function placeClone({ source, server }: Clone, views: readonly string[]): Promise<void> {
  await server.warehouse.command(`RENAME DATABASE ${cloneOf(source)} TO ${source.rows}`);
  for (const view of views) await server.warehouse.command(view);
}

/** Stops or starts the deletion of expired rows, so that contents can be compared. */
export async function setTtlMerges(warehouse: Warehouse, database: string, verb: 'STOP' | 'START'): Promise<void> {
  for (const { name, hasTtl } of await storedTables(warehouse, database))
    if (hasTtl) await warehouse.command(`SYSTEM ${verb} TTL MERGES ${database}.${name}`);
}

import type { Writable } from 'node:stream';
import { prepareSnapshot } from '../../warehouse/backup/snapshot.js';
import { insertNative } from '../../warehouse/backup/staging.js';
import { contentOf, storedTables } from '../../warehouse/backup/tables.js';
import type { Warehouse } from '../../warehouse/client.js';
import { MOVE } from '../../warehouse/cluster/move-state.js';
import type { RowServer, RowServers } from '../../warehouse/cluster/row-servers.js';
import { ClusterError } from '../../warehouse/migrations/cluster.js';
import { inTurns } from '../backup/in-turns.js';
import { createProgress } from '../import/progress.js';

export interface Clone {
  source: RowServers;
  /** The one that is filled. */
  server: RowServer;
  /** Another one of its shard, with all rows. */
  sibling: RowServer;
  stderr: Writable & { isTTY?: boolean };
  requireLock: () => Promise<void>;
}

/** Where copies are until they are in place; nobody reads them. */
export const cloneOf = ({ rows }: RowServers): string => `${rows}_repair`;

/** Chunks that are on their way at once: each is held in memory. */
const AT_ONCE = 2;

/**
 * Copies the tables of the sibling, which nobody writes to, as they are: what views wrote there is not computed again. Resolves
 * to the statements of its views. Throws a {@link ClusterError} unless all that came is all that was there.
 */
export async function cloneRows({ source, server, sibling, stderr, requireLock }: Clone): Promise<string[]> {
  const { rows } = source;
  const at = cloneOf(source);
  const tables = await storedTables(sibling.warehouse, rows);
  const snapshot = await prepareSnapshot(sibling.warehouse, { from: rows, into: at, tables });
  await snapshot.take(tables);
  const chunks = await snapshot.chunks();
  const views = await makeClone({ source, server, sibling });
  await keepAged(server.warehouse, at, true);
  const total = [...chunks.values()].flat().reduce((sum, chunk) => sum + chunk.rows, 0);
  const progress = createProgress({ stream: stderr, label: 'rows', total });
  let done = 0;
  await inTurns(tables, AT_ONCE, async (table) => {
    for (const chunk of chunks.get(table.name) ?? []) {
      const read = await snapshot.read(table, chunk);
      await requireLock();
      await insertNative(server.warehouse, `${at}.${table.name}`, table, read);
      progress.update((done += chunk.rows), done);
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

/** Empty tables like those of the sibling, and what it knows of its migrations and its shard. */
async function makeClone({ source, server, sibling }: Pick<Clone, 'source' | 'server' | 'sibling'>): Promise<string[]> {
  const { rows } = source;
  const at = cloneOf(source);
  const made = await sibling.warehouse.query<{ is_view: number; text: string }>(
    `SELECT engine LIKE '%View' AS is_view, create_table_query AS text FROM system.tables
     WHERE database = {rows:String} ORDER BY name`,
    { rows },
  );
  await server.warehouse.command(`DROP DATABASE IF EXISTS ${at} SYNC SETTINGS max_table_size_to_drop = 0`);
  await server.warehouse.command(`CREATE DATABASE ${at} ENGINE = Atomic`);
  const start = `CREATE TABLE ${rows}.`;
  for (const { text } of made.filter(({ is_view }) => is_view === 0)) {
    if (!text.startsWith(start)) throw new ClusterError(`not a table of the service: ${text.slice(0, 100)}`);
    await server.warehouse.command(`CREATE TABLE ${at}.${text.slice(start.length)}`);
  }
  const noted = await sibling.warehouse.query<{ name: string; checksum: string; applied_at: string }>(
    `SELECT name, checksum, applied_at FROM ${rows}.schema_migrations FINAL
     WHERE match(name, '^[0-9]{3}_') OR name IN ('shard', '${MOVE}')`,
  );
  await server.warehouse.insert(`${at}.schema_migrations`, noted);
  return made.filter(({ is_view }) => is_view === 1).map(({ text }) => text);
}

/** Makes the clone the tables of its server at one stroke; then it is read. */
export async function placeClone({ source, server }: Clone, views: readonly string[]): Promise<void> {
  await server.warehouse.command(`RENAME DATABASE ${cloneOf(source)} TO ${source.rows}`);
  for (const view of views) await server.warehouse.command(view);
}

/** What has come of age ends where it is put, and not before it was compared. */
export async function keepAged(warehouse: Warehouse, database: string, isKept: boolean): Promise<void> {
  for (const { name, hasTtl } of await storedTables(warehouse, database))
    if (hasTtl) await warehouse.command(`SYSTEM ${isKept ? 'STOP' : 'START'} TTL MERGES ${database}.${name}`);
}

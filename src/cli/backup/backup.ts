import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { Stores } from '../../composition/stores.js';
import { VERSION } from '../../http/version.js';
import { QUEUES, type QueueName } from '../../queue/jobs.js';
import { readJobs } from '../../queue/kept-jobs.js';
import type { EventsHome } from '../../redis/events-home.js';
import { whileHeld } from '../../redis/flush-hold.js';
import { createKeyState } from '../../redis/keys.js';
import { withLastingLock } from '../../redis/lasting-lock.js';
import { readReservations } from '../../redis/reservations.js';
import { dropDatabase, prepareSnapshot, type Snapshot } from '../../warehouse/backup/snapshot.js';
import { contentOf, NOTHING, schemaOf, type StoredTable } from '../../warehouse/backup/tables.js';
import { PLACEMENT } from '../../warehouse/cluster/placement.js';
import type { RowServer, RowServers } from '../../warehouse/cluster/row-servers.js';
import { createProgress } from '../import/progress.js';
import { requireEventsHome } from './events-home.js';
import { clearFolder, emptyFolder, writeCompressed, writeLines } from './files.js';
import { inTurns } from './in-turns.js';
import { allMarks, inParts } from './marks.js';
import { backupLock } from './lock.js';
import { BackupError, chunkFile, FORMAT, queueFile, stateFile, writeManifest } from './manifest.js';
import type { BackedUpTable, Manifest } from './manifest.js';

export interface BackupOptions {
  servers: RowServers;
  /** Made when it is not there; must be empty. */
  folder: string;
  redisOf: (queue: QueueName) => Stores['redis'];
  eventsHome: EventsHome;
  stderr: Writable & { isTTY?: boolean };
  signal: AbortSignal;
}

/** What is written while no worker writes: the queue, and the tables as they are beside it. */
type Held = Pick<Manifest, 'queues' | 'stamp'> & { state: Manifest['state'] };

/**
 * Writes all that the service knows into a folder, beside the running service. What was acknowledged before this began is in
 * it once; what is acknowledged meanwhile is in it as a whole or not at all.
 *
 * Workers hold back for the moment in which the queue is written and the tables are copied. A job is then in the queue, or
 * all its rows are in the tables; a job that was half written is in both, and a restore writes it again, which changes
 * nothing of what was there. Copies share their files with the tables, so the moment is short however much there is. The
 * marks are read before the copies: what was marked after that comes from a job that is in the queue.
 */
export async function runBackup(stores: Stores, options: BackupOptions): Promise<Manifest> {
  const { servers, folder } = options;
  await requireEventsHome(stores.redis, options.eventsHome);
  if (!(await emptyFolder(folder))) {
    throw new BackupError(`${folder} is not empty: a backup goes into a folder of its own`);
  }
  return withLastingLock(stores.redis, backupLock(servers.database), async () => {
    try {
      return await backUp(stores, options);
    } catch (error) {
      await clearFolder(folder);
      throw error;
    } finally {
      // Else the next backup drops it.
      const drops = servers.holders.map(({ warehouse }) => dropDatabase(warehouse, copyOf(servers)));
      await Promise.allSettled(drops);
    }
  });
}

/** Tables that are read at once: each holds a chunk in memory. */
const AT_ONCE = 4;

const copyOf = ({ rows }: RowServers): string => `${rows}_backup`;

/** The copy of what one shard holds. */
interface ShardCopy extends RowServer {
  tables: readonly StoredTable[];
  snapshot: Snapshot;
}

async function backUp(stores: Stores, options: BackupOptions): Promise<Manifest> {
  const { servers, folder, stderr, signal } = options;
  const { redis } = stores;
  const { migrations, tables } = await schemaOf(servers);
  const copies = await Promise.all(servers.holders.map((holder) => copyShard(servers, holder, tables)));
  signal.throwIfAborted();
  const held = await whileHeld(redis, (requireHold) => writeHeld(stores, { ...options, copies }, requireHold));
  const used = createKeyState(redis).allLastUsed();
  const keysUsed = await writeLines(join(folder, stateFile('keys_used')), inParts(used));

  const read = await Promise.all(copies.map(async (copy) => ({ ...copy, chunks: await copy.snapshot.chunks() })));
  const total = read.flatMap(({ chunks }) => [...chunks.values()].flat()).reduce((sum, { rows }) => sum + rows, 0);
  const progress = createProgress({ stream: stderr, label: 'rows', total });
  let done = 0;
  const writeTable = async ({ copy, table }: { copy: (typeof read)[number]; table: StoredTable }) => {
    const { shard, warehouse, snapshot, chunks } = copy;
    const list = chunks.get(table.name) ?? [];
    const own = { name: table.name, shard };
    if (list.length === 0) return { ...own, ...NOTHING, chunks: [] };
    const kept: BackedUpTable['chunks'] = [];
    for (const [i, chunk] of list.entries()) {
      signal.throwIfAborted();
      const file = join(folder, chunkFile(own, i));
      kept.push({ rows: chunk.rows, ...(await writeCompressed(file, await snapshot.read(table, chunk))) });
      progress.update((done += chunk.rows), done);
    }
    return { ...own, ...(await contentOf(warehouse, copyOf(servers), table)), chunks: kept };
  };
  const list = read.flatMap((copy) => copy.tables.map((table) => ({ copy, table })));
  const written = await inTurns(list, AT_ONCE, writeTable).finally(() => progress.stop());
  for (const { snapshot, chunks } of read) await snapshot.requireUnchanged(chunks);
  const manifest: Manifest = {
    format: FORMAT,
    id: randomUUID(),
    made_at: new Date(stores.now()).toISOString(),
    release: VERSION,
    migrations,
    shards: servers.shards,
    stamp: held.stamp,
    tables: written,
    queues: held.queues,
    state: [...held.state, { name: 'keys_used', ...keysUsed }],
  };
  await writeManifest(folder, manifest);
  return manifest;
}

/** What every server has on all of them is copied once. */
async function copyShard(servers: RowServers, holder: RowServer, tables: readonly StoredTable[]): Promise<ShardCopy> {
  const own = holder.shard === 1 ? tables : tables.filter(({ name }) => PLACEMENT[name] !== 'everywhere');
  const names = { from: servers.rows, into: copyOf(servers) };
  return { ...holder, tables: own, snapshot: await prepareSnapshot(holder.warehouse, { ...names, tables: own }) };
}

async function writeHeld(
  stores: Stores,
  { folder, redisOf, copies }: BackupOptions & { copies: readonly ShardCopy[] },
  requireHold: () => Promise<void>,
): Promise<Held> {
  const queues: Manifest['queues'] = [];
  for (const name of QUEUES) {
    queues.push({ name, ...(await writeLines(join(folder, queueFile(name)), readJobs(redisOf(name), name))) });
  }
  const reservations = await writeLines(join(folder, stateFile('reservations')), readReservations(stores.redis));
  const marks = await writeLines(join(folder, stateFile('marks')), inParts(allMarks(stores)));
  // Orders that are in the queue have locked their source, which the warehouse is to know.
  while (await stores.sources.persistLocks());
  // A table is written before its history.
  for (const isFirst of [true, false]) {
    const take = ({ snapshot, tables }: ShardCopy) =>
      snapshot.take(tables.filter((table) => isHistory(table) === isFirst));
    await Promise.all(copies.map(take));
  }
  const stamp = await stores.takeStamps();
  await requireHold();
  return {
    queues,
    stamp,
    state: [
      { name: 'reservations', ...reservations },
      { name: 'marks', ...marks },
    ],
  };
}

const isHistory = ({ name }: StoredTable): boolean => name.endsWith('_history');

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { Stores } from '../../composition/stores.js';
import { VERSION } from '../../http/version.js';
import { QUEUES, type QueueName } from '../../queue/jobs.js';
import { readJobs } from '../../queue/backup-jobs.js';
import type { EventQueuePlace } from '../../redis/event-queue-place.js';
import { whileHeld, type Hold } from '../../redis/write-fence.js';
import { createKeyState } from '../../redis/keys.js';
import { withLastingLock } from '../../redis/lasting-lock.js';
import { readReservations } from '../../redis/reservations.js';
import { dropDatabase } from '../../warehouse/backup/snapshot.js';
import { contentOf, NOTHING, schemaOf, type StoredTable } from '../../warehouse/backup/tables.js';
import type { RowServers } from '../../warehouse/cluster/row-servers.js';
import { copyTables, type SourceChunk } from '../../operations/copy/copy-tables.js';
import { requireEventQueuePlace } from './event-queue-place.js';
import { clearFolder, makeFolder, writeCompressed, writeLines } from './files.js';
import { inTurns } from '../../operations/copy/in-turns.js';
import { allMarks, flatten } from './marks.js';
import { backupLock } from '../../operations/copy/lock.js';
import { BackupError, chunkFile, FORMAT, queueFile, stateFile, writeManifest } from './manifest.js';
import type { BackedUpTable, Manifest } from './manifest.js';
import { prepareShardCopies, type ShardCopy } from './shard-copies.js';

export interface BackupOptions {
  servers: RowServers;
  /** Made if it is missing; must be empty. */
  folder: string;
  redisOf: (queue: QueueName) => Stores['redis'];
  eventQueuePlace: EventQueuePlace;
  stderr: Writable & { isTTY?: boolean };
  signal: AbortSignal;
}

/** The part of the manifest that is written under the hold, while no worker writes. */
type Held = Pick<Manifest, 'queues' | 'stamp'> & { state: Manifest['state'] };

/**
 * Writes everything that the service holds into a folder, while the service runs. A push that was acknowledged before the start is
 * in it once; one that is acknowledged meanwhile is in it completely or not at all.
 *
 * Workers pause while the queue is written and the tables are copied. So a job is in the queue, or all its rows are in the tables. A job
 * that was half written is in both; a restore writes it again, which changes nothing. Copies share files with the tables, so the
 * pause is short for any amount of data. Marks are read before the copies: later marks come from jobs that are in the queue.
 */
export async function runBackup(stores: Stores, options: BackupOptions): Promise<Manifest> {
  const { servers, folder } = options;
  await requireEventQueuePlace(stores.redis, options.eventQueuePlace);
  if (!(await makeFolder(folder))) {
    throw new BackupError(`${folder} is not empty: a backup goes into a folder of its own`);
  }
  return withLastingLock(stores.redis, backupLock(servers.database), async () => {
    try {
      return await backUp(stores, options);
    } catch (error) {
      await clearFolder(folder);
      throw error;
    } finally {
      // If this fails, the next backup drops it.
      const drops = servers.holders.map(({ warehouse }) => dropDatabase(warehouse, copyOf(servers)));
      await Promise.allSettled(drops);
    }
  });
}

/** Tables whose rows are hashed at the same time. */
const AT_ONCE = 4;

const copyOf = ({ rows }: RowServers): string => `${rows}_backup`;

async function backUp(stores: Stores, options: BackupOptions): Promise<Manifest> {
  const { servers, folder, stderr, signal } = options;
  const { redis } = stores;
  const { migrations, tables } = await schemaOf(servers);
  const copies = await prepareShardCopies(servers, copyOf(servers), tables);
  signal.throwIfAborted();
  const held = await whileHeld(redis, (hold) => writeHeld(stores, { ...options, copies }, hold));
  const used = createKeyState(redis).allLastUsed();
  const keysUsed = await writeLines(join(folder, stateFile('keys_used')), flatten(used));

  const read = await Promise.all(copies.map(async (copy) => ({ ...copy, chunks: await copy.snapshot.chunks() })));
  const sources = read.flatMap(({ tables: own, warehouse, shard, snapshot, chunks }) =>
    own.map((table) => ({
      table,
      warehouse,
      shard,
      kept: new Array<BackedUpTable['chunks'][number]>(),
      chunks: (chunks.get(table.name) ?? []).map((chunk) => ({
        rows: chunk.rows,
        read: () => snapshot.read(table, chunk),
      })),
    })),
  );
  const put = async ({ table: { name }, shard, kept }: (typeof sources)[number], chunk: SourceChunk, bytes: Buffer) => {
    const file = join(folder, chunkFile({ name, shard }, kept.length));
    kept.push({ rows: chunk.rows, ...(await writeCompressed(file, bytes)) });
  };
  await copyTables(sources, put, { stderr, signal });
  const written = await inTurns(sources, AT_ONCE, async ({ table, warehouse, shard, kept }) => {
    const content = kept.length === 0 ? NOTHING : await contentOf(warehouse, copyOf(servers), table);
    return { name: table.name, shard, ...content, chunks: kept };
  });
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

async function writeHeld(
  stores: Stores,
  { folder, redisOf, copies }: BackupOptions & { copies: readonly ShardCopy[] },
  hold: Hold,
): Promise<Held> {
  const queues: Manifest['queues'] = [];
  for (const name of QUEUES) {
    queues.push({ name, ...(await writeLines(join(folder, queueFile(name)), readJobs(redisOf(name), name))) });
  }
  const reservations = await writeLines(join(folder, stateFile('reservations')), readReservations(stores.redis));
  const marks = await writeLines(join(folder, stateFile('marks')), flatten(allMarks(stores)));
  // Orders in the queue have locked their source; the copy must have these locks.
  await stores.fence.pass(async () => {
    while (await stores.sources.persistLocks());
  });
  // A table is written before its history.
  for (const isFirst of [true, false]) {
    const take = ({ snapshot, tables }: ShardCopy) =>
      snapshot.take(tables.filter((table) => isHistory(table) === isFirst));
    await Promise.all(copies.map(take));
  }
  const stamp = await stores.takeStamps();
  await hold.require();
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

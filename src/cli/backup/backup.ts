import { randomUUID } from 'node:crypto';
import { basename, join } from 'node:path';
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
import { makeLists } from '../../warehouse/backup/row-lists.js';
import { schemaOf, type StoredTable } from '../../warehouse/backup/tables.js';
import type { RowServers } from '../../warehouse/cluster/row-servers.js';
import { idOfServers } from '../../composition/fenced-warehouse.js';
import { openBase } from './chain.js';
import { requireEventQueuePlace } from './event-queue-place.js';
import { clearFolder, makeFolder, writeLines } from './files.js';
import { allEntries, flatten } from './kept-queue-entries.js';
import { backupLock } from '../../operations/copy/lock.js';
import { BackupError, FORMAT, queueFile, stateFile, writeManifest, type Manifest } from './manifest.js';
import { prepareShardCopies, type ShardCopy } from './shard-copies.js';
import { writeTables } from './write-tables.js';

export interface BackupOptions {
  servers: RowServers;
  /** Made if it is missing; must be empty. */
  folder: string;
  /** Folder of an earlier backup: only what has changed since is written; absent: all is. */
  since?: string;
  /** Called if all is written all the same, with the reason. */
  onWhole?: (why: string) => void;
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
 * pause is short for any amount of data. Entries are read before the copies: later entries come from jobs that are in the queue.
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
      const drops = servers.holders.flatMap(({ warehouse }) =>
        [copyOf(servers), listsOf(servers)].map((database) => dropDatabase(warehouse, database)),
      );
      await Promise.allSettled(drops);
    }
  });
}

const copyOf = ({ rows }: RowServers): string => `${rows}_backup`;
const listsOf = ({ rows }: RowServers): string => `${rows}_backup_lists`;

async function backUp(stores: Stores, options: BackupOptions): Promise<Manifest> {
  const { servers, folder, signal } = options;
  const { redis } = stores;
  const { migrations, tables: stored } = await schemaOf(servers);
  const deployment = await idOfServers(servers);
  const here = { migrations, deployment, shards: servers.shards };
  const base = options.since === undefined ? { chain: [] } : await openBase(options.since, folder, here);
  if (base.whyWhole !== undefined) options.onWhole?.(base.whyWhole);
  const chain = base.whyWhole === undefined ? base.chain : [];
  const last = chain.at(-1);
  const copies = await prepareShardCopies(servers, copyOf(servers), stored);
  for (const { warehouse } of copies) await makeLists(warehouse, listsOf(servers));
  signal.throwIfAborted();
  const held = await whileHeld(redis, (hold) => writeHeld(stores, { ...options, copies }, hold));
  const used = createKeyState(redis).allLastUsed();
  const keysUsed = await writeLines(join(folder, stateFile('keys_used')), flatten(used));

  const tables = await writeTables(copies, { ...options, chain, copy: copyOf(servers), lists: listsOf(servers) });
  const manifest: Manifest = {
    format: FORMAT,
    id: randomUUID(),
    made_at: new Date(stores.now()).toISOString(),
    release: VERSION,
    migrations,
    deployment,
    ...(last !== undefined && {
      base: { id: last.manifest.id, folder: basename(last.folder), sha256: last.sha256 },
    }),
    shards: servers.shards,
    stamp: held.stamp,
    tables,
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
  const entries = await writeLines(join(folder, stateFile('rebuild_queue')), flatten(allEntries(stores)));
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
      { name: 'rebuild_queue', ...entries },
    ],
  };
}

const isHistory = ({ name }: StoredTable): boolean => name.endsWith('_history');

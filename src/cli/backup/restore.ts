import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { Stores } from '../../composition/stores.js';
import type { QueueName } from '../../queue/jobs.js';
import type { Producer } from '../../queue/producer.js';
import type { EventQueuePlace } from '../../redis/event-queue-place.js';
import { withLastingLock } from '../../redis/lasting-lock.js';
import { readRestoreState, writeRestoreState } from '../../redis/restore-state.js';
import { completeHistories } from '../../warehouse/queries/complete-histories.js';
import { createStaging, insertNative } from '../../warehouse/backup/staging.js';
import { filledTables, schemaOf, sumOf, type StoredTable } from '../../warehouse/backup/tables.js';
import type { RowServers } from '../../warehouse/cluster/row-servers.js';
import { createProgress } from '../../operations/progress.js';
import { requireEventQueuePlace } from './event-queue-place.js';
import { isIntact, readCompressed } from './files.js';
import { partsOf, readChain, type Link } from './chain.js';
import { copyTables, type SourceChunk, type SourceTable } from '../../operations/copy/copy-tables.js';
import { backupLock } from '../../operations/copy/lock.js';
import { BackupError, chunkFile, filesOf, KEYS, goneFile, type BackedUpTable, type Manifest } from './manifest.js';
import { allQueueStates } from './queue-states.js';
import { restoreState } from './restore-state.js';

export interface RestoreOptions {
  /** With the newest schema. */
  servers: RowServers;
  folder: string;
  redisOf: (queue: QueueName) => Stores['redis'];
  eventQueuePlace: EventQueuePlace;
  producer: Producer;
  stderr: Writable & { isTTY?: boolean };
  signal: AbortSignal;
}

/**
 * Restores a backup into a deployment without rows and jobs. All files are checked before anything is written. A restore that was killed
 * is run again: it loads the tables again until all are in place. After that it deletes nothing, since jobs may have been done.
 * Throws a {@link BackupError}.
 */
export async function runRestore(stores: Stores, options: RestoreOptions): Promise<Manifest> {
  const { servers, folder } = options;
  const { redis } = stores;
  const chain = await readChain(folder);
  const { manifest } = chain.at(-1) ?? {};
  if (manifest === undefined) throw new RangeError('a chain has a backup');
  await requireEventQueuePlace(redis, options.eventQueuePlace);
  return withLastingLock(redis, backupLock(servers.database), async (requireLock) => {
    const { migrations, tables } = await schemaOf(servers);
    requireSameSchema(manifest, migrations, tables);
    const known = await readRestoreState(redis);
    if (known === null) await requireEmpty(options);
    else if (known.id !== manifest.id) {
      throw new BackupError('another backup was being restored here and is not whole: end that restore first');
    }
    await requireIntact(chain, options);
    if (known?.step !== 'queues') {
      await writeRestoreState(redis, { id: manifest.id, step: 'tables' });
      await restoreTables(options, chain, manifest, tables, requireLock);
      await writeRestoreState(redis, { id: manifest.id, step: 'queues' });
    }
    for (const { warehouse } of servers.all) await completeHistories(warehouse, servers.rows);
    await restoreState(stores, options, manifest);
    await restoreKeys(stores, options, manifest, tables);
    await writeRestoreState(redis, null);
    return manifest;
  });
}

function requireSameSchema(manifest: Manifest, here: Record<string, string>, tables: readonly StoredTable[]): void {
  const { migrations } = manifest;
  const lacks = Object.keys(migrations).find((name) => here[name] !== migrations[name]);
  if (lacks !== undefined) {
    throw new BackupError(
      `the backup is of release ${manifest.release}, whose ${lacks} is not here: restore it with that`,
    );
  }
  const more = Object.keys(here).find((name) => migrations[name] === undefined);
  if (more !== undefined) {
    throw new BackupError(
      `the backup is of release ${manifest.release}, from before ${more}: restore it with that release, then upgrade`,
    );
  }
  const unknown = manifest.tables.find(({ name }) => !tables.some((table) => table.name === name));
  if (unknown !== undefined) throw new BackupError(`the backup has a table "${unknown.name}", which is not known here`);
}

async function requireEmpty({ servers, redisOf }: RestoreOptions): Promise<void> {
  const found = await Promise.all(servers.all.map(({ warehouse }) => filledTables(warehouse, servers.rows)));
  const filled = [...new Set(found.flat())].sort();
  const states = [...(await allQueueStates(redisOf))];
  const queued = states.filter(([, { waiting, active, delayed, failed }]) => waiting + active + delayed + failed > 0);
  if (filled.length + queued.length === 0) return;
  const first = [...filled, ...queued.map(([queue]) => `jobs of ${queue}`)].slice(0, 5).join(', ');
  throw new BackupError(
    `this deployment is not empty (${first}): restore into a new one, such as npm start with another DATA_DIR`,
  );
}

async function requireIntact(chain: readonly Link[], { stderr, signal }: RestoreOptions): Promise<void> {
  const files = chain.flatMap(({ folder, manifest }) =>
    filesOf(manifest).map(({ file, ...written }) => ({ path: join(folder, file), ...written })),
  );
  const progress = createProgress({ stream: stderr, label: 'files checked', total: files.length });
  try {
    for (const [i, { path, ...written }] of files.entries()) {
      signal.throwIfAborted();
      if (!(await isIntact(path, written))) {
        throw new BackupError(`${path} is damaged: it is not what the backup wrote`);
      }
      progress.update(i + 1);
    }
  } finally {
    progress.stop();
  }
}

async function restoreTables(
  options: RestoreOptions,
  chain: readonly Link[],
  manifest: Manifest,
  tables: readonly StoredTable[],
  requireLock: () => Promise<void>,
): Promise<void> {
  const { servers, stderr, signal } = options;
  const staged = tables.filter(({ name }) => name !== KEYS);
  const { shards = 1 } = manifest;
  const at = `${servers.rows}_restore`;
  const staging = await createStaging(servers, staged, { at, isPlaced: shards !== servers.shards, isSummed: true });
  const ofTable = ({ name }: StoredTable) => manifest.tables.filter((part) => part.name === name);
  const sources: LinkedSource[] = [];
  for (const table of staged)
    for (const { name, shard = 1 } of ofTable(table)) {
      signal.throwIfAborted();
      const parts = partsOf(chain, { name, shard });
      sources.push({ table, shard, chunks: parts.flatMap(chunksOf) });
      for (const [link, { folder, part }] of parts.entries())
        for (const i of part.gone.keys())
          await staging.forget(table, { shard, link }, await readCompressed(join(folder, goneFile(part, i))));
    }
  const load = ({ table, shard }: LinkedSource, { link }: LinkedChunk, rows: Buffer): Promise<void> =>
    staging.load(table, { shard, link }, rows);
  await copyTables(sources, load, { stderr, signal });
  for (const table of staged) {
    const { rows, hash } = await staging.loaded(table);
    const written = sumOf(ofTable(table));
    if (rows === written.rows && hash === written.hash) continue;
    throw new BackupError(
      `"${table.name}" came to ${rows} rows that differ from the ${written.rows} of the backup: nothing was restored`,
    );
  }
  // All tables together, in some hundred milliseconds, so that rows are without their figures only for a moment.
  for (const table of staged) {
    await requireLock();
    await staging.putInPlace(table);
  }
  await staging.drop();
}

/** Rows with the number of the backup that wrote them: 0 for all rows, then 1 for the first increment. */
interface LinkedChunk extends SourceChunk {
  link: number;
}
interface LinkedSource extends SourceTable {
  chunks: readonly LinkedChunk[];
}

const chunksOf = ({ folder, part }: { folder: string; part: BackedUpTable }, link: number): LinkedChunk[] =>
  part.chunks.map(({ rows }, i) => ({ rows, link, read: () => readCompressed(join(folder, chunkFile(part, i))) }));

async function restoreKeys(
  { warehouse }: Stores,
  { servers, folder }: RestoreOptions,
  manifest: Manifest,
  tables: readonly StoredTable[],
): Promise<void> {
  const table = tables.find(({ name }) => name === KEYS);
  const kept = manifest.tables.filter(({ name }) => name === KEYS);
  if (table === undefined || kept.length === 0) throw new BackupError('the backup has no keys');
  for (const part of kept) {
    for (const i of part.chunks.keys()) {
      // No view reads this table, and of two rows of a key the newest counts.
      const rows = await readCompressed(join(folder, chunkFile(part, i)));
      await insertNative(warehouse, `${servers.database}.${KEYS}`, table, rows);
    }
  }
}

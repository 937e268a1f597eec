import { join } from 'node:path';
import type { Stores } from '../../composition/stores.js';
import type { AnyNewJob, QueueName } from '../../queue/jobs.js';
import { putDeadLetter, type BackupJob } from '../../queue/backup-jobs.js';
import type { Producer } from '../../queue/producer.js';
import { createKeyState } from '../../redis/keys.js';
import { putReservation, type KeptReservation } from '../../redis/reservations.js';
import { raiseStamps } from '../../redis/stamps.js';
import { reopenPushes } from '../queue/reopen-pushes.js';
import { readLines } from './files.js';
import { BackupError, queueFile, stateFile, type Manifest } from './manifest.js';
import { addEntries, type KeptEntry } from './kept-queue-entries.js';

interface Options {
  folder: string;
  redisOf: (queue: QueueName) => Stores['redis'];
  producer: Producer;
}

/** Entries per call. */
const ENTRIES = 1_000;

/**
 * Restores what Redis held. Each step may be repeated: existing entries stay, and a job that was done meanwhile is done again. Stamps
 * and reservations come before the jobs that need them.
 */
export async function restoreState(stores: Stores, options: Options, manifest: Manifest): Promise<void> {
  const { folder } = options;
  const { redis } = stores;
  await raiseStamps(redis, manifest.stamp);
  for await (const kept of read<KeptReservation>(folder, 'reservations')) {
    await putReservation(redis, kept, stores.now());
  }
  let entries: KeptEntry[] = [];
  for await (const entry of read<KeptEntry>(folder, 'rebuild_queue')) {
    if (entries.push(entry) < ENTRIES) continue;
    await addEntries(stores, entries);
    entries = [];
  }
  await addEntries(stores, entries);
  const keys = createKeyState(redis);
  for await (const [keyId, atMs] of read<[string, number]>(folder, 'keys_used')) await keys.markUsed(keyId, atMs);
  for (const { name } of manifest.queues) {
    for await (const job of readLines(join(folder, queueFile(name)))) {
      await putBack(stores, options, name, job as BackupJob);
    }
  }
}

async function* read<T>(folder: string, name: string): AsyncGenerator<T> {
  for await (const value of readLines(join(folder, stateFile(name)))) yield value as T;
}

async function putBack(
  { receipts }: Stores,
  { producer, redisOf }: Options,
  queue: QueueName,
  job: BackupJob,
): Promise<void> {
  const data = JSON.parse(job.fields.data ?? '') as AnyNewJob & { rows: unknown };
  await reopenPushes(receipts, queue, job.id, data);
  if (job.failedAt !== null) return putDeadLetter(redisOf(queue), queue, job);
  const { rows, ...rest } = data;
  if (typeof rows !== 'string') throw new BackupError(`the job ${job.id} of the queue ${queue} has no rows`);
  await producer.add(queue, job.id, { ...rest, rows: Buffer.from(rows, 'base64') });
}

import type { Redis } from 'ioredis';
import { inChunks } from '../domain/in-chunks.js';
import { jobKey, QUEUE_PREFIX, type QueueName } from './jobs.js';

/** A job as a backup keeps it. */
export interface BackupJob {
  id: string;
  /** Milliseconds since 1970; null: it has not failed for good. */
  failedAt: number | null;
  /** All its fields in Redis. */
  fields: Record<string, string>;
}

/** Jobs that are read at the same time, of up to some megabytes each. */
const AT_ONCE = 8;

/** The jobs of a queue in all states, in the order in which they would be done. One that ends meanwhile is left out. */
export async function* readJobs(redis: Redis, queue: QueueName): AsyncGenerator<BackupJob> {
  const key = (state: string): string => `${QUEUE_PREFIX}:${queue}:${state}`;
  // In one transaction, so that a job that changes its state is seen in one of them.
  const states = await redis
    .multi()
    .lrange(key('active'), '0', '-1')
    .lrange(key('wait'), '0', '-1')
    .lrange(key('paused'), '0', '-1')
    .zrange(key('prioritized'), '0', '-1')
    .zrange(key('delayed'), '0', '-1')
    .zrange(key('failed'), '0', '-1', 'WITHSCORES')
    .exec();
  const [active = [], wait = [], paused = [], prioritized = [], delayed = [], failed = []] = (states ?? []).map(
    ([error, ids]) => {
      if (error !== null) throw error;
      return ids as string[];
    },
  );
  // Workers take jobs from the end of a list.
  const open = [...active.reverse(), ...paused.reverse(), ...wait.reverse(), ...prioritized, ...delayed];
  const jobs = [
    ...open.map((id) => ({ id, failedAt: null })),
    ...failed.flatMap((id, i) => (i % 2 === 0 ? [{ id, failedAt: Number(failed[i + 1]) }] : [])),
  ];
  for (const page of inChunks(jobs, AT_ONCE)) {
    const found = await Promise.all(page.map(({ id }) => redis.hgetall(jobKey(queue, id))));
    for (const [n, job] of page.entries()) {
      const fields = found[n];
      if (fields?.data !== undefined) yield { ...job, fields };
    }
  }
}

/** Stores a dead letter; one that exists stays unchanged. */
const PUT_FAILED = `
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV, 3))
return redis.call('ZADD', KEYS[2], ARGV[1], ARGV[2])`;

export async function putDeadLetter(
  redis: Redis,
  queue: QueueName,
  { id, failedAt, fields }: BackupJob,
): Promise<void> {
  const keys = [jobKey(queue, id), `${QUEUE_PREFIX}:${queue}:failed`];
  await redis.eval(PUT_FAILED, keys.length, ...keys, failedAt ?? 0, id, ...Object.entries(fields).flat());
}

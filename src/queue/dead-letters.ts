import { Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { jobKey, QUEUE_PREFIX, type QueueName } from './jobs.js';

/** A job that failed for good and is kept, without its data. */
export interface DeadLetter {
  id: string;
  /** Milliseconds since 1970. */
  failedAt: number;
  reason: string;
}

/** The place of a dead letter in the list. */
type Cursor = Pick<DeadLetter, 'id' | 'failedAt'>;

/** The dead letters of one queue. There may be any number: they are read in pages, and their data one by one. */
export interface DeadLetters {
  /** Newest first. One that fails again meanwhile is not given twice. */
  walk(): AsyncGenerator<DeadLetter>;
  /** Null if there is no such job, or if it has not failed. */
  find(id: string): Promise<DeadLetter | null>;
  /** The JSON text of its data; null if it is gone. */
  data(id: string): Promise<string | null>;
  /** Puts it back into the queue; false if it is gone. */
  retry(id: string): Promise<boolean>;
  /** Deletes it for good; false if it is gone. */
  drop(id: string): Promise<boolean>;
  close(): Promise<void>;
}

const PAGE = 100;
const NEWEST: Cursor = { id: '', failedAt: 8.64e15 };

/** Leaves a job that was put back into the queue in the meantime. */
const DROP = `
if redis.call('ZREM', KEYS[1], ARGV[1]) == 0 then return 0 end
return redis.call('DEL', KEYS[2])`;

/** Codes of BullMQ for a job that is missing, or not among the failed ones. */
const GONE = [-1, -3];

export function createDeadLetters(redis: Redis, name: QueueName): DeadLetters {
  const queue = new Queue(name, { connection: redis, prefix: QUEUE_PREFIX });
  queue.on('error', () => undefined); // each failed call reports itself
  const failed = `${QUEUE_PREFIX}:${name}:failed`;

  const describe = async (id: string, failedAt: number): Promise<DeadLetter> => ({
    id,
    failedAt,
    reason: (await redis.hget(jobKey(name, id), 'failedReason')) ?? '',
  });

  /** Those of the same millisecond stand in the order of their ids, the highest first. */
  const pageAfter = async (after: Cursor): Promise<DeadLetter[]> => {
    for (let from = await redis.zcount(failed, `(${after.failedAt}`, '+inf'); ; from += PAGE) {
      const flat = await redis.zrevrange(failed, from, from + PAGE - 1, 'WITHSCORES');
      const entries = Array.from({ length: flat.length / 2 }, (_, i) => ({
        id: flat[2 * i] ?? '',
        failedAt: Number(flat[2 * i + 1]),
      }));
      const page = entries.filter((entry) => isAfter(entry, after));
      if (page.length > 0 || entries.length < PAGE) {
        return Promise.all(page.map(({ id, failedAt }) => describe(id, failedAt)));
      }
    }
  };

  return {
    async *walk() {
      let last = NEWEST;
      for (let page = await pageAfter(last); page.length > 0; page = await pageAfter(last)) {
        for (const letter of page) {
          yield letter;
          last = letter;
        }
      }
    },
    async find(id) {
      const failedAt = await redis.zscore(failed, id);
      return failedAt === null ? null : describe(id, Number(failedAt));
    },
    data: (id) => redis.hget(jobKey(name, id), 'data'),
    async retry(id) {
      try {
        // Its data stay in Redis.
        await new Job(queue, name, null, {}, id).retry('failed');
        return true;
      } catch (error) {
        if (GONE.includes((error as { code?: number }).code ?? 0)) return false;
        throw error;
      }
    },
    drop: async (id) => (await redis.eval(DROP, 2, failed, jobKey(name, id), id)) === 1,
    close: () => queue.close(),
  };
}

function isAfter({ id, failedAt }: Cursor, after: Cursor): boolean {
  if (failedAt !== after.failedAt) return failedAt < after.failedAt;
  return Buffer.compare(Buffer.from(id), Buffer.from(after.id)) < 0;
}

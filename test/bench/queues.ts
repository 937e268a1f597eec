import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { QUEUE_PREFIX, type QueueName } from '../../src/queue/jobs.js';

/** Queues of the service that is measured. */
export interface BenchQueues {
  /** What is pushed waits. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Resolves when no job is left; throws when one has failed. */
  emptied(): Promise<void>;
  close(): Promise<void>;
}

const EVERY_MS = 10;

export function openQueues(redisUrl: string, names: readonly QueueName[]): BenchQueues {
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const queues = names.map((name) => new Queue(name, { connection, prefix: QUEUE_PREFIX }));
  const left = async (queue: Queue): Promise<number> => {
    const { failed = 0, ...counts } = await queue.getJobCounts('waiting', 'active', 'delayed', 'failed');
    if (failed > 0) throw new Error(`${failed} jobs failed`);
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  };
  return {
    async pause() {
      await Promise.all(queues.map((queue) => queue.pause()));
    },
    async resume() {
      await Promise.all(queues.map((queue) => queue.resume()));
    },
    async emptied() {
      for (;;) {
        const counts = await Promise.all(queues.map(left));
        if (counts.every((count) => count === 0)) return;
        await sleep(EVERY_MS);
      }
    },
    async close() {
      await Promise.all(queues.map((queue) => queue.close()));
      connection.disconnect();
    },
  };
}

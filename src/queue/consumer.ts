import { Worker, type WorkerOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import { QUEUE_PREFIX, type QueueName } from './jobs.js';

export interface ConsumerOptions {
  queue: QueueName;
  /** Jobs under way at once. */
  concurrency: number;
  /** Does a job. Whether a failed job comes back depends on the error. */
  work: (data: unknown) => Promise<void>;
  onError: (error: unknown) => void;
  /** Called for every failure, also if the job comes back. */
  onFailed: (jobId: string | undefined, error: unknown) => void;
}

export interface Consumer {
  /** Stops taking jobs; resolves when those under way have ended. */
  close(): Promise<void>;
}

/** Takes the jobs of a queue. */
export type Consume = (options: ConsumerOptions) => Consumer;

export const CONSUMING = {
  /** After a kill -9 of a worker its jobs come back within this time. */
  lockDuration: 10_000,
  stalledInterval: 3_000,
  // A job whose worker was killed is always taken up again, however often that happens.
  maxStalledCount: Number.MAX_SAFE_INTEGER,
} satisfies Partial<WorkerOptions>;

/** Each queue on connections of its own, one to each server that has jobs of it. */
export function createConsume(connect: (queue: QueueName) => readonly Redis[]): Consume {
  return ({ queue, concurrency, work, onError, onFailed }) => {
    const open = connect(queue).map((connection) => {
      const options = { ...CONSUMING, connection, prefix: QUEUE_PREFIX, concurrency };
      const worker = new Worker(queue, (job) => work(job.data), options);
      worker.on('error', onError);
      worker.on('failed', (job, error) => onFailed(job?.id, error));
      return { worker, connection };
    });
    return {
      async close() {
        await Promise.all(open.map(({ worker }) => worker.close()));
        for (const { connection } of open) connection.disconnect();
      },
    };
  };
}

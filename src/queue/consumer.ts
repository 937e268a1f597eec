import { DelayedError, Job, Worker, type WorkerOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import { QUEUE_PREFIX, type QueueName } from './jobs.js';

export interface ConsumerOptions {
  queue: QueueName;
  /** Jobs under way at once. */
  concurrency: number;
  /** Does a job. Whether a failed job comes back depends on the error. */
  work: (data: unknown) => Promise<void>;
  /** True for an error after which the job is tried later, and leaves its place to others until then. */
  isForLater?: (error: unknown) => boolean;
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
  // Seconds that a connection waits for a job, which wakes it at once. One that was lost without a word is noticed after this time.
  drainDelay: 15,
  stalledInterval: 6_000,
  // A job whose worker was killed is always taken up again, however often that happens.
  maxStalledCount: Number.MAX_SAFE_INTEGER,
} satisfies Partial<WorkerOptions>;

/** First and longest wait of a job that is tried later: it is fetched from Redis for every try. */
const DELAY_MS = { first: 1_000, longest: 30_000 };

async function delay(job: Job, token: string | undefined): Promise<never> {
  const wait = Math.min(DELAY_MS.first * 2 ** Math.max(0, job.attemptsStarted - 1), DELAY_MS.longest);
  await job.moveToDelayed(Date.now() + wait, token);
  throw new DelayedError();
}

/** Of jobs that wait for longer than any wait, how often they are looked for, and how many are put back at once. */
const FAR = { everyMs: 5_000, most: 100 };
/** The score of a delayed job is its time, with 12 bits more for the order of jobs of one millisecond. */
const SCORE_OF_MS = 2 ** 12;

/** A clock that was put back leaves jobs which wait until a time of before: their wait is over. */
async function endFarWaits(worker: Worker, connection: Redis): Promise<void> {
  const never = (Date.now() + 2 * DELAY_MS.longest) * SCORE_OF_MS;
  const ids = await connection.zrange(worker.toKey('delayed'), never, '+inf', 'BYSCORE', 'LIMIT', 0, FAR.most);
  for (const id of ids) await (await Job.fromId(worker, id))?.promote();
}

/** Each queue on connections of its own, one to each server that has jobs of it. */
export function createConsume(connect: (queue: QueueName) => readonly Redis[]): Consume {
  return ({ queue, concurrency, work, isForLater = () => false, onError, onFailed }) => {
    const open = connect(queue).map((connection) => {
      const options = { ...CONSUMING, connection, prefix: QUEUE_PREFIX, concurrency };
      const worker = new Worker(
        queue,
        (job, token) =>
          work(job.data).catch(async (error: unknown) => {
            if (isForLater(error)) await delay(job, token);
            throw error;
          }),
        options,
      );
      worker.on('error', onError);
      worker.on('failed', (job, error) => onFailed(job?.id, error));
      const timer = setInterval(() => void endFarWaits(worker, connection).catch(onError), FAR.everyMs);
      return { worker, connection, timer };
    });
    return {
      async close() {
        for (const { timer } of open) clearInterval(timer);
        await Promise.all(open.map(({ worker }) => worker.close()));
        for (const { connection } of open) connection.disconnect();
      },
    };
  };
}

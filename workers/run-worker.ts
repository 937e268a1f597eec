import { Worker } from 'bullmq';
import type { Logger } from 'pino';
import type { Stores } from '../src/stores.js';
import { queueConnection } from '../src/queue/connection.js';
import {
  QUEUE_PREFIX,
  type OrdersJob,
  type ProductCostsJob,
  type QueueName,
  type SpendJob,
  type EventsJob,
} from '../src/queue/jobs.js';
import { stopUnboundQueries } from '../src/warehouse/bi-watch.js';
import { isAnswered, isDataError } from '../src/warehouse/client.js';
import { createAttributionLoop } from './attribution.js';
import { createEventFlush } from './events.js';
import { createJoiner, type Joiner } from './join.js';
import { runLoop } from './loop.js';
import { createOrderFlush } from './orders.js';
import { createProductCostFlush } from './product-costs.js';
import { createRollupLoop } from './rollups.js';
import { createSpendFlush } from './spend.js';

export interface RunningWorkers {
  /** Finishes the jobs under way; what can't be written goes back to the queue. */
  stop(): Promise<void>;
}

export interface WorkerOptions {
  redisUrl: string;
  /** Orders whose versions Redis keeps although the warehouse has them. */
  versionCacheOrders: number;
  log: Logger;
}

/** Jobs of one insert. */
const JOBS_PER_FLUSH = 40;
/** Those of the collector hold the events of a moment: few, where it isn't busy. */
const EVENT_JOBS_PER_FLUSH = 120;
const FLUSHES = 2;
/** After a kill -9 its jobs come back this soon. */
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 3_000;
/** A reservation stays at least this long, see `src/state/order-versions.ts`. */
const RESERVATION_GRACE_MS = 30_000;
const SWEEP_LIMIT = 500;

/** Every queue's processor and every background loop of one worker process. */
export function runWorkers(stores: Stores, { redisUrl, versionCacheOrders, log }: WorkerOptions): RunningWorkers {
  const joiners: Pick<Joiner<unknown>, 'stop'>[] = [];
  const workers: Worker[] = [];
  const connections: { disconnect(): void }[] = [];

  // One type per queue ties the payload of its jobs to the flush that takes them.
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
  const process = <Job>(
    queue: QueueName,
    flush: (jobs: readonly Job[]) => Promise<void>,
    maxJobs = JOBS_PER_FLUSH,
  ): void => {
    const joiner = createJoiner<Job>({
      flush,
      isPoison: (error) => isDataError(error) || error instanceof RangeError,
      isDoubtful: isAnswered,
      maxJobs,
      maxFlushes: FLUSHES,
      onRetry: (error, jobs) => log.warn({ err: error, queue, jobs }, 'a write failed and is tried again'),
    });
    const connection = queueConnection(redisUrl, { failFast: false });
    const worker = new Worker<Job>(queue, (job) => joiner.add(job.data), {
      connection,
      prefix: QUEUE_PREFIX,
      concurrency: maxJobs * FLUSHES * 2,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      // A job whose worker was killed is always taken up again, however often that happens.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
    });
    worker.on('error', (error) => log.warn({ err: error, queue }, 'the queue is out of reach'));
    worker.on('failed', (job, error) => log.error({ err: error, queue, job: job?.id }, 'a job failed and is kept'));
    joiners.push(joiner);
    workers.push(worker as Worker);
    connections.push(connection);
  };

  process<OrdersJob>('orders', createOrderFlush(stores));
  process<SpendJob>('spend', createSpendFlush(stores));
  process<ProductCostsJob>('product-costs', createProductCostFlush(stores));
  process<EventsJob>('events', createEventFlush(stores), EVENT_JOBS_PER_FLUSH);

  const onError = (loop: string) => (error: unknown) =>
    log.warn({ err: error, loop }, 'a turn failed and is tried again');
  const loops = [
    runLoop(createRollupLoop(stores, 'fresh'), { idleMs: 150, busyMs: 150, onError: onError('rollups') }),
    runLoop(createRollupLoop(stores, 'restate'), { idleMs: 150, busyMs: 50, onError: onError('restating') }),
    runLoop(createAttributionLoop(stores), { idleMs: 150, busyMs: 150, onError: onError('attribution') }),
    runLoop(
      async () => {
        const stopped = await stopUnboundQueries(stores.warehouse);
        if (stopped > 0) log.warn({ stopped }, 'queries of BI users without limits were stopped');
        return false;
      },
      { idleMs: 1_000, busyMs: 1_000, onError: onError('limits of BI users') },
    ),
    runLoop(
      async () => {
        const now = stores.now();
        const swept = await stores.versions.sweep({
          beforeMs: now - RESERVATION_GRACE_MS,
          nowMs: now,
          budget: versionCacheOrders,
          limit: SWEEP_LIMIT,
        });
        return swept >= SWEEP_LIMIT;
      },
      { idleMs: 2_000, busyMs: 10, onError: onError('reservations') },
    ),
  ];

  return {
    async stop() {
      for (const joiner of joiners) joiner.stop();
      await Promise.all([...loops.map((loop) => loop.stop()), ...workers.map((worker) => worker.close())]);
      for (const connection of connections) connection.disconnect();
    },
  };
}

import type { Logger } from 'pino';
import type { Stores } from '../src/composition/stores.js';
import { adoptEarlierMarks } from '../src/redis/earlier-marks.js';
import type { Claim } from '../src/redis/marks.js';
import type { Consume, Consumer } from '../src/queue/consumer.js';
import type { GroupJob, QueueName } from '../src/queue/jobs.js';
import type { IngestHeader } from '../src/domain/ingest.js';
import { readJob, splitJob } from '../src/queue/read-job.js';
import { stopUnboundQueries } from '../src/warehouse/bi/watch.js';
import { isAnswered, isDataError } from '../src/warehouse/client.js';
import { createAttributionLoop } from './attribution.js';
import { createEventFlush } from './events.js';
import { createJoiner, type Joiner } from './join.js';
import { runLoop } from './loop.js';
import { createOrderFlush } from './orders.js';
import { createRejectionFlush } from './rejections.js';
import { createProductCostFlush } from './product-costs.js';
import { createRollupLoop } from './rollups.js';
import { createSpendFlush } from './spend.js';

export interface RunningWorkers {
  /** Finishes the jobs under way; what can't be written goes back to the queue. */
  stop(): Promise<void>;
}

export interface WorkerOptions {
  consume: Consume;
  /** Orders whose versions Redis keeps although the warehouse has them. */
  versionCacheOrders: number;
  log: Logger;
}

/** How the jobs of a queue are written. */
interface Kind<Push> {
  queue: QueueName;
  /** Tables that its rows are for. */
  tables: number;
  flush: (jobs: readonly GroupJob<Push>[]) => Promise<void>;
  maxJobs: number;
}

/** Jobs of one insert. */
const JOBS_PER_FLUSH = 40;
/** Those of the collector hold the events of a moment: few, where it isn't busy. */
const EVENT_JOBS_PER_FLUSH = 120;
const FLUSHES = 2;
/** A flush takes no further job beyond so many bytes of rows, as they stand in the jobs. */
const FLUSH_BYTES = 8 * 1024 * 1024;
/** A reservation stays at least this long, see `src/redis/order-versions.ts`. */
const RESERVATION_GRACE_MS = 30_000;
const SWEEP_LIMIT = 500;
/** Turns of a loop, a second apart. */
const ALARMING_FAILURES = 4;

/** Every queue's processor and every background loop of one worker process. */
export function runWorkers(stores: Stores, { consume, versionCacheOrders, log }: WorkerOptions): RunningWorkers {
  const joiners: Pick<Joiner<unknown>, 'stop'>[] = [];
  const consumers: Consumer[] = [];

  const process = <Push extends { header: Pick<IngestHeader, 'shop_id' | 'batch_id'> }>({
    queue,
    tables,
    flush,
    maxJobs,
  }: Kind<Push>): void => {
    const joiner = createJoiner<GroupJob<Push>>({
      flush,
      isPoison: (error) => isDataError(error) || error instanceof RangeError,
      isDoubtful: isAnswered,
      maxJobs,
      maxFlushes: FLUSHES,
      maxWeight: FLUSH_BYTES,
      weigh: ({ rows }) => rows.length,
      split: (job) => splitJob(job, tables),
      nameOf: ({ pushes }) => pushes.map(({ header }) => `${header.batch_id} of ${header.shop_id}: `).join(''),
      onRetry: (error, jobs) => log.warn({ err: error, queue, jobs }, 'a write failed and is tried again'),
    });
    const consumer = consume({
      queue,
      concurrency: maxJobs * FLUSHES * 2,
      work: (data) => joiner.add(readJob<Push>(data)),
      onError: (error) => log.warn({ err: error, queue }, 'the queue is out of reach'),
      onFailed: (job, error) => log.error({ err: error, queue, job }, 'a job failed and is kept'),
    });
    joiners.push(joiner);
    consumers.push(consumer);
  };

  process({ queue: 'orders', tables: 2, flush: createOrderFlush(stores), maxJobs: JOBS_PER_FLUSH });
  process({ queue: 'spend', tables: 2, flush: createSpendFlush(stores), maxJobs: JOBS_PER_FLUSH });
  process({ queue: 'product-costs', tables: 1, flush: createProductCostFlush(stores), maxJobs: JOBS_PER_FLUSH });
  process({ queue: 'events', tables: 1, flush: createEventFlush(stores), maxJobs: EVENT_JOBS_PER_FLUSH });
  process({ queue: 'rejections', tables: 1, flush: createRejectionFlush(stores), maxJobs: JOBS_PER_FLUSH });

  // One failure is what a restart of a store looks like, and the next turn makes up for it.
  const onError = (loop: string) => (error: unknown, inARow: number) =>
    log[inARow < ALARMING_FAILURES ? 'info' : 'warn']({ err: error, loop }, 'a turn failed and is tried again');
  const onFailed = (work: string) => ({
    onFailed: ({ shopId, id }: Claim, error: unknown) =>
      log.error({ err: error, work, shop: shopId, id }, 'failed by itself and is set apart for a later try'),
  });
  const rebuilds = { ...stores, ...onFailed('rollup') };
  const credits = { ...stores, ...onFailed('attribution') };
  const loops = [
    runLoop(createRollupLoop(rebuilds, 'fresh'), { idleMs: 100, busyMs: 50, onError: onError('rollups') }),
    runLoop(createRollupLoop(rebuilds, 'history'), { idleMs: 150, busyMs: 50, onError: onError('history') }),
    runLoop(createAttributionLoop(credits), { idleMs: 150, busyMs: 0, onError: onError('attribution') }),
    runLoop(() => adoptEarlierMarks(stores.redis, stores.dirtyDays, stores.dirtyOrders), {
      ...{ idleMs: 5_000, busyMs: 0 },
      onError: onError('marks of the first release'),
    }),
    runLoop(() => stores.sources.persistLocks(), { idleMs: 500, busyMs: 0, onError: onError('sources') }),
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
      await Promise.all([...loops.map((loop) => loop.stop()), ...consumers.map((consumer) => consumer.close())]);
    },
  };
}

import type { Logger } from 'pino';
import type { AlertConfig } from '../src/composition/alerts.js';
import type { Stores } from '../src/composition/stores.js';
import type { Claim, RebuildQueue } from '../src/redis/rebuild-queue.js';
import type { Consume, Consumer } from '../src/queue/consumer.js';
import { TABLES, type GroupJob, type QueueName } from '../src/queue/jobs.js';
import type { IngestHeader, IngestKind } from '../src/domain/ingest.js';
import { partsByShard, pushesOf, readJob, rowBytes } from '../src/queue/read-job.js';
import { readRebuildQueueState } from '../src/redis/rebuild-queue-state.js';
import { createFreshnessWatch } from '../src/telemetry/freshness-metrics.js';
import { createWorkerMetrics, offerQueues } from '../src/telemetry/worker-metrics.js';
import type { Warehouse } from '../src/warehouse/client.js';
import { isDataError, isRefused } from '../src/warehouse/failures.js';
import { shardsWithTags, withTags } from '../src/warehouse/tags.js';
import { countPassedHours } from '../src/warehouse/queries/push-hours.js';
import { createAttributionLoop } from './attribution.js';
import { createBacklog } from './backlog.js';
import { createBiLimitsLoop } from './bi-limits.js';
import { createEventFlush, EVENT_FLUSHES } from './events.js';
import { createJoiner, StalledError, type Joiner } from './join.js';
import { runLoop, type Loop, type RunningLoop } from './loop.js';
import { openAuditLoop } from './open-audit.js';
import { LOOKS_EVERY_MS, openAlertLoops, SENDS_EVERY_MS } from './open-alerts.js';
import { createOrderCostFlush } from './order-costs.js';
import { createOrderFlush } from './orders.js';
import { createRateFlush } from './rates.js';
import { createRejectionFlush } from './rejections.js';
import { createProductCostFlush } from './product-costs.js';
import { idsOf } from './request-ids.js';
import { createRollupLoop } from './rollups.js';
import { createSettingsLoop } from './settings.js';
import { createSpendFlush } from './spend.js';

export interface RunningWorkers {
  /** Finishes the jobs under way; what can't be written goes back to the queue. */
  stop(): Promise<void>;
}

export interface WorkerOptions {
  consume: Consume;
  /** Orders whose versions Redis keeps although the warehouse has them. */
  versionCacheOrders: number;
  /** Absent: there are no alerts. */
  alerts?: AlertConfig;
  log: Logger;
}

/** How the jobs of a queue are written. */
interface Kind<Push> {
  queue: QueueName;
  /** Writes jobs of one shard. */
  createFlush: (warehouse: Warehouse) => (jobs: readonly GroupJob<Push>[]) => Promise<void>;
  maxJobs?: number;
  gatherMs?: number;
}

/** Jobs of one insert. */
const JOBS_PER_FLUSH = 40;
const FLUSHES = 2;
/** A flush takes no further job beyond so many bytes of unpacked rows: rows that are all the same take a hundredth of that in the queue. */
const FLUSH_BYTES = 40 * 1024 * 1024;
/** A flush that has not succeeded after this time holds up no jobs of other shards any more. */
const STALL_MS = 3_000;
/** A reservation stays at least this long, see `src/redis/order-versions.ts`. */
const RESERVATION_GRACE_MS = 30_000;
const SWEEP_LIMIT = 500;
/** An hour of pushes is counted some hours after its end, so that no one waits for it. */
const COUNT_EVERY_MS = 300_000;
/** Rows whose write was cut off between a table and its history are few. */
const COMPLETE_EVERY_MS = 60_000;
/** Turns of a loop, a second apart: a store that restarts on a busy machine is back before. */
const ALARMING_FAILURES = 10;

/** Every queue's processor and every background loop of one worker process. */
export function runWorkers(
  stores: Stores,
  { consume, versionCacheOrders, alerts, log }: WorkerOptions,
): RunningWorkers {
  const { register, receipts, shards, now } = stores;
  const metrics = createWorkerMetrics(register, now);
  const freshness = createFreshnessWatch(stores);
  const storesOf = (kind: IngestKind): Stores => ({ ...stores, receipts: freshness.watched(kind, receipts) });
  offerQueues((name) => readRebuildQueueState(stores.redis, name), register);
  const joiners: Pick<Joiner<unknown>, 'stop'>[] = [];
  const consumers: Consumer[] = [];
  const backlog = createBacklog();

  const consumeQueue = <Push extends { header: Pick<IngestHeader, 'shop_id' | 'batch_id'> }>({
    queue,
    createFlush,
    maxJobs = JOBS_PER_FLUSH,
    gatherMs = 0,
  }: Kind<Push>): void => {
    const tables = TABLES[queue].length;
    const open = (warehouse: Warehouse): Joiner<GroupJob<Push>> => {
      const write = metrics.countFlush(queue, (jobs: readonly GroupJob<Push>[]) => {
        const tags = { work: `flush ${queue}`, ...idsOf(jobs) };
        return createFlush(withTags(warehouse, () => tags))(jobs);
      });
      return createJoiner<GroupJob<Push>>({
        flush: async (jobs) => {
          await write(jobs);
          if (log.isLevelEnabled('debug')) log.debug({ queue, jobs: jobs.length, ...idsOf(jobs) }, 'jobs were written');
        },
        classify: (error) =>
          isDataError(error) || error instanceof RangeError ? 'permanent' : isRefused(error) ? 'unclear' : 'passing',
        maxJobs,
        gatherMs,
        maxFlushes: FLUSHES,
        maxWeight: FLUSH_BYTES,
        weigh: rowBytes,
        pushesOf: (job) => pushesOf(job, tables),
        nameOf: ({ pushes }) => pushes.map(({ header }) => `${header.batch_id} of ${header.shop_id}: `).join(''),
        onWait: backlog.onWait,
        onRetry: (error, jobs) => {
          log.warn({ err: error, queue, jobs: jobs.length, ...idsOf(jobs) }, 'a write failed and is tried again');
        },
        // With one shard there are no others whose jobs need the place.
        ...(shards.each.length > 1 && { stallMs: STALL_MS }),
      });
    };
    const ofShards = shards.each.map(open);
    const work = async (data: unknown): Promise<void> => {
      const parts = [...partsByShard(readJob<Push>(data), shards.of, tables)];
      const ends = await Promise.allSettled(parts.map(async ([shard, part]) => ofShards[shard]?.add(part)));
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    };
    const consumer = consume({
      queue,
      concurrency: maxJobs * FLUSHES * 2 * shards.each.length,
      work,
      isForLater: (error) => error instanceof StalledError,
      onError: (error) => log.warn({ err: error, queue }, 'the queue is out of reach'),
      onFailed: (job, error) => log.error({ err: error, queue, job }, 'a job failed and is kept'),
    });
    joiners.push(...ofShards);
    consumers.push(consumer);
  };

  const at = (kind: IngestKind) => (warehouse: Warehouse) => ({ ...storesOf(kind), warehouse });
  consumeQueue({ queue: 'orders', createFlush: (one) => backlog.watched(createOrderFlush(at('orders')(one))) });
  consumeQueue({ queue: 'spend', createFlush: (one) => createSpendFlush(at('spend')(one)) });
  consumeQueue({ queue: 'product-costs', createFlush: (one) => createProductCostFlush(at('product_costs')(one)) });
  consumeQueue({ queue: 'order-costs', createFlush: (one) => createOrderCostFlush(at('orders')(one)) });
  consumeQueue({ queue: 'rates', createFlush: (one) => createRateFlush(at('spend')(one)) });
  consumeQueue({
    queue: 'events',
    createFlush: (warehouse) => createEventFlush({ ...stores, warehouse }),
    ...EVENT_FLUSHES,
  });
  consumeQueue({ queue: 'rejections', createFlush: (warehouse) => createRejectionFlush({ warehouse }) });

  // Some failures are what a restart of a store looks like, and the next turn makes up for them.
  const onError = (loop: string) => (error: unknown, inARow: number) => {
    metrics.turnFailed(loop);
    log[inARow < ALARMING_FAILURES ? 'info' : 'warn']({ err: error, loop }, 'a turn failed and is tried again');
  };
  const onFailed = (work: string) => ({
    onAway: (error: unknown) => onError(work)(error, 1),
    onFailed: ({ shopId, id }: Claim, error: unknown) => {
      metrics.failedAlone(work);
      log.error({ err: error, work, shop: shopId, id }, 'failed by itself and is quarantined for a later try');
    },
  });
  const storesFor = (work: string): Stores => ({ ...stores, shards: shardsWithTags(shards, () => ({ work })) });
  const rebuilds = (work: string) => ({ ...storesFor(work), ...onFailed('rollup'), isBehind: backlog.isBehind });
  const credits = { ...storesFor('attribution'), ...onFailed('attribution') };
  const loop = (work: string, turn: Loop, [idleMs, busyMs]: [number, number], queue?: RebuildQueue): RunningLoop =>
    runLoop(turn, { idleMs, busyMs, onError: onError(work), ...(queue && { onWork: (wake) => queue.onAdded(wake) }) });
  const sweep = async (): Promise<boolean> => {
    const at = now();
    const budget = { beforeMs: at - RESERVATION_GRACE_MS, nowMs: at, budget: versionCacheOrders, limit: SWEEP_LIMIT };
    return (await stores.versions.sweep(budget)) >= SWEEP_LIMIT;
  };
  const createPushCounting = (shardWarehouse: Warehouse): Loop => {
    const warehouse = withTags(shardWarehouse, () => ({ work: 'push counts' }));
    return () => countPassedHours({ ...stores, warehouse });
  };
  const alertLoops = (config: AlertConfig, warehouse: Warehouse, shard: number): RunningLoop[] => {
    const { look, send } = openAlertLoops(config, { ...stores, warehouse }, shard, onError('alerts'));
    return [loop('alerts', look, [LOOKS_EVERY_MS, 0]), loop('alert messages', send, [SENDS_EVERY_MS, 0])];
  };
  const { fresh, history, costs } = stores.rebuildQueues.lanes;
  const loops = [
    loop('rollups', createRollupLoop(rebuilds('rollups'), 'fresh'), [20, 20], fresh),
    loop('history', createRollupLoop(rebuilds('history'), 'history'), [150, 50], history),
    loop('costs', createRollupLoop(rebuilds('costs'), 'costs'), [150, 50], costs),
    loop('attribution', createAttributionLoop(credits), [150, 0], stores.attributionQueue),
    // A loop for each shard: one that is away stops none of the others.
    ...shards.each.flatMap((warehouse, shard) => [
      loop('audit', openAuditLoop(stores, warehouse, { shard, metrics, log }), [200, 0]),
      loop('push counts', createPushCounting(warehouse), [COUNT_EVERY_MS, 100]),
      loop('stored settings', createSettingsLoop({ warehouse, log }), [COMPLETE_EVERY_MS, 0]),
      ...(alerts ? alertLoops(alerts, warehouse, shard) : []),
    ]),
    loop('sources', () => stores.sources.persistLocks(), [5_000, 0]),
    loop('limits of BI users', createBiLimitsLoop({ servers: stores.servers, metrics, log }), [1_000, 1_000]),
    loop('reservations', sweep, [5_000, 10]),
    loop('freshness', () => freshness.look(), [200, 200]),
  ];

  return {
    async stop() {
      for (const joiner of joiners) joiner.stop();
      await Promise.all([...loops.map((loop) => loop.stop()), ...consumers.map((consumer) => consumer.close())]);
    },
  };
}

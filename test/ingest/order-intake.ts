import type { Redis } from 'ioredis';
import type { Sender } from '../../src/domain/ingest.js';
import { RequestError } from '../../src/errors.js';
import { createGroupCommit } from '../../src/ingest/group-commit.js';
import { createOrderDeletion } from '../../src/ingest/order-deletion.js';
import { createOrderCommit } from '../../src/ingest/order-commit.js';
import { createOrderIntake } from '../../src/ingest/orders.js';
import { jobBytes, type AnyNewJob, type GroupJob, type OrdersPush } from '../../src/queue/jobs.js';
import type { JobCommand } from '../../src/queue/producer.js';
import { createOrderVersions } from '../../src/redis/order-versions.js';
import { createSourceState } from '../../src/redis/sources.js';
import { createStamps } from '../../src/redis/stamps.js';
import { createSourceRegistry } from '../../src/repositories/sources.js';
import { ORDER_DAYS_HEAD, ORDERS_HEAD } from '../../src/warehouse/columns/orders.js';
import type { NewestVersions } from '../../src/warehouse/queries/settle-orders.js';
import { createRedisClient } from '../simulation/redis/client.js';
import { createRedisServer } from '../simulation/redis/server.js';

export const sender: Sender = { shopId: 'shop', keyLast4: 'abcd', requestId: 'r', traceId: '' };

/** Where a script leaves the data of the job that it adds. */
const ADDED = 'test:added';
const ADD_JOB = `local function add_job(keys, args) redis.call('SET', '${ADDED}', args[2]) end\n`;

interface Around {
  /** Takes a job of the queue. */
  add?: (job: AnyNewJob) => Promise<void>;
  newestVersions?: NewestVersions;
}

/** The real way in of orders of one shop, on a Redis in memory, with a queue that can be away. */
export async function startOrderIntake({ add, newestVersions = () => Promise.resolve(new Map()) }: Around = {}) {
  const now = (): number => Date.parse('2026-07-01T00:00:00Z');
  const redis = createRedisClient(
    createRedisServer(() => now() * 1_000),
    (work) => Promise.resolve(work()),
  );
  const queue = { isAway: false, jobs: 0 };
  const producer = {
    add: (_queue: string, _jobId: string, job: AnyNewJob): Promise<void> => {
      if (queue.isAway) return Promise.reject(new RequestError([{ code: 'queue_unavailable', message: 'away' }], 1));
      queue.jobs++;
      return add?.(job) ?? Promise.resolve();
    },
    async addBy<T>(
      name: string,
      jobId: string,
      job: AnyNewJob,
      run: (redis: Redis, command: JobCommand) => Promise<T>,
    ): Promise<T> {
      if (queue.isAway) throw new RequestError([{ code: 'queue_unavailable', message: 'away' }], 1);
      const result = await run(redis, { lua: ADD_JOB, keys: [], args: ['', jobBytes(job), ''] });
      const text = await redis.get(ADDED);
      await redis.del(ADDED);
      if (text === null) return result;
      const { rows, ...rest } = JSON.parse(text) as GroupJob<unknown>;
      await producer.add(name, jobId, { ...rest, rows: Buffer.from(rows, 'base64') });
      return result;
    },
  };
  const takeStamps = createStamps(redis);
  const sources = createSourceRegistry({
    shardOf: () => 0,
    state: createSourceState(redis),
    takeStamps,
    now,
    store: { find: () => Promise.resolve(null), shopIds: () => Promise.resolve([]), write: () => Promise.resolve() },
  });
  await sources.put('shop', { platform: 'x', currency: 'EUR', timezone: 'UTC', shopDomain: null });
  const versions = createOrderVersions(redis);
  const commit = createGroupCommit<OrdersPush>({ producer, queue: 'orders', heads: [ORDERS_HEAD, ORDER_DAYS_HEAD] });
  const takeOrders = createOrderIntake({
    sources,
    versions,
    now,
    gateways: { admit: () => Promise.resolve(new Set<string>()) },
    newestVersions,
    commit: createOrderCommit({ producer }),
    openRejections: () => ({ add: () => undefined, keep: () => Promise.resolve() }),
  });
  const deleteOrder = createOrderDeletion({ sources, versions, newestVersions, commit, takeStamps, now });
  return { redis, queue, sources, versions, takeOrders, deleteOrder, now };
}

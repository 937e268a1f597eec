import type { Sender } from '../../src/domain/ingest.js';
import { RequestError } from '../../src/errors.js';
import { createGroupCommit } from '../../src/ingest/group-commit.js';
import { createOrderDeletion } from '../../src/ingest/order-deletion.js';
import { createOrderIntake } from '../../src/ingest/orders.js';
import type { AnyNewJob, OrdersPush } from '../../src/queue/jobs.js';
import { createOrderVersions } from '../../src/redis/order-versions.js';
import { createSourceState } from '../../src/redis/sources.js';
import { createStamps } from '../../src/redis/stamps.js';
import { createSourceRegistry } from '../../src/repositories/sources.js';
import { ORDER_DAYS_HEAD, ORDERS_HEAD } from '../../src/warehouse/columns/orders.js';
import type { NewestVersions } from '../../src/warehouse/queries/settle-orders.js';
import { createRedisClient } from '../simulation/redis/client.js';
import { createRedisServer } from '../simulation/redis/server.js';

export const sender: Sender = { shopId: 'shop', keyLast4: 'abcd', requestId: 'r', traceId: '' };

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
    commit,
    openRejections: () => ({ add: () => undefined, keep: () => Promise.resolve() }),
  });
  const deleteOrder = createOrderDeletion({ sources, versions, newestVersions, commit, takeStamps, now });
  return { redis, queue, sources, versions, takeOrders, deleteOrder, now };
}

import { expect } from 'chai';
import type { Sender } from '../../src/domain/ingest.js';
import { RequestError } from '../../src/errors.js';
import { createGroupCommit } from '../../src/ingest/group-commit.js';
import { createOrderDeletion } from '../../src/ingest/order-deletion.js';
import type { OrdersPush } from '../../src/queue/jobs.js';
import { createOrderVersions } from '../../src/redis/order-versions.js';
import { createSourceState } from '../../src/redis/sources.js';
import { createStamps } from '../../src/redis/stamps.js';
import { createSourceRegistry } from '../../src/repositories/sources.js';
import { ORDER_DAYS_HEAD, ORDERS_HEAD } from '../../src/warehouse/columns/orders.js';
import { createRedisClient } from '../simulation/redis/client.js';
import { createRedisServer } from '../simulation/redis/server.js';

const sender: Sender = { shopId: 'shop', keyLast4: 'abcd', requestId: 'r', traceId: '' };

/** Deletions on a Redis in memory, with a warehouse that is away. */
async function start() {
  const now = (): number => Date.parse('2026-03-03T00:00:00Z');
  const redis = createRedisClient(
    createRedisServer(() => now() * 1_000),
    (work) => Promise.resolve(work()),
  );
  const queue = { jobs: 0, isAway: false };
  const add = (): Promise<void> => {
    if (queue.isAway) return Promise.reject(new RequestError([{ code: 'queue_unavailable', message: 'away' }], 1));
    queue.jobs++;
    return Promise.resolve();
  };
  const sources = createSourceRegistry({
    state: createSourceState(redis),
    takeStamps: createStamps(redis),
    shardOf: () => 0,
    now,
    store: { find: () => Promise.resolve(null), shopIds: () => Promise.resolve([]), write: () => Promise.resolve() },
  });
  await sources.put('shop', { platform: 'x', currency: 'EUR', timezone: 'UTC', shopDomain: null });
  const versions = createOrderVersions(redis);
  const remove = createOrderDeletion({
    sources,
    versions,
    newestVersions: () => Promise.reject(new Error('no warehouse')),
    commit: createGroupCommit<OrdersPush>({
      producer: { add },
      queue: 'orders',
      heads: [ORDERS_HEAD, ORDER_DAYS_HEAD],
    }),
    now,
  });
  const outcome = async (): Promise<string> => {
    try {
      return (await remove(sender, 'o')) === null ? 'unknown' : 'deleted';
    } catch (error) {
      return error instanceof RequestError ? error.errors[0].code : String(error);
    }
  };
  return { redis, queue, versions, outcome };
}

describe('the deletion of an order while the warehouse is away', () => {
  it('is queued where Redis knows the order, one microsecond after a version that is ahead of now', async () => {
    const { redis, queue, versions, outcome } = await start();
    const ahead = Date.parse('2026-03-03T12:00:00Z') * 1000;
    await redis.hset('versions:{shop}', 'o', `${ahead}:mark`);
    expect(await outcome()).to.equal('deleted');
    expect(queue.jobs).to.equal(1);
    expect(await versions.find('shop', 'o')).to.equal(ahead + 1);
  });

  it('leaves the version as it was when the queue refuses it', async () => {
    const { redis, queue, versions, outcome } = await start();
    await redis.hset('versions:{shop}', 'o', '5:mark');
    queue.isAway = true;
    expect(await outcome()).to.equal('queue_unavailable');
    expect(await versions.find('shop', 'o')).to.equal(5);
  });

  it('is not found where Redis knows all orders of the shop, and else the warehouse is needed', async () => {
    const { redis, queue, outcome } = await start();
    expect(await outcome()).to.equal('unknown');
    await redis.hdel('source:{shop}', 'known_from');
    expect(await outcome()).to.equal('store_unavailable');
    expect(queue.jobs).to.equal(0);
  });
});

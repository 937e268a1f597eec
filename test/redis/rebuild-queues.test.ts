import { expect } from 'chai';
import { createRebuildQueues, REBUILD_LANES } from '../../src/redis/rebuild-queues.js';
import { createRedisClient } from '../simulation/redis/client.js';
import { createRedisServer } from '../simulation/redis/server.js';

/** Of each shop as many days as it says, touched by as many orders. */
async function lanesOf(shops: Record<string, { days: number; orders: number }>) {
  const redis = createRedisClient(
    createRedisServer(() => 1_767_225_600_000_000),
    (work) => Promise.resolve(work()),
  );
  const rebuildQueues = createRebuildQueues(redis);
  const idsOf = (what: 'days' | 'orders', toId: (n: number) => string) =>
    new Map(
      Object.entries(shops).map(([shop, counts]) => [shop, Array.from({ length: counts[what] }, (_, n) => toId(n))]),
    );
  const dayOf = (n: number): string => new Date(n * 86_400_000).toISOString().slice(0, 10);
  const told = await rebuildQueues.add('fresh', idsOf('days', dayOf), idsOf('orders', String));
  const counts = await Promise.all(REBUILD_LANES.map((lane) => rebuildQueues.lanes[lane].count()));
  return { told: Object.fromEntries(told), counts };
}

describe('days to rebuild', () => {
  it('are fresh for a shop that touches no more than 100 days by 100 orders at once, beside one that imports', async () => {
    const { told, counts } = await lanesOf({
      live: { days: 100, orders: 100 },
      importing: { days: 1, orders: 101 },
    });
    expect(told).to.deep.equal({ live: 'fresh', importing: 'history' });
    expect(counts).to.deep.equal([100, 1, 0]);
  });

  it('of more than 100 days at once are history, however few orders touched them', async () => {
    const { told, counts } = await lanesOf({ refunding: { days: 101, orders: 1 } });
    expect(told).to.deep.equal({ refunding: 'history' });
    expect(counts).to.deep.equal([0, 101, 0]);
  });
});

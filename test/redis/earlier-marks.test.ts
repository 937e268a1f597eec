import { expect } from 'chai';
import { Redis } from 'ioredis';
import { createDirtyDays } from '../../src/redis/dirty-days.js';
import { adoptEarlierMarks } from '../../src/redis/earlier-marks.js';
import { createMarks } from '../../src/redis/marks.js';
import { sharedEngines } from '../support/shared-engines.js';

describe('marks of the first release', () => {
  it('are taken over, each in its lane', async () => {
    // A database of its own: the keys of the first release are the same for all.
    const redis = new Redis((await sharedEngines()).redis.url, { db: 9 });
    try {
      await redis.flushdb();
      await redis.zadd('dirty:fresh', 1, 'x\n2026-03-01');
      await redis.hset('dirty:fresh:stamps', 'x\n2026-03-01', '1');
      await redis.zadd('dirty:restate', 1, 'x\n2026-01-01');
      await redis.zadd('dirty:orders', 1, 'x\n1001');
      const dirtyDays = createDirtyDays(redis);
      const dirtyOrders = createMarks(redis, 'dirty:orders');
      expect(await adoptEarlierMarks(redis, dirtyDays, dirtyOrders)).to.equal(false);
      const taken = await Promise.all(
        [dirtyDays.lanes.fresh, dirtyDays.lanes.history, dirtyOrders].map((marks) => marks.claim(9, 1_000)),
      );
      expect(taken.map((claims) => claims.map(({ id }) => id))).to.deep.equal([
        ['2026-03-01'],
        ['2026-01-01'],
        ['1001'],
      ]);
      expect(await redis.exists('dirty:fresh', 'dirty:fresh:stamps', 'dirty:restate', 'dirty:orders')).to.equal(0);
    } finally {
      redis.disconnect();
    }
  });
});

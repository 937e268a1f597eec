import { expect } from 'chai';
import { Redis } from 'ioredis';
import { createDirtyDays } from '../../src/redis/dirty-days.js';
import { adoptEarlierMarks } from '../../src/redis/earlier-marks.js';
import { createMarks } from '../../src/redis/marks.js';
import { sharedEngines } from '../support/shared-engines.js';

describe('marks of the first release', () => {
  let redis: Redis;
  before(async () => {
    // A database of its own: the keys of the first release are the same for all.
    redis = new Redis((await sharedEngines()).redis.url, { db: 9 });
  });
  beforeEach(() => redis.flushdb());
  after(() => redis.disconnect());

  it('are taken over, each in its lane', async () => {
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
    expect(taken.map((claims) => claims.map(({ id }) => id))).to.deep.equal([['2026-03-01'], ['2026-01-01'], ['1001']]);
    expect(await redis.exists('dirty:fresh', 'dirty:fresh:stamps', 'dirty:restate', 'dirty:orders')).to.equal(0);
  });

  it('are taken over again when a worker of that release sets them meanwhile', async () => {
    for (const day of ['2026-03-01', '2026-03-02', '2026-03-03']) {
      await redis.zadd('dirty:fresh', 1, `x\n${day}`);
      await redis.hset('dirty:fresh:stamps', `x\n${day}`, '1');
    }
    const dirtyDays = createDirtyDays(redis);
    const meanwhile: typeof dirtyDays = {
      ...dirtyDays,
      async mark(...args) {
        const lanes = await dirtyDays.mark(...args);
        await redis.zadd('dirty:fresh', 2, 'x\n2026-03-01');
        await redis.hset('dirty:fresh:stamps', 'x\n2026-03-02', '2');
        return lanes;
      },
    };
    await adoptEarlierMarks(redis, meanwhile, createMarks(redis, 'dirty:orders'));
    expect(await redis.zrange('dirty:fresh', '0', '-1')).to.deep.equal(['x\n2026-03-02', 'x\n2026-03-01']);
    await adoptEarlierMarks(redis, dirtyDays, createMarks(redis, 'dirty:orders'));
    expect(await redis.exists('dirty:fresh', 'dirty:fresh:stamps')).to.equal(0);
  });
});

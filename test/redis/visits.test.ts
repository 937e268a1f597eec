import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { connectState } from '../../src/redis/redis.js';
import { createVisits } from '../../src/redis/visits.js';
import { sharedEngines } from '../support/shared-engines.js';

const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 0, 1);

describe('visits of people', () => {
  let redis: Redis;
  let people = 0;
  const fresh = (): string => `person-${process.pid}-${++people}`;
  before(async () => {
    redis = connectState((await sharedEngines()).redis);
  });
  after(() => redis.disconnect());

  it('end when nothing was looked at for half an hour, each of a person and a shop', async () => {
    const visits = createVisits(redis);
    const person = fresh();
    const ends: (number | null)[] = [];
    for (const minute of [0, 20, 49, 80, 90, 119, 500]) {
      const at = START + minute * MINUTE_MS;
      const end = await visits.endBefore(person, 'a', at);
      await visits.note(person, 'a', at);
      // The same before the look is noted and after it.
      expect(await visits.endBefore(person, 'a', at)).to.equal(end);
      ends.push(end === null ? null : (end - START) / MINUTE_MS);
    }
    expect(ends).to.deep.equal([null, null, null, 49, 49, 49, 119]);
    expect(await visits.endBefore(person, 'b', START)).to.equal(null);
    expect(await visits.endBefore(fresh(), 'a', START)).to.equal(null);
  });

  it('are kept of the 1,000 shops looked at last, for 400 days, until the person is forgotten', async () => {
    const visits = createVisits(redis);
    const person = fresh();
    const key = `app:visits:${person}`;
    await redis.hset(key, Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`shop-${i}`, `0 ${START + i}`])));
    for (const shop of [1_000, 1_001, 1_002]) await visits.note(person, `shop-${shop}`, START + shop);
    const later = START + 40 * MINUTE_MS;
    const known = await Promise.all([0, 2, 3, 1_002].map((shop) => visits.endBefore(person, `shop-${shop}`, later)));
    expect(known).to.deep.equal([null, null, START + 3, START + 1_002]);
    expect(await redis.hlen(key)).to.equal(1_000);
    expect(await redis.ttl(key)).to.be.within(399 * 86_400, 400 * 86_400);
    await visits.forget(person);
    expect(await redis.exists(key)).to.equal(0);
  });
});

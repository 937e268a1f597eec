import { expect } from 'chai';
import { Redis } from 'ioredis';
import { createReserveWithJob, type VersionClaim } from '../../src/redis/order-versions.js';
import { createSourceState } from '../../src/redis/sources.js';
import { sharedEngines } from '../support/shared-engines.js';

const SHOP = 'known-orders';
/** No other test has reservations in it. */
const DATABASE = 11;
const JOB = 'a job of known orders';
/** Keeps the data of the job. */
const ADD_JOB = `local function add_job(keys, args) redis.call('SET', keys[1], args[2]) end`;

describe('what a job says of its orders', () => {
  let redis: Redis;
  before(async () => {
    redis = new Redis(`${(await sharedEngines()).redis.url}/${DATABASE}`);
    await redis.flushdb();
  });
  after(async () => {
    await redis.flushdb();
    redis.disconnect();
  });

  it('is whether each is new, known, or neither for sure', async () => {
    const settings = { platform: 'p', currency: 'EUR', timezone: 'UTC', shopDomain: null };
    const sourceRevision = (await createSourceState(redis).put(SHOP, settings, 1))?.revision ?? '';
    const reserve = createReserveWithJob();
    let pushes = 0;
    const outcomes = async (...claims: [orderId: string, updatedAt: number, stored?: VersionClaim['stored']][]) => {
      const push = {
        shopId: SHOP,
        batchId: `${SHOP}-${++pushes}`,
        jobKey: JOB,
        sourceRevision,
        nowMs: 1,
        dryRun: false,
        claims: claims.map(([orderId, updatedAt, stored]) => ({
          orderId,
          updatedAt,
          ...(stored !== undefined && { stored }),
        })),
      };
      const noRows = Buffer.alloc(0);
      await reserve(redis, { lua: ADD_JOB, keys: [JOB], args: ['', Buffer.from('{"schema":2}'), noRows] }, [push]);
      const { reserved } = JSON.parse((await redis.get(JOB)) ?? '') as { reserved: [string, number][] };
      return reserved[0]?.[0];
    };
    const forget = (upTo: number) => redis.hset(`source:{${SHOP}}`, 'known_from', upTo);

    expect(await outcomes(['a', 2], ['b', 2]), 'all orders of the shop are known').to.equal('nn');
    expect(await outcomes(['a', 1], ['b', 3], ['c', 1], ['c', 1])).to.equal('sknk');
    await forget(5);
    expect(await outcomes(['d', 6], ['e', 7]), 'some were forgotten').to.equal('aa');
    expect(await outcomes(['b', 6], ['f', 6], ['f', 7], ['g', 6])).to.equal('kaka');
    expect(await outcomes(['h', 4, null], ['i', 4, 3], ['j', 4, 5], ['k', 4, 'unknown'])).to.equal('nksa');
    await redis.hdel(`source:{${SHOP}}`, 'known_from');
    expect(await outcomes(['l', 9, 'unknown']), 'nothing is known').to.equal('a');
  });
});

import { expect } from 'chai';
import { Redis } from 'ioredis';
import { createRebuildQueues } from '../../../src/redis/rebuild-queues.js';
import { createRebuildQueue, type Claim } from '../../../src/redis/rebuild-queue.js';
import { createOrderVersions, type VersionClaim } from '../../../src/redis/order-versions.js';
import { createReceipts } from '../../../src/redis/receipts.js';
import { createShopNamesState } from '../../../src/redis/shop-names.js';
import { createSourceState } from '../../../src/redis/sources.js';
import { createStamps } from '../../../src/redis/stamps.js';
import { sharedEngines } from '../../support/shared-engines.js';
import { createRandom, type Random } from '../world/random.js';
import { createRedisClient } from './client.js';
import type { Value } from './keyspace.js';
import { createRedisServer } from './server.js';

const SHOPS = ['a', 'b', 'ü c'];
const IDS = ['1', '2', '3', 'x y'];
const STEPS = 400;
/** Tells the real scripts what time it is, so that both live in the same moment. */
const CLOCK = 'simulated:clock';

type Step = (redis: Redis) => Promise<unknown>;

describe('the simulated Redis', () => {
  let real: Redis;
  let micros = Date.UTC(2026, 0, 1) * 1000;

  before(async () => {
    real = new Redis((await sharedEngines()).redis.url, { db: 11 });
    const run = real.eval.bind(real) as (...args: unknown[]) => Promise<unknown>;
    real.evalsha = () => Promise.reject(new Error('NOSCRIPT'));
    real.eval = (lua: unknown, ...rest: unknown[]) =>
      run(String(lua).replaceAll("redis.call('TIME')", `cjson.decode(redis.call('GET', '${CLOCK}'))`), ...rest);
  });
  beforeEach(() => real.flushdb());
  after(async () => {
    await real.flushdb();
    real.disconnect();
  });

  const pass = async (us: number): Promise<void> => {
    micros += us;
    await real.set(CLOCK, JSON.stringify([String(Math.floor(micros / 1e6)), String(micros % 1e6)]));
  };

  for (const seed of [1, 2, 3]) {
    it(`answers as the real one and holds the same in the end, whatever is asked of it (random operations ${seed})`, async () => {
      const random = createRandom(seed);
      const server = createRedisServer(() => micros);
      const fake = createRedisClient(server, (work) => Promise.resolve(work()));
      const steps = createSteps(random);
      for (let i = 0; i < STEPS; i++) {
        await pass(random.int(0, 1) * random.int(0, 3_000_000));
        const [name, step] = steps();
        const answers = await Promise.all([step(real), step(fake)]);
        expect(answers[1], `step ${i}: ${name}`).to.deep.equal(answers[0]);
      }
      await real.del(CLOCK);
      expect(dumpOf(server.keys.values)).to.deep.equal(await dumpOfReal(real));
    });
  }
});

/** Random operations of the modules; each runs against whichever Redis it is given. */
function createSteps(random: Random): () => [string, Step] {
  let batches = 0;
  const claims: Claim[] = [];
  const named: string[] = [];
  const some = <T>(list: readonly T[]): T[] => list.filter(() => random.chance(0.5));
  const batch = (): string => (named.length === 0 ? 'none' : random.pick(named));
  const shop = (): string => random.pick(SHOPS);

  const versionClaims = (): VersionClaim[] =>
    Array.from({ length: random.int(1, 4) }, () => ({
      orderId: random.pick(IDS),
      updatedAt: random.int(1, 20) * 1_000_000,
      ...(random.chance(0.3) && { stored: random.chance(0.5) ? null : random.int(1, 20) * 1_000_000 }),
    }));

  return () => {
    const [shopId, limit, lease, took] = [shop(), random.int(1, 5), random.int(1, 4_000), random.int(0, 4_000)];
    const ids = some(IDS);
    const held = some(claims);
    const place = random.chance(0.3) ? { place: random.int(-9, 9) } : {};
    const now = 1_767_225_600_000 + random.int(0, 100);
    switch (random.int(0, 12)) {
      case 0:
      case 1:
        return ['add', (redis) => createRebuildQueue(redis, 'm').add(ids.map((id) => ({ shopId, id, ...place })))];
      case 2:
        return [
          'claim',
          async (redis) => {
            const found = await createRebuildQueue(redis, 'm').claim(limit, lease);
            for (const one of found)
              if (!claims.some(({ token, id }) => token === one.token && id === one.id)) claims.push(one);
            return found;
          },
        ];
      case 3:
        return ['renew', (redis) => createRebuildQueue(redis, 'm').renew(held, lease)];
      case 4:
        return [
          'finish',
          (redis) => (held.length === 0 ? Promise.resolve() : createRebuildQueue(redis, 'm').finish(held, took)),
        ];
      case 5:
        return ['release', (redis) => createRebuildQueue(redis, 'm').release(held)];
      case 6: {
        const [one] = held;
        return [
          'quarantine',
          (redis) =>
            one === undefined ? Promise.resolve() : createRebuildQueue(redis, 'm').quarantine(one, 'why not'),
        ];
      }
      case 7:
        return [
          'unfinished',
          async (redis) => {
            const [queue, stamp] = [createRebuildQueue(redis, 'm'), Number(claims[0]?.token.split(':')[0] ?? 0)];
            const ranges = [['2', '4']] as const;
            return [
              await queue.unfinished(shopId, IDS, stamp),
              (await queue.open(shopId, { stamp, limit: 9 })).sort(),
              (await queue.open(shopId, { stamp, limit: 9, ranges })).sort(),
            ];
          },
        ];
      case 8: {
        const list = versionClaims();
        const [dryRun, revision, sign] = [random.chance(0.2), random.chance(0.8), random.chance(0.5)];
        const batchId = `00000000-0000-7000-8000-${String(++batches).padStart(12, '0')}`;
        named.push(batchId);
        return [
          'put and reserve',
          async (redis) => {
            const sources = createSourceState(redis);
            const settings = { platform: 'p', currency: sign ? 'EUR' : 'USD', timezone: 'UTC', shopDomain: null };
            const put = await sources.put(shopId, settings, now);
            const sourceRevision = revision ? ((await sources.get(shopId))?.revision ?? '') : '0';
            const request = {
              shopId,
              batchId,
              jobKey: `bull:orders:${batches % 3}`,
              sourceRevision,
              nowMs: now,
              dryRun,
            };
            return [put, await createOrderVersions(redis).reserve({ ...request, claims: list })];
          },
        ];
      }
      case 9: {
        const some_ = batch();
        return ['release a push', (redis) => createOrderVersions(redis).release(some_, now)];
      }
      case 10: {
        const list = [batch()];
        return ['settle', (redis) => createOrderVersions(redis).settle(list, now)];
      }
      case 11: {
        const budget = random.int(0, 10);
        return ['sweep', (redis) => createOrderVersions(redis).sweep({ beforeMs: now, nowMs: now, budget, limit: 10 })];
      }
      default: {
        const [known, count, stamp] = [batch(), random.int(1, 9), random.int(1, 9)];
        return [
          'receipts, names and days',
          async (redis) => {
            const receipts = createReceipts(redis);
            const names = createShopNamesState(redis, 'channels');
            await names.fill(shopId, ids);
            const days = { fresh: [{ from: 1, to: 2 }], history: [], costs: [] };
            const push = { shopId, batchId: `push-${count}` };
            const opened = await receipts.open({ ...push, jobKey: `bull:spend:${count}`, count });
            await receipts.store(stamp, new Map([[shopId, { batchIds: [known], days }]]));
            return [
              opened,
              await receipts.find({ shopId, batchId: known }),
              await receipts.find(push, { isLogged: count > 5 }),
              await names.admit(shopId, ['1', 'new', 'newer'], { most: 3, dryRun: false }),
              await createStamps(redis)(count),
              await createRebuildQueues(redis).add('fresh', new Map([[shopId, ['2026-01-01', '2026-01-02']]])),
              await createRebuildQueue(redis, 'rebuild:fresh').count(),
              await createRebuildQueue(redis, 'm').failures(shopId, 10),
            ];
          },
        ];
      }
    }
  };
}

function dumpOf(values: ReadonlyMap<string, Value>): Record<string, unknown> {
  const plain = (value: Value): unknown => {
    if (typeof value === 'string' || Array.isArray(value)) return value;
    if (value instanceof Map) return Object.fromEntries(value);
    return value instanceof Set ? [...value].sort() : Object.fromEntries(value.scores);
  };
  return Object.fromEntries([...values].map(([key, value]) => [key, plain(value)]));
}

async function dumpOfReal(redis: Redis): Promise<Record<string, unknown>> {
  const dump: Record<string, unknown> = {};
  for (const key of await redis.keys('*')) {
    switch (await redis.type(key)) {
      case 'string':
        dump[key] = await redis.get(key);
        break;
      case 'hash':
        dump[key] = await redis.hgetall(key);
        break;
      case 'set':
        dump[key] = (await redis.smembers(key)).sort();
        break;
      default: {
        const flat = await redis.zrange(key, '0', '-1', 'WITHSCORES');
        dump[key] = Object.fromEntries(
          flat.flatMap((member, i) => (i % 2 === 0 ? [[member, Number(flat[i + 1])]] : [])),
        );
      }
    }
  }
  return dump;
}

import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { keptPort } from '../support/remembered-port.js';
import { jobKey, QUEUE_PREFIX } from '../../src/queue/jobs.js';
import { until } from '../embedded/processes.js';
import { startEngines, type Engines } from '../support/engines.js';
import { keepAlive, type KeptAlive } from '../support/keep-alive.js';
import { FLOOD_EVENTS, startLoudShop, type LoudShop } from '../support/loud-shops.js';
import { storeOrder } from '../support/store-order.js';
import { environmentOf, startService, type Answer, type Service, type Shop } from '../support/service.js';

/** A history of four years. */
const ORDERS = 24_000;
const APART_MS = 90 * 60_000;
const BAD_ORDERS = 2_400;
const QUIET_ORDERS = 5;
const PATIENCE_MS = 240_000;
const MB = 1024 ** 2;
const DAY = '2026-03-01';

describe('more than can be worked off', function () {
  this.timeout(600_000);
  let engines: Engines;
  /** A connection that waits, however busy the machine is. */
  let redis: Redis;
  let service: Service;
  const running: KeptAlive[] = [];
  const loud: LoudShop[] = [];

  before(async () => {
    engines = await startEngines();
    redis = new Redis(engines.redis.url, { maxRetriesPerRequest: null });
  });
  after(async () => {
    redis.disconnect();
    await engines.stop();
  });
  afterEach(async () => {
    await Promise.all(loud.splice(0).map((shop) => shop.stop()));
    await Promise.all(running.splice(0).map((process) => process.stop()));
    await service.stop();
  });

  const begin = async (env: NodeJS.ProcessEnv = {}): Promise<void> => {
    service = await startService({ workers: false, base: await environmentOf(engines), env });
  };
  const shout = (order: Parameters<typeof startLoudShop>[0]): LoudShop => {
    const shop = startLoudShop(order);
    loud.push(shop);
    return shop;
  };
  const push = (shop: Shop, id: string): Promise<Answer> =>
    shop.call('POST', '/v1/orders', { orders: [storeOrder(id, `${DAY}T12:00:00Z`, '1')] });
  const figures = async (shop: Shop): Promise<{ orders: number; revenue: string }> => {
    const [row] = await service.stores.warehouse.query<{ orders: string; revenue: string }>(
      "SELECT toUInt64(sum(sums['orders'])) AS orders, sum(sums['revenue']) AS revenue FROM daily_orders FINAL WHERE shop_id = {shop:String}",
      { shop: shop.id },
    );
    return { orders: Number(row?.orders ?? 0), revenue: row?.revenue ?? '' };
  };
  const queued = async (): Promise<number> => {
    const { waiting = 0, active = 0, delayed = 0 } = await service.deps.producer.counts('orders');
    return waiting + active + delayed;
  };
  const expectRefused = (answer: Answer): void => {
    expect([answer.status, answer.body.errors?.[0].code]).to.deep.equal([503, 'queue_unavailable']);
    expect(answer.headers.get('retry-after')).to.match(/^[1-9]\d*$/);
  };

  it('delays no other shop: orders pushed last show before what one imported is computed, while others flood', async () => {
    await begin();
    const [quiet, importing, careless] = await Promise.all([
      service.shop(),
      service.shop({ currency: 'GBP' }),
      service.shop({ currency: 'GBP' }),
    ]);
    const flooding = { id: `flooding-${process.pid}`, token: await service.key(`flooding-${process.pid}`, 'pixel') };
    const port = await keptPort();
    const env = { ...(await environmentOf(engines)), PORT: String(port), LOG_LEVEL: 'info', ACCESS_LOG: 'off' };
    const start = (script: string): Promise<void> => {
      const process = keepAlive(script, env);
      running.push(process);
      return process.started();
    };
    await start('dist/src/main.js');

    // No worker runs yet: whatever the machine's speed, all of the import is before the first order of the quiet shop.
    const url = `http://127.0.0.1:${port}`;
    const imported = shout({ url, kind: 'import', key: importing.key, items: ORDERS, apartMs: APART_MS });
    const ofImport = await imported.done;
    const flood = shout({ url, kind: 'flood', key: flooding.token, items: Number.MAX_SAFE_INTEGER });
    const refused = shout({ url, kind: 'bad orders', key: careless.key, items: BAD_ORDERS });
    const isImportOpen = async (): Promise<boolean> => {
      if ((await queued()) > 0) return true;
      const lanes = Object.values(service.stores.rebuildQueues.lanes);
      const open = { stamp: Number.MAX_SAFE_INTEGER, limit: 1 };
      return (await Promise.all(lanes.map((lane) => lane.open(importing.id, open)))).flat().length > 0;
    };

    const ask = (path: string, init?: RequestInit): Promise<Response> =>
      fetch(url + path, {
        ...init,
        headers: { authorization: `Bearer ${quiet.key}`, 'content-type': 'application/json' },
      });
    let pushed = 0;
    const pushQuietly = (): Promise<string> => {
      const orders = [storeOrder(`quiet-${pushed++}`, `${DAY}T12:00:00Z`, '1')];
      // What the stores can't take in time is sent again.
      return until(
        'the order is taken',
        async () => {
          const answer = await ask('/v1/orders', { method: 'POST', body: JSON.stringify({ orders }) });
          expect(answer.status).to.be.oneOf([200, 503]);
          return ((await answer.json()) as { receipt?: string }).receipt;
        },
        PATIENCE_MS,
      );
    };
    const seeAfter = async (receipt: string): Promise<void> => {
      const shown = await until(
        'the order shows',
        async () => {
          const read = await ask(`/v1/metrics?from=${DAY}&to=${DAY}&after=${receipt}`);
          const body = (await read.json()) as { orders?: number };
          expect(read.status).to.be.oneOf([200, 503]);
          return read.status === 200 ? body : null;
        },
        PATIENCE_MS,
      );
      expect(shown.orders).to.equal(pushed);
    };
    const first = await pushQuietly();
    await start('dist/workers/main.js');
    await seeAfter(first);
    expect(await isImportOpen()).to.equal(true);
    for (let i = 1; i < QUIET_ORDERS; i++) await seeAfter(await pushQuietly());
    flood.hush();
    const [ofCareless, ofFlood] = await Promise.all([refused.done, flood.done]);
    expect(ofImport).to.include({ taken: ORDERS, rejected: 0, withoutWait: 0 });
    expect(ofCareless).to.include({ taken: 0, rejected: BAD_ORDERS, withoutWait: 0 });
    expect(ofFlood).to.include({ rejected: 0, withoutWait: 0 });

    await service.settled();
    expect(await figures(importing)).to.deep.equal({ orders: ORDERS, revenue: decimal(ofImport.cents) });
    expect(await figures(quiet)).to.deep.equal({ orders: pushed, revenue: String(pushed) });
    const [told] = await service.stores.warehouse.query<{ events: string; rejected: string }>(
      `SELECT (SELECT count() FROM events FINAL WHERE shop_id = {flooding:String}) AS events,
              (SELECT sum(rejected) FROM ingest_log FINAL WHERE shop_id = {careless:String}) AS rejected`,
      { flooding: flooding.id, careless: careless.id },
    );
    const events = String(Math.min(FLOOD_EVENTS, ofFlood.taken));
    expect(told).to.deep.equal({ events, rejected: String(BAD_ORDERS) });
  });

  it('in bytes is refused early with a time to wait, is drained all the same, and what was taken is in the figures', async () => {
    await begin();
    const [shop, importing] = await Promise.all([service.shop(), service.shop({ currency: 'GBP' })]);
    const usedBytes = async (): Promise<number> => Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]);
    const usual = await redis.config('GET', 'maxmemory');
    const orders = 30_000;
    const fillers: string[] = [];
    try {
      // Writes are refused from three quarters of what Redis may use, to which a few jobs are missing.
      const limit = Math.round(((await usedBytes()) + 44 * MB) / 0.75);
      while ((await usedBytes()) < limit * 0.75 - 2 * MB) {
        fillers.push(`filler ${fillers.length}`);
        await redis.set(fillers.at(-1) ?? '', Buffer.alloc(0.9 * MB));
      }
      await redis.config('SET', 'maxmemory', limit);
      const imported = shout({ url: service.url, kind: 'import', key: importing.key, items: orders });
      let taken = 0;
      const refusal = await until(
        'writes are refused',
        async () => {
          const answer = await push(shop, randomUUID());
          if (answer.status === 200) taken++;
          return answer.status === 200 ? null : answer;
        },
        PATIENCE_MS,
      );
      expectRefused(refusal);
      expect((await shop.call('GET', '/v1/metrics')).status).to.equal(200);

      // Closer to its end Redis stays, whatever leaves the queue.
      await redis.config('SET', 'maxmemory', Math.round((await usedBytes()) * 1.1));
      expect(await queued()).to.be.above(0);
      service.startWorkers();
      await until('the queue is drained', async () => (await queued()) === 0, PATIENCE_MS);
      expectRefused(await push(shop, randomUUID()));

      await redis.del(fillers);
      const ofImport = await imported.done;
      expect(ofImport).to.include({ taken: orders, rejected: 0, withoutWait: 0 });
      expect(ofImport.refused).to.be.above(0);
      await service.settled();
      expect(await figures(importing)).to.deep.equal({ orders, revenue: decimal(ofImport.cents) });
      expect((await figures(shop)).orders).to.equal(taken);
    } finally {
      await redis.del(fillers);
      await redis.config('SET', 'maxmemory', usual[1] ?? '0');
    }
  });

  it('in age is refused until workers have caught up', async () => {
    await begin({ QUEUE_MAX_AGE_SECONDS: '60' });
    const shop = await service.shop();
    expect((await push(shop, 'first')).status).to.equal(200);
    const [job = ''] = await redis.lrange(`${QUEUE_PREFIX}:orders:wait`, -1, -1);
    await redis.hset(jobKey('orders', job), 'timestamp', Date.now() - 120_000);
    let taken = 1;
    const pushUntil = (what: string, status: number): Promise<Answer> =>
      until(
        what,
        async () => {
          const answer = await push(shop, randomUUID());
          if (answer.status === 200) taken++;
          return answer.status === status ? answer : null;
        },
        PATIENCE_MS,
      );
    expectRefused(await pushUntil('writes are refused', 503));
    service.startWorkers();
    await pushUntil('writes are taken again', 200);
    await service.settled();
    expect((await figures(shop)).orders).to.equal(taken);
  });

  it('in age of events is refused to events, and orders go on', async () => {
    await begin({ QUEUE_MAX_AGE_SECONDS: '60' });
    const shop = await service.shop();
    const token = await service.key(shop.id, 'pixel');
    const collect = async (): Promise<number> => {
      const event = { event_id: randomUUID(), type: 'page_view', ts: new Date().toISOString(), anon_id: 'a' };
      const body = { events: [{ ...event, consent: 'analytics', url: 'https://shop.example.com/' }] };
      return (await service.call('POST', '/v1/collect', { key: token, body })).status;
    };
    expect(await collect()).to.equal(204);
    const [job = ''] = await redis.lrange(`${QUEUE_PREFIX}:events:wait`, -1, -1);
    await redis.hset(jobKey('events', job), 'timestamp', Date.now() - 120_000);
    await until('events are refused', async () => (await collect()) === 503, PATIENCE_MS);
    expect((await push(shop, 'first')).status).to.equal(200);
  });
});

/** As the warehouse writes an amount: without zeros at its end. */
const decimal = (cents: number): string => String(cents / 100);

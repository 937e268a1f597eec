import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { expect } from 'chai';
import { exportLetters, importLetters } from '../../../src/cli/queue/letter-files.js';
import { choose, retryLetter } from '../../../src/cli/queue/letters.js';
import { createDeadLetters } from '../../../src/queue/dead-letters.js';
import { JOB_SCHEMA, jobKey, QUEUE_PREFIX } from '../../../src/queue/jobs.js';
import { ORDERS_HEAD } from '../../../src/warehouse/columns/orders.js';
import { packSegments } from '../../../src/queue/segments.js';
import { withFolder } from '../../embedded/processes.js';
import { askUntilFresh } from '../../support/ask-until-fresh.js';
import { paidOrder as order } from '../../support/paid-order.js';
import { startService, type Service } from '../../support/service.js';

/** One whose rows the warehouse refuses. */
function poisonedJob(shopId: string, batch_id: string) {
  const header = {
    shop_id: shopId,
    kind: 'orders',
    batch_id,
    received_at: Date.now(),
    accepted: 1,
    rejected: 0,
    superseded: 0,
    errors: [],
  };
  const segments = [Buffer.from([1, 2, 3]), Buffer.from([4, 5])].map((rows) => ({ head: ORDERS_HEAD, rows }));
  return {
    schema: JOB_SCHEMA,
    pushes: [{ header, order_ids: ['broken'], checkouts: [], bytes: [3, 2] }],
    rows: packSegments(segments),
  };
}

describe('the queue', () => {
  const started: Service[] = [];
  const start = async (options: Parameters<typeof startService>[0] = {}): Promise<Service> => {
    const service = await startService(options);
    started.push(service);
    return service;
  };
  afterEach(async () => {
    for (const service of started.splice(0)) await service.stop();
  });

  it('drains the events that waited in the Redis of all queues when they get one of their own, and those that still go there', async () => {
    const earlier = await start({ workers: false });
    const shop = await earlier.shop();
    const token = await earlier.key(shop.id, 'pixel');
    const collect = async (service: Service): Promise<void> => {
      const event = { event_id: randomUUID(), type: 'page_view', ts: new Date().toISOString(), anon_id: randomUUID() };
      const body = { events: [{ ...event, consent: 'analytics', url: 'https://shop.example.com/' }] };
      expect((await service.call('POST', '/v1/collect', { key: token, body })).status).to.equal(204);
    };
    await collect(earlier);
    const own = new URL(earlier.config.redisUrl ?? '');
    own.pathname = '/1';
    const service = await start({ env: { EVENTS_REDIS_URL: own.href } });
    await collect(service);
    await collect(earlier);
    await earlier.settled();
    await service.settled();
    const sql = 'SELECT toUInt32(count()) AS count FROM events FINAL WHERE shop_id = {shop:String}';
    expect(await service.stores.warehouse.query(sql, { shop: shop.id })).to.deep.equal([{ count: 3 }]);
  });

  it('keeps a poisoned job as a dead letter and drains its neighbours', async () => {
    const service = await start({ workers: false });
    const shop = await service.shop();
    const { producer } = service.deps;
    const batch_id = randomUUID();
    const poisoned = poisonedJob(shop.id, batch_id);
    await shop.call('POST', '/v1/orders', { orders: [order('a')] });
    await producer.add('orders', batch_id, poisoned);
    await shop.call('POST', '/v1/orders', { orders: [order('b')] });
    service.startWorkers();
    await service.settled();

    expect((await shop.call('GET', '/v1/metrics?from=2026-03-01&to=2026-03-01')).body).to.include({ orders: 2 });
    const letters = createDeadLetters(service.stores.redis, 'orders');
    try {
      const letter = await letters.find(batch_id);
      expect(letter?.reason).to.not.equal('');
      const data = await letters.data(batch_id);
      expect(JSON.parse(data ?? '')).to.deep.equal({ ...poisoned, rows: poisoned.rows.toString('base64') });
      expect(await letters.retry(batch_id)).to.equal(true);
      await service.settled();
      expect((await letters.find(batch_id))?.failedAt).to.be.above(letter?.failedAt ?? Infinity);
      expect(await letters.drop(batch_id)).to.equal(true);
    } finally {
      await letters.close();
    }
  });

  it('makes receipts wait for the pushes of a dead letter once it is put back', async () => {
    const service = await start({ workers: false });
    const { redis, receipts } = service.stores;
    const shop = await service.shop();
    const id = randomUUID();
    await receipts.open({ shopId: shop.id, batchId: id, jobKey: jobKey('orders', id), count: 1 });
    await service.deps.producer.add('orders', id, poisonedJob(shop.id, id));
    service.startWorkers();
    await service.settled();
    const push = async (day: number): Promise<string> => {
      const row = { channel: 'Radio', event_date: `2026-03-0${day}`, currency: 'EUR', spend: '2' };
      return (await shop.call('POST', '/v1/costs/spend', { rows: [row] })).body.receipt as string;
    };
    const read = (receipt: string) => shop.call('GET', `/v1/metrics?from=2026-03-01&to=2026-03-09&after=${receipt}`);
    const before = await push(1);
    expect((await askUntilFresh(() => read(before))).status).to.equal(200);
    const queue = new Queue('orders', { connection: redis, prefix: QUEUE_PREFIX });
    const letters = createDeadLetters(redis, 'orders');
    try {
      // It stays in the queue meanwhile.
      await queue.pause();
      expect(await retryLetter(letters, receipts, 'orders', id)).to.equal(true);
      const after = await push(2);
      const waiting = await read(after);
      expect([waiting.status, waiting.body.errors[0].code]).to.deep.equal([503, 'not_fresh_yet']);
      expect((await read(before)).status).to.equal(200);
      await queue.resume();
      expect((await askUntilFresh(() => read(after))).body).to.include({ ad_spend: '4.00' });
      expect(await retryLetter(letters, receipts, 'orders', randomUUID())).to.equal(false);

      // The same of one that is put back from a file.
      while ((await letters.find(id)) === null) await sleep(20);
      await withFolder(async (folder) => {
        const file = join(folder, 'letters.ndjson');
        const exported = {
          queue: 'orders',
          letters,
          chosen: choose(letters, { ids: [id] }),
          file,
          drop: true,
        } as const;
        expect(await exportLetters(exported)).to.equal(1);
        await queue.pause();
        expect(await importLetters('orders', { producer: service.deps.producer, receipts }, file)).to.equal(1);
      });
      const last = await push(3);
      expect((await read(last)).status).to.equal(503);
      await queue.resume();
      expect((await askUntilFresh(() => read(last))).body).to.include({ ad_spend: '6.00' });
      expect(await letters.drop(id)).to.equal(true);
    } finally {
      await Promise.all([queue.close(), letters.close()]);
    }
  });

  it('keeps a job whose schema its worker does not know, and drains its neighbours', async () => {
    const service = await start({ workers: false });
    const shop = await service.shop();
    const { producer } = service.deps;
    const later = { schema: JOB_SCHEMA + 1, rows: Buffer.from('in another form') };
    await producer.add('orders', 'later', later);
    await shop.call('POST', '/v1/orders', { orders: [order('a')] });
    service.startWorkers();
    const metrics = async () => (await shop.call('GET', '/v1/metrics?from=2026-03-01&to=2026-03-01')).body;
    while ((await metrics()).orders === 0) await sleep(20);
    // It was tried, and waits for the next try.
    while ((await service.stores.redis.hget(jobKey('orders', 'later'), 'atm')) === null) await sleep(20);
    const data = await service.stores.redis.hget(jobKey('orders', 'later'), 'data');
    expect(JSON.parse(data ?? '')).to.deep.equal({ ...later, rows: later.rows.toString('base64') });
    const queue = new Queue('orders', { connection: service.stores.redis, prefix: QUEUE_PREFIX });
    expect(await queue.getFailedCount()).to.equal(0);
    // Not while a worker has it once more.
    while ((await queue.remove('later')) === 0) await sleep(20);
    await queue.close();
  });

  it('refuses writes with 503 and Retry-After while it holds more than its budget, and reads go on', async () => {
    const service = await start({ workers: false, env: { QUEUE_MAX_BYTES: String(1024 ** 2) } });
    const shop = await service.shop();
    let answer = await shop.call('POST', '/v1/orders', { orders: [order('a')] });
    for (let i = 0; answer.status === 200 && i < 50; i++) {
      await sleep(100);
      answer = await shop.call('POST', '/v1/orders', { orders: [order('a')] });
    }
    expect(answer.status).to.equal(503);
    expect(answer.headers.get('retry-after')).to.match(/^\d+$/);
    expect(answer.body.errors[0].code).to.equal('queue_unavailable');
    expect((await shop.call('GET', '/v1/metrics')).status).to.equal(200);
    expect((await shop.call('GET', '/v1/health')).body).to.deep.include({
      status: 'degraded',
      checks: { redis: 'ok', clickhouse: 'ok', queues: 'down' },
    });
  });

  it('takes nothing with validate_only, and gives the same results', async () => {
    const service = await start();
    const shop = await service.shop();
    const orders = [order('a'), { ...order('a'), updated_at: '2026-02-01T00:00:00Z' }, { order_id: 7 }];
    const checked = await shop.call('POST', '/v1/orders?validate_only=1', { orders });
    expect((await shop.call('GET', '/v1/source')).body.locked).to.equal(false);
    await service.settled();
    expect((await shop.call('GET', '/v1/metrics?from=2026-03-01&to=2026-03-01')).body).to.include({ orders: 0 });
    const taken = await shop.call('POST', '/v1/orders', { orders });
    const { receipt, ...result } = taken.body;
    expect(receipt).to.be.a('string');
    expect(result).to.deep.equal(checked.body);
    expect(result).to.include({ accepted: 1, superseded: 1, rejected: 1 });
    expect((await shop.call('GET', '/v1/source')).body.locked).to.equal(true);
  });
});

import { Queue } from 'bullmq';
import { expect } from 'chai';
import { newBatchId } from '../../../src/ingest/batch.js';
import { jobKey, QUEUE_PREFIX, type QueueName } from '../../../src/queue/jobs.js';
import type { Claim } from '../../../src/redis/rebuild-queue.js';
import { paidOrder } from '../../support/paid-order.js';
import { startService, useFreshShop, useService, type Answer } from '../../support/service.js';

const RANGE = 'from=2026-03-01&to=2026-03-02';

const order = (id: string, day = '2026-03-01') => paidOrder(id, { placed_at: `${day}T12:00:00Z` });
const spend = {
  rows: [{ channel: 'Radio', event_date: '2026-03-02', currency: 'EUR', spend: '2' }],
};

describe('a read with a receipt', () => {
  const service = useService();
  const shop = useFreshShop(service);

  const pushed = async (method: string, path: string, body: object, of = shop): Promise<string> => {
    const answer = await of.call(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body.receipt as string;
  };
  const pushOrder = (id: string, day?: string, of = shop) =>
    pushed('POST', '/v1/orders', { orders: [order(id, day)] }, of);
  const pushSpend = (of = shop) => pushed('POST', '/v1/costs/spend', spend, of);
  const read = (receipt: string, of = shop): Promise<Answer> => of.call('GET', `/v1/metrics?${RANGE}&after=${receipt}`);
  const readUntil200 = async (receipt: string, of = shop): Promise<Answer['body']> => {
    for (;;) {
      const { status, body } = await read(receipt, of);
      if (status === 200) return body;
      expect([status, body.errors[0].code], JSON.stringify(body)).to.deep.equal([503, 'not_fresh_yet']);
    }
  };
  const daysLeft = async (receipt: string): Promise<number | null> => {
    const { status, body } = await shop.call('GET', `/v1/ingest/pushes?receipt=${receipt}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.days_left as number | null;
  };
  /** No worker takes jobs of the queue meanwhile. */
  const whilePaused = async (name: QueueName, use: () => Promise<void>): Promise<void> => {
    const queue = new Queue(name, { connection: service.stores.redis, prefix: QUEUE_PREFIX });
    await queue.pause();
    try {
      await use();
    } finally {
      await queue.resume();
      await queue.close();
    }
  };
  const isStored = async (receipt: string): Promise<void> => {
    const key = `receipt:${receipt}`;
    while ((await service.stores.redis.get(key))?.includes('\nqueued\n') === true) await new Promise(setImmediate);
  };

  it('waits for pushes of other kinds that were taken before', async () => {
    let later = '';
    await whilePaused('orders', async () => {
      await pushOrder('1');
      later = await pushSpend();
      await isStored(later);
      const early = await read(later);
      expect([early.status, early.body.errors?.[0]]).to.deep.equal([
        503,
        {
          code: 'not_fresh_yet',
          message: 'The push that after names, or an earlier one, is taken and not in these figures yet; ask again.',
          field: 'after',
          days_left: null,
        },
      ]);
      expect(await daysLeft(later)).to.equal(null);
    });
    expect(await readUntil200(later)).to.include({ revenue: '10.00', ad_spend: '2.00' });
    expect(await daysLeft(later)).to.equal(0);
  });

  it('waits for earlier ones too where its own change was written at once, or long ago', async () => {
    const old = await pushSpend();
    await service.settled();
    await service.stores.redis.del(`receipt:${old}`);
    let settings = '';
    await whilePaused('orders', async () => {
      await pushOrder('1');
      const rules = [{ payment_gateway: 'stripe', percent: '10', fixed: '0' }];
      settings = await pushed('PUT', '/v1/costs/gateway-fees', { rules });
      expect((await read(settings)).status).to.equal(503);
      expect((await read(old)).status).to.equal(503);
      // Taken after both were first asked for.
      await pushOrder('2');
    });
    expect((await readUntil200(settings)).orders).to.be.at.least(1);
    expect((await readUntil200(old)).orders).to.be.at.least(1);
  });

  it('waits neither for later pushes, nor for those of another shop', async () => {
    const other = await service.shop();
    await whilePaused('orders', async () => {
      await pushOrder('1', '2026-03-01', other);
      const mine = await pushSpend();
      expect(await readUntil200(mine)).to.include({ orders: 0, ad_spend: '2.00' });
      await pushOrder('2');
      expect(await readUntil200(mine)).to.include({ orders: 0, ad_spend: '2.00' });
    });
  });

  it('waits neither for a push that failed for good, nor for one that was never queued', async () => {
    const { redis, receipts } = service.stores;
    const [dead, lost] = [newBatchId(Date.now()), newBatchId(Date.now())];
    await receipts.open({ shopId: shop.id, batchId: dead, jobKey: jobKey('orders', `dead-${shop.id}`), count: 1 });
    await receipts.open({ shopId: shop.id, batchId: lost, jobKey: jobKey('orders', `lost-${shop.id}`), count: 1 });
    await redis.hset(jobKey('orders', `dead-${shop.id}`), 'data', '{}');
    const receipt = await pushSpend();
    await isStored(receipt);
    expect((await read(receipt)).status, 'its job is there').to.equal(503);
    await redis.zadd(`${QUEUE_PREFIX}:orders:failed`, 1, `dead-${shop.id}`);
    try {
      expect(await readUntil200(receipt)).to.include({ ad_spend: '2.00' });
    } finally {
      await redis.zrem(`${QUEUE_PREFIX}:orders:failed`, `dead-${shop.id}`);
      await redis.del(jobKey('orders', `dead-${shop.id}`));
    }
    const key = `pushes:{${shop.id}}`;
    // The one that has no job may get it yet: it is forgotten later.
    expect(await redis.zrange(key, '0', '-1')).to.deep.equal([lost]);
    await redis.zadd(key, Number(await redis.zscore(key, lost)) - 61e6, lost);
    await readUntil200(await pushSpend());
    expect(await redis.exists(key)).to.equal(0);
  });
});

describe('a read with a receipt, while nothing computes days', () => {
  it('waits for all open days of its range, but for those that were first open later', async () => {
    const service = await startService({ workers: false });
    try {
      const { receipts, rebuildQueues, takeStamps } = service.stores;
      const [shop, other] = [await service.shop(), await service.shop()];
      const { fresh, history } = rebuildQueues.lanes;
      const entriesOf = (shopId: string, ...ids: string[]) => ids.map((id) => ({ shopId, id }));
      const push = { shopId: shop.id, batchId: newBatchId(Date.now()) };
      await receipts.open({ ...push, jobKey: jobKey('spend', 'none'), count: 1 });
      await fresh.add(entriesOf(shop.id, '2026-03-01', '2026-03-05'));
      await history.add([...entriesOf(shop.id, '2026-03-01', '2026-03-02'), ...entriesOf(other.id, '2026-03-02')]);
      const days = { fresh: [], history: [], costs: [] };
      await receipts.store(await takeStamps(), new Map([[shop.id, { batchIds: [push.batchId], days }]]));

      const left = async (): Promise<[number, number | null, number | null]> => {
        const all = await shop.call('GET', `/v1/ingest/pushes?receipt=${push.batchId}`);
        const { status, body } = await shop.call('GET', `/v1/metrics?${RANGE}&after=${push.batchId}`);
        return [status, all.body.days_left, body.errors?.[0].days_left ?? null];
      };
      expect(await left()).to.deep.equal([503, 3, 2]);
      await history.add(entriesOf(shop.id, '2026-03-01', '2026-03-07'));
      expect(await left()).to.deep.equal([503, 3, 2]);
      const work = async (lane: typeof fresh, id: string, meanwhile = () => Promise.resolve()): Promise<void> => {
        const claims = await lane.claim(100, 60_000);
        await meanwhile();
        const isWanted = (claim: Claim): boolean => claim.shopId === shop.id && claim.id === id;
        await lane.finish(claims.filter(isWanted), 0);
        await lane.release(claims.filter((claim) => !isWanted(claim)));
      };
      // Marked again during its work: what was asked for is in it.
      await work(history, '2026-03-01', () => history.add(entriesOf(shop.id, '2026-03-01')));
      expect(await left()).to.deep.equal([503, 3, 2]);
      await work(fresh, '2026-03-01');
      expect(await left()).to.deep.equal([503, 2, 1]);
    } finally {
      await service.stop();
    }
  });
});

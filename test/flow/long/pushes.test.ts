import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { batchId } from '../../../src/domain/receipts.js';
import { paidOrder as order } from '../../support/paid-order.js';
import { startService, useFreshShop, useService, type Answer } from '../../support/service.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- answers of any form */

const PATH = '/v1/ingest/pushes';

describe('GET /v1/ingest/pushes', () => {
  const service = useService();
  const shop = useFreshShop(service);

  const list = async (query = '', of = shop): Promise<any> => {
    const { status, body } = await of.call('GET', `${PATH}?${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };
  async function pushAll(): Promise<Answer[]> {
    const answers = [
      await shop.call('POST', '/v1/orders', { orders: [order('1'), order('2'), { order_id: 'bad' }] }),
      await shop.call('POST', '/v1/orders', {
        orders: [order('1', { updated_at: '2026-02-01T00:00:00Z' }), order('3')],
      }),
      await shop.call('PUT', '/v1/products/costs', { costs: [{ sku: 'MUG', unit_cost: '4' }] }),
      await shop.call('POST', '/v1/costs/spend', {
        rows: [{ channel: 'Radio', event_date: '2026-03-01', currency: 'EUR', spend: '2' }],
      }),
      await shop.call('PUT', '/v1/costs/gateway-fees', {
        rules: [{ payment_gateway: 'stripe', percent: '1', fixed: '0' }],
      }),
      await shop.call('POST', '/v1/costs/expenses', {
        external_id: 'rent',
        name: 'Rent',
        category: 'other',
        amount: '1',
        currency: 'EUR',
        frequency: 'monthly',
        started_on: '2026-03-01',
      }),
    ];
    // Nothing of this one is accepted.
    await shop.call('POST', '/v1/orders', { orders: [{ order_id: 'bad' }] });
    await service.settled();
    return answers;
  }

  it('lists what was accepted of every kind, newest first, with the request and the key that sent it', async () => {
    const before = Date.now();
    const answers = await pushAll();
    const { pushes, next } = await list();
    expect(next).to.equal(undefined);
    expect(pushes.map(({ at: _, ms: __, ...push }: any) => push)).to.deep.equal(
      answers
        .map(({ body, headers }, i) => ({
          kind: ['orders', 'orders', 'product_costs', 'spend', 'gateway_fees', 'expenses'][i],
          key_last4: shop.key.slice(-4),
          accepted: body.accepted ?? 1,
          rejected: body.rejected ?? 0,
          superseded: body.superseded ?? 0,
          receipt: body.receipt,
          request_id: headers.get('x-request-id'),
        }))
        .reverse(),
    );
    expect(pushes.find((push: any) => push.superseded === 1)).to.include({ accepted: 1 });
    for (const { at, ms } of pushes) {
      expect(Date.parse(at)).to.be.within(before - 1_000, Date.now() + 1_000);
      expect(ms).to.be.within(0, Date.now() - before);
    }
    expect(pushes.map(({ at }: any) => at)).to.deep.equal(
      pushes
        .map(({ at }: any) => at)
        .sort()
        .reverse(),
    );
    expect(pushes.some(({ ms }: any) => ms > 0)).to.equal(true);
  });

  it('pages without a gap or a repeat, also over old and doubly written pushes, and ends after 30 days', async () => {
    const days = [0, 0.1, 3, 3, 29, 29.9, 30.1, 60];
    const rows = days.map((ago, i) => {
      const at = Date.now() - ago * 86_400_000;
      return {
        shop_id: shop.id,
        kind: i % 2 ? 'spend' : 'orders',
        received_at: new Date(at).toISOString().replace('T', ' ').replace('Z', ''),
        batch_id: batchId(at, randomUUID()),
        accepted: 1,
        rejected: 0,
        superseded: 0,
        ms: i,
      };
    });
    await service.stores.warehouse.insert('ingest_log', rows);
    await service.stores.warehouse.insert('ingest_log', rows.slice(0, 3));
    for (const limit of [1, 2, 3, 100]) {
      const found: number[] = [];
      for (let cursor = ''; ;) {
        const body = await list(`limit=${limit}${cursor}`);
        found.push(...body.pushes.map(({ ms }: any) => ms));
        if (body.next === undefined) break;
        cursor = `&cursor=${body.next}`;
      }
      expect(new Set(found), String(limit)).to.deep.equal(new Set([0, 1, 2, 3, 4, 5]));
      expect(found, String(limit)).to.have.length(6);
    }
    expect((await list('kind=spend')).pushes.map(({ ms }: any) => ms)).to.deep.equal([1, 3, 5]);
  });

  it('says of one push how many days are left until figures contain it', async () => {
    const [answer] = await pushAll();
    const receipt = answer?.body.receipt as string;
    const done = await list(`receipt=${receipt}`);
    expect(done.days_left).to.equal(0);
    expect(done.pushes).to.have.length(1);
    expect(done.pushes[0]).to.deep.include({ receipt, days_left: 0, accepted: 2, rejected: 1 });
    await service.stores.redis.del(`receipt:${receipt}`);
    expect((await list(`receipt=${receipt}`)).days_left).to.equal(0);
  });

  it('refuses receipts of no push or another shop, keys that only read, and every other fault at once', async () => {
    const [answer] = await pushAll();
    const other = await service.shop();
    const faults = async (query: string, of = shop): Promise<string[]> => {
      const { status, body } = await of.call('GET', `${PATH}?${query}`);
      expect(status, query).to.equal(400);
      return body.errors.map((error: any) => `${error.code} ${error.field}`);
    };
    for (const receipt of ['', 'x', batchId(Date.now(), randomUUID())]) {
      expect(await faults(`receipt=${receipt}`), receipt).to.deep.equal(['invalid_value receipt']);
    }
    expect(await faults(`receipt=${answer?.body.receipt}`, other)).to.deep.equal(['invalid_value receipt']);
    expect((await list('', other)).pushes).to.deep.equal([]);
    expect(await faults('kind=events&limit=0&cursor=x&from=2026-03-01')).to.have.members([
      'invalid_value kind',
      'invalid_value limit',
      'invalid_value cursor',
      'unknown_field from',
    ]);
    const { next } = await list('limit=1');
    expect(await faults(`limit=1&cursor=${next}`, other)).to.deep.equal(['invalid_value cursor']);
    expect(await faults(`kind=orders&cursor=${next}`)).to.deep.equal(['invalid_value cursor']);
    const reader = await service.key(shop.id, 'publishable');
    const { status, body } = await service.call('GET', PATH, { key: reader });
    expect([status, body.errors[0].code]).to.deep.equal([403, 'forbidden_scope']);
  });
});

describe('a push whose days are not computed yet', () => {
  it('is told with the days that are left', async () => {
    const service = await startService({ workers: false });
    try {
      const shop = await service.shop();
      const { receipts, rebuildQueues, takeStamps } = service.stores;
      const { body } = await shop.call('POST', '/v1/orders', { orders: [order('1')] });
      const { receipt } = body;
      const queued = await shop.call('GET', `${PATH}?receipt=${receipt}`);
      expect(queued.body).to.deep.equal({ pushes: [], days_left: null });
      const early = await shop.call('GET', `/v1/metrics?from=2026-03-01&to=2026-03-02&after=${receipt}`);
      expect([early.status, early.body.errors[0].code, early.body.errors[0].days_left]).to.deep.equal([
        503,
        'not_fresh_yet',
        null,
      ]);

      // As the worker does once it has stored the push: of three days, one in two lanes.
      const [stamp, days] = [await takeStamps(), [20_513, 20_514, 20_520]];
      const texts = ['2026-03-01', '2026-03-02', '2026-03-08'];
      const range = (day: number) => ({ from: day, to: day });
      const touched = { fresh: days.map(range), history: [], costs: [range(20_513)] };
      await rebuildQueues.lanes.fresh.add(texts.map((id) => ({ shopId: shop.id, id })));
      await rebuildQueues.lanes.costs.add([{ shopId: shop.id, id: '2026-03-01' }]);
      await receipts.store(stamp, new Map([[shop.id, { batchIds: [receipt], days: touched }]]));
      expect((await shop.call('GET', `${PATH}?receipt=${receipt}`)).body.days_left).to.equal(3);
      const late = await shop.call('GET', `/v1/metrics?from=2026-03-01&to=2026-03-02&after=${receipt}`);
      expect([late.status, late.body.errors[0].days_left]).to.deep.equal([503, 2]);
    } finally {
      await service.stop();
    }
  });
});

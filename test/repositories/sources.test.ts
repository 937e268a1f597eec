import { expect } from 'chai';
import { createSourceState } from '../../src/redis/sources.js';
import { createSourceRegistry } from '../../src/repositories/sources.js';
import { createSourceStore } from '../../src/warehouse/queries/sources.js';
import { paidOrder } from '../support/paid-order.js';
import { useService } from '../support/service.js';

describe('the registry of sources', () => {
  const service = useService({ workers: false });

  it('keeps what was registered while a look-up was on its way, not what the look-up has read', async () => {
    const shop = await service.shop({ currency: 'EUR' });
    const { redis, takeStamps, warehouse } = service.stores;
    await redis.del(`source:{${shop.id}}`); // as after a loss of Redis

    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    let hasRead: () => void = () => undefined;
    const read = new Promise<void>((resolve) => (hasRead = resolve));
    const store = createSourceStore(warehouse);
    const slow = createSourceRegistry({
      shardOf: () => 0,
      state: createSourceState(redis),
      store: {
        ...store,
        async find(shopId) {
          const found = await store.find(shopId);
          hasRead();
          await held;
          return found;
        },
      },
      takeStamps,
      now: Date.now,
    });
    const looked = slow.find(shop.id);
    await read;
    const edited = await shop.call('PUT', '/v1/source', { platform: 'test', currency: 'GBP', timezone: 'UTC' });
    expect(edited.status).to.equal(200);
    goOn();
    expect((await looked)?.currency).to.equal('GBP');
    expect((await shop.call('GET', '/v1/source')).body.currency).to.equal('GBP');
  });

  it('refuses a currency that has ended, but of a shop that has it', async () => {
    const shop = await service.shop({ currency: 'EUR' });
    const put = () => shop.call('PUT', '/v1/source', { platform: 'test', currency: 'BGN', timezone: 'Europe/Sofia' });
    const refused = await put();
    expect(refused.status).to.equal(400);
    expect(refused.body.errors[0]).to.deep.include({ code: 'invalid_value', field: 'currency' });
    expect(refused.body.errors[0].message).to.contain('2025-12-31').and.contain('"EUR"');

    // As it was registered before the end of the year.
    await service.stores.redis.hset(`source:{${shop.id}}`, 'currency', 'BGN');
    const kept = await put();
    expect(kept.body).to.deep.include({ currency: 'BGN', timezone: 'Europe/Sofia' });
  });

  it('goes on to take what was sold in a currency that has ended: orders, their refunds, costs, expenses, and every read', async () => {
    service.startWorkers();
    const shop = await service.shop({ currency: 'EUR' });
    await service.stores.redis.hset(`source:{${shop.id}}`, 'currency', 'BGN');
    await shop.call('PUT', '/v1/source', { platform: 'test', currency: 'BGN', timezone: 'Europe/Sofia' });
    const order = paidOrder('o', { placed_at: '2025-12-31T12:00:00+02:00', currency: 'BGN' });
    const refunds = [{ refund_id: 'r', refunded_at: '2026-01-02T12:00:00+02:00', total: '4' }];
    const updated_at = '2026-01-02T12:00:00+02:00';
    const spend = { event_date: '2025-12-31', channel: 'google_ads', currency: 'BGN', spend: '1' };
    const expense = { external_id: 'e', name: 'Rent', category: 'other', currency: 'BGN', frequency: 'one_time' };
    for (const [method, path, body] of [
      ['POST', '/v1/orders', { orders: [order] }],
      ['POST', '/v1/orders', { orders: [{ ...order, updated_at, refunds }] }],
      ['DELETE', '/v1/orders/o', undefined],
      [
        'POST',
        '/v1/orders',
        { orders: [{ ...order, updated_at: new Date(Date.now() + 60_000).toISOString(), refunds }] },
      ],
      ['PUT', '/v1/products/costs', { costs: [{ sku: 'MUG', unit_cost: '3', currency: 'BGN' }] }],
      ['PUT', '/v1/costs/orders', { costs: [{ order_id: 'o', fulfillment_cost: '2' }] }],
      ['POST', '/v1/costs/spend', { rows: [spend] }],
      ['POST', '/v1/costs/expenses', { ...expense, amount: '1', started_on: '2025-12-31' }],
    ] as const) {
      const answer = await shop.call(method, path, body);
      expect(answer.status, JSON.stringify(answer.body)).to.be.oneOf([200, 201, 204]);
      expect(answer.body.rejected ?? 0, JSON.stringify(answer.body)).to.equal(0);
    }
    await service.settled();
    const days = 'from=2025-12-31&to=2026-01-02';
    const metrics = (await shop.call('GET', `/v1/metrics?${days}`)).body;
    expect(metrics).to.include({ currency: 'BGN', revenue: '10.00', refunds: '4.00', cogs: '3.00', ad_spend: '1.00' });
    expect((await shop.call('GET', '/v1/orders/o')).body).to.deep.include({ currency: 'BGN' });
    const headers = { Accept: 'text/csv' };
    const csv = await service.call('GET', `/v1/orders?${days}`, { key: shop.key, headers });
    expect(csv.body).to.match(/\no,/);
  });
});

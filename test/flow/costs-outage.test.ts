import { expect } from 'chai';
import { startService, type Answer, type Service, type Shop } from '../support/service.js';

const expense = {
  external_id: 'x',
  name: 'X',
  category: 'other',
  amount: '1',
  currency: 'EUR',
  frequency: 'monthly',
  started_on: '2026-03-01',
};

describe('costs while the warehouse is away', () => {
  let working: Service;
  let cut: Service;
  let shop: Shop;

  before(async () => {
    working = await startService();
    // Shares Redis with the other, but nothing listens where it looks for the warehouse.
    cut = await startService({ workers: false, env: { CLICKHOUSE_URL: 'http://127.0.0.1:1' } });
    shop = await working.shop();
  });
  after(async () => {
    await cut.stop();
    await working.stop();
  });

  const without = (method: string, path: string, body?: unknown): Promise<Answer> =>
    cut.call(method, path, { key: shop.key, ...(body !== undefined && { body }) });

  it('accepts unit costs and spend, which count once it is back', async () => {
    const line = { line_id: '1', quantity: '1', unit_price: '10', sku: 'A' };
    const order = { order_id: '1', placed_at: '2026-03-01T12:00:00Z', currency: 'EUR', status: 'paid', total: '10' };
    await shop.call('POST', '/v1/orders', { orders: [{ ...order, line_items: [line] }] });
    await working.settled();
    const costs = await without('PUT', '/v1/products/costs', { costs: [{ sku: 'A', unit_cost: '4' }] });
    expect([costs.status, costs.body.accepted]).to.deep.equal([200, 1]);
    const row = { channel: 'Radio', event_date: '2026-03-01', currency: 'EUR', spend: '3' };
    const spend = await without('POST', '/v1/costs/spend', { rows: [row] });
    expect([spend.status, spend.body.accepted]).to.deep.equal([200, 1]);
    await working.settled();
    const { body } = await shop.call('GET', '/v1/metrics?from=2026-03-01&to=2026-03-01');
    expect(body).to.include({ cogs: '4.00', ad_spend: '3.00', net_profit: '3.00' });
  });

  it('answers 503 for figures even when everything else that they need is cached', async () => {
    const range = 'from=2026-03-01&to=2026-03-02';
    for (const path of [`/v1/metrics?${range}`, `/v1/metrics/daily?${range}`]) {
      // Now Redis has the settings of the shop, and its source.
      expect((await shop.call('GET', path)).status).to.equal(200);
      const { status, body, headers } = await without('GET', path);
      expect([status, body.errors[0].code], path).to.deep.equal([503, 'store_unavailable']);
      expect(headers.get('retry-after')).to.match(/^[1-9]\d*$/);
    }
  });

  it('answers 503 with Retry-After where the answer needs it, and stores nothing', async () => {
    const answers = [
      await without('POST', '/v1/costs/expenses', expense),
      await without('GET', '/v1/costs/expenses'),
      await without('DELETE', '/v1/costs/expenses/x'),
      await without('PUT', '/v1/costs/gateway-fees', { rules: [] }),
      await without('GET', '/v1/costs/gateway-fees'),
      await without('GET', '/v1/products/costs'),
      await without('GET', '/v1/metrics'),
    ];
    for (const { status, body, headers } of answers) {
      expect([status, body.errors[0].code]).to.deep.equal([503, 'store_unavailable']);
      expect(Number(headers.get('retry-after'))).to.be.greaterThan(0);
    }
    const faulty = await without('POST', '/v1/costs/expenses', { ...expense, amount: 1 });
    expect([faulty.status, faulty.body.errors[0].code]).to.deep.equal([400, 'money_must_be_string']);
    expect((await shop.call('GET', '/v1/costs/expenses')).body).to.deep.equal({ expenses: [] });
    expect((await shop.call('POST', '/v1/costs/expenses', expense)).status).to.equal(201);
  });
});

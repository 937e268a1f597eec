import { Big } from 'big.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { useService, type Shop } from '../../support/service.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- answers of any form */

const RANGE = 'from=2026-01-01&to=2026-03-31';
const PATH = '/v1/products/costs';
const SKUS = ['A', 'B', "C'\\", 'D'];
const day = fc.integer({ min: 0, max: 89 }).map((n) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10));
const amount = fc.integer({ min: 0, max: 99_999 }).map((n) => (n / 10_000).toFixed(4));

const line = fc.record({
  sku: fc.constantFrom(...SKUS),
  quantity: fc.integer({ min: 0, max: 400 }).map((n) => (n / 100).toFixed(2)),
  unit_cost: fc.option(amount, { nil: undefined, freq: 4 }),
  back: fc.option(fc.record({ day, restock: fc.boolean() }), { nil: undefined }),
});
const anOrder = fc.record({
  day,
  isPaid: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
  lines: fc.array(line, { minLength: 1, maxLength: 4 }),
});
const version = fc.record(
  {
    sku: fc.constantFrom(...SKUS, 'NEVER-SOLD'),
    unit_cost: amount,
    effective_from: fc.option(day, { nil: null }),
    deleted: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
  },
  { requiredKeys: ['sku', 'unit_cost'] },
);

const toOrder = ({ day: placed, isPaid, lines }: any, id: number): object => ({
  order_id: `o-${id}`,
  placed_at: `${placed}T12:00:00Z`,
  currency: 'EUR',
  status: isPaid ? 'paid' : 'pending',
  total: '0',
  line_items: lines.map(({ back: _, unit_cost, ...fields }: any, i: number) => ({
    line_id: String(i),
    unit_price: '0',
    ...fields,
    ...(unit_cost !== undefined && { unit_cost }),
  })),
  refunds: lines.flatMap(({ back, quantity }: any, i: number) =>
    back === undefined
      ? []
      : [
          {
            refund_id: String(i),
            refunded_at: `${back.day}T13:00:00Z`,
            total: '0',
            line_items: [{ line_id: String(i), quantity, restock: back.restock }],
          },
        ],
  ),
});

describe('PUT /v1/products/costs?validate_only=1', function () {
  this.timeout(600_000);
  const service = useService();

  const put = async (shop: Shop, costs: unknown, query = ''): Promise<any> => {
    const { status, body } = await shop.call('PUT', `${PATH}${query}`, { costs });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };
  /** Net profit by day, and COGS by SKU. */
  async function figuresOf(shop: Shop) {
    const daily = await shop.call('GET', `/v1/metrics/daily?${RANGE}`);
    const products = await shop.call('GET', `/v1/products?${RANGE}&limit=250`);
    return {
      days: new Map<string, string>(daily.body.days.map(({ date, net_profit }: any) => [date, net_profit])),
      cogs: new Map<string | null, string>(products.body.products.map(({ sku, cogs }: any) => [sku, cogs])),
    };
  }

  it('says to the digit what the same push then changes, over random histories', async () => {
    const histories = fc.record({
      orders: fc.array(anOrder, { minLength: 1, maxLength: 30 }),
      before: fc.array(version, { maxLength: 12 }),
      pushes: fc.array(fc.array(version, { minLength: 1, maxLength: 8 }), { minLength: 3, maxLength: 3 }),
    });
    let changed = 0;
    for (const { orders, before, pushes } of fc.sample(histories, 6)) {
      const shop = await service.shop();
      const { body } = await shop.call('POST', '/v1/orders', { orders: orders.map(toOrder) });
      expect(body.accepted, JSON.stringify(body)).to.equal(orders.length);
      if (before.length > 0) await put(shop, before);
      await service.settled();
      for (const costs of pushes) {
        const was = await figuresOf(shop);
        const { preview, ...checked } = await put(shop, costs, '?validate_only=1');
        const { receipt, ...pushed } = await put(shop, costs);
        expect(receipt).to.be.a('string');
        expect(checked).to.deep.equal(pushed);
        await service.settled();
        const is = await figuresOf(shop);
        const text = JSON.stringify({ orders, before, costs, preview });
        const differing = [...is.days].filter(([date, profit]) => was.days.get(date) !== profit);
        expect(preview.days, text).to.equal(differing.length);
        const total = differing.reduce(
          (sum, [date, profit]) => sum.plus(profit).minus(was.days.get(date) ?? '0'),
          Big(0),
        );
        expect(Big(preview.net_profit_change).eq(total), text).to.equal(true);
        const skus = [...new Set(costs.map(({ sku }) => sku))];
        expect(preview.costs.map(({ sku }: any) => sku)).to.deep.equal(skus);
        for (const { sku, net_profit_change } of preview.costs) {
          const change = Big(was.cogs.get(sku) ?? '0').minus(is.cogs.get(sku) ?? '0');
          expect(Big(net_profit_change).eq(change), `${sku} of ${text}`).to.equal(true);
        }
        changed += differing.length;
      }
    }
    expect(changed).to.be.greaterThan(0);
  });

  it('stores nothing, locks nothing and logs nothing, also of what is refused', async () => {
    const shop = await service.shop();
    await shop.call('POST', '/v1/orders', {
      orders: [toOrder({ day: '2026-01-05', isPaid: true, lines: [{ sku: 'A', quantity: '2' }] }, 1)],
    });
    await service.settled();
    const costs = [{ sku: 'A', unit_cost: '1.5' }, { sku: 'A', unit_cost: 'x' }, { sku: 'B' }];
    const body = await put(shop, costs, '?validate_only=true');
    expect(body).to.deep.include({
      accepted: 1,
      rejected: 2,
      preview: { days: 1, net_profit_change: '-3.00', costs: [{ sku: 'A', net_profit_change: '-3.00' }] },
    });
    expect(body).not.to.have.property('receipt');
    expect(body.results.map(({ outcome }: any) => outcome)).to.deep.equal(['accepted', 'rejected', 'rejected']);
    await service.settled();
    expect((await shop.call('GET', PATH)).body.costs).to.deep.equal([]);
    expect((await shop.call('GET', '/v1/ingest/pushes')).body.pushes.map(({ kind }: any) => kind)).to.deep.equal([
      'orders',
    ]);
    expect((await shop.call('GET', '/v1/ingest/rejections')).body.rejections).to.deep.equal([]);
    const none = await put(shop, [{ sku: 'A' }], '?validate_only=1');
    expect(none.preview).to.deep.equal({ days: 0, net_profit_change: '0.00', costs: [] });
  });

  it('counts nothing of another shop, and refuses what a push refuses', async () => {
    const [shop, other] = await Promise.all([service.shop(), service.shop()]);
    await other.call('POST', '/v1/orders', {
      orders: [toOrder({ day: '2026-01-05', isPaid: true, lines: [{ sku: 'A', quantity: '2' }] }, 1)],
    });
    await service.settled();
    const { preview } = await put(shop, [{ sku: 'A', unit_cost: '1.5' }], '?validate_only=1');
    expect(preview).to.deep.equal({
      days: 0,
      net_profit_change: '0.00',
      costs: [{ sku: 'A', net_profit_change: '0.00' }],
    });
    for (const [query, body, code] of [
      ['?validate_only=yes', { costs: [{ sku: 'A', unit_cost: '1' }] }, 'invalid_value'],
      ['?validate_only=1&preview=1', { costs: [{ sku: 'A', unit_cost: '1' }] }, 'unknown_field'],
      ['?validate_only=1', { costs: [] }, 'batch_size'],
    ] as const) {
      const answer = await shop.call('PUT', `${PATH}${query}`, body);
      expect([answer.status, answer.body.errors[0].code], query).to.deep.equal([400, code]);
    }
    const reader = await service.key(shop.id, 'secret', ['read']);
    const path = `${PATH}?validate_only=1`;
    const answer = await service.call('PUT', path, { key: reader, body: { costs: [{ sku: 'A', unit_cost: '1' }] } });
    expect(answer.status).to.equal(403);
  });
});

import { expect } from 'chai';
import type { ExplainResponse } from '../../src/schemas/contributions.js';
import { explained } from '../support/explained.js';
import { useService, type Answer, type Shop } from '../support/service.js';

type Entry = ExplainResponse['entries'][number];

const RANGE = 'from=2026-03-01&to=2026-03-07';

describe('GET /v1/metrics/explain', function () {
  this.timeout(240_000);
  const service = useService();
  let shop: Shop;

  before(async () => {
    shop = await service.shop({ timezone: 'America/New_York' });
    const answers = [
      await shop.call('PUT', '/v1/products/costs', {
        costs: [
          { sku: 'TEA', unit_cost: '3.333333' },
          { sku: 'TEA', unit_cost: '4', effective_from: '2026-03-02' },
        ],
      }),
      await shop.call('PUT', '/v1/costs/gateway-fees', {
        rules: [{ payment_gateway: 'Stripe', percent: '2.9', fixed: '0.3' }],
      }),
      await shop.call('POST', '/v1/costs/spend', {
        rows: [
          { channel: 'Radio', event_date: '2026-03-02', currency: 'EUR', spend: '15', campaign_id: 'c-1' },
          { channel: 'Radio', event_date: '2026-03-02', currency: 'USD', spend: '99' },
        ],
      }),
      await shop.call('POST', '/v1/costs/expenses', {
        external_id: 'rent',
        name: 'Rent',
        category: 'other',
        amount: '100',
        currency: 'EUR',
        frequency: 'monthly',
        started_on: '2026-03-03',
        ended_on: '2026-03-04',
      }),
      await shop.call('POST', '/v1/orders', {
        orders: [
          {
            order_id: 'a',
            placed_at: '2026-03-02T02:00:00Z',
            currency: 'EUR',
            status: 'paid',
            total: '20.50',
            payment_gateway: 'STRIPE',
            line_items: [
              { line_id: 'x', quantity: '0.5', unit_price: '20', sku: 'TEA' },
              { line_id: 'y', quantity: '1', unit_price: '10.5', unit_cost: '2' },
            ],
            refunds: [
              {
                refund_id: 'r1',
                refunded_at: '2026-03-03T12:00:00-05:00',
                total: '5',
                gateway_fee_refund: '0.1',
                line_items: [
                  { line_id: 'y', quantity: '1', restock: false },
                  { line_id: 'x', quantity: '0.25', restock: true },
                ],
              },
            ],
          },
          {
            order_id: 'b',
            placed_at: '2026-03-02T12:00:00Z',
            currency: 'EUR',
            status: 'paid',
            total: '7',
            gateway_fee: '0.42',
            line_items: [
              { line_id: 'x', quantity: '1', unit_price: '4', sku: 'TEA' },
              { line_id: 'z', quantity: '1', unit_price: '3', sku: 'COFFEE' },
            ],
          },
          {
            order_id: 'c',
            placed_at: '2026-03-02T12:00:00Z',
            currency: 'EUR',
            status: 'pending',
            total: '1',
            line_items: [{ line_id: 'x', quantity: '1', unit_price: '1', unit_cost: '1' }],
          },
        ],
      }),
    ];
    for (const { status, body } of answers) expect(status, JSON.stringify(body)).to.be.oneOf([200, 201]);
    await service.settled();
  });

  const get = (query: string): Promise<Answer> => shop.call('GET', `/v1/metrics/explain?${RANGE}&${query}`);

  it('lists every part of a profit: newest day first, and on a day order by order', async () => {
    const { body } = await get('figure=net_profit_after_expenses');
    const metrics = (await shop.call('GET', `/v1/metrics?${RANGE}&include=expenses`)).body;
    expect(body.total).to.equal(metrics.net_profit_after_expenses);
    expect(body).not.to.have.property('next');
    const a = { order_id: 'a', channel: 'unattributed' };
    const b = { order_id: 'b', channel: 'unattributed' };
    const rent = { expense_external_id: 'rent', source: { name: 'Rent', frequency: 'monthly', amount: '100.00' } };
    const tea = { sku: 'TEA', unit_cost: '3.333333', source: { from: 'catalog', effective_from: null }, line_id: 'x' };
    expect(body.count).to.equal(body.entries.length);
    expect(body.entries).to.deep.equal([
      { kind: 'expense', amount: '-3.225806', date: '2026-03-04', ...rent },
      {
        kind: 'refund',
        amount: '-5.00',
        date: '2026-03-03',
        ...a,
        refund_id: 'r1',
        refunded_at: '2026-03-03T17:00:00.000000Z',
        order_total: '20.50',
        source: {},
      },
      { kind: 'restock', amount: '0.833333', date: '2026-03-03', ...a, ...tea, quantity: '0.25', refund_id: 'r1' },
      { kind: 'fee_refund', amount: '0.10', date: '2026-03-03', ...a, refund_id: 'r1', source: {} },
      { kind: 'expense', amount: '-3.225806', date: '2026-03-03', ...rent },
      { kind: 'sale', amount: '7.00', date: '2026-03-02', ...b, source: {} },
      {
        kind: 'line_cost',
        amount: '-4.00',
        date: '2026-03-02',
        ...b,
        line_id: 'x',
        sku: 'TEA',
        quantity: '1.00',
        unit_cost: '4.00',
        source: { from: 'catalog', effective_from: '2026-03-02' },
      },
      { kind: 'fee_actual', amount: '-0.42', date: '2026-03-02', ...b, source: {} },
      {
        kind: 'spend',
        amount: '-15.00',
        date: '2026-03-02',
        channel: 'custom:radio',
        source: { campaign_id: 'c-1' },
      },
      { kind: 'sale', amount: '20.50', date: '2026-03-01', ...a, source: {} },
      { kind: 'line_cost', amount: '-1.666667', date: '2026-03-01', ...a, ...tea, quantity: '0.50' },
      {
        kind: 'line_cost',
        amount: '-2.00',
        date: '2026-03-01',
        ...a,
        line_id: 'y',
        quantity: '1.00',
        unit_cost: '2.00',
        source: { from: 'line' },
      },
      {
        kind: 'fee_estimate',
        amount: '-0.8945',
        date: '2026-03-01',
        ...a,
        source: { payment_gateway: 'Stripe', percent: '2.90', fixed: '0.30' },
      },
    ]);
  });

  it('sorts by amount, the largest first', async () => {
    const { body } = await get('figure=gateway_fees&sort=amount');
    expect(body.entries.map(({ kind, amount }: Entry) => [kind, amount])).to.deep.equal([
      ['fee_estimate', '0.8945'],
      ['fee_actual', '0.42'],
      ['fee_refund', '-0.10'],
    ]);
    expect(body.total).to.equal('1.2145');
  });

  it('tells what single roundings leave over as an entry of its own, and pages of one entry have it last', async () => {
    const other = await service.shop();
    const line = { quantity: '0.5', unit_price: '0.01', unit_cost: '0.000001' };
    await other.call('PUT', '/v1/costs/gateway-fees', {
      rules: [{ payment_gateway: 'Stripe', percent: '0.01', fixed: '0' }],
    });
    const { body: pushed } = await other.call('POST', '/v1/orders', {
      orders: ['a', 'b', 'c'].map((id) => ({
        order_id: id,
        placed_at: '2026-03-02T02:00:00Z',
        currency: 'EUR',
        status: 'paid',
        total: '0.005',
        payment_gateway: 'Stripe',
        line_items: [{ line_id: '1', ...line }],
      })),
    });
    expect(pushed.accepted).to.equal(3);
    await service.settled();
    for (const [figure, kind] of [
      ['cogs', 'line_cost'],
      ['gateway_fees', 'fee_estimate'],
    ] as const) {
      for (const limit of [1, 3, 250]) {
        const { total, count, entries } = await explained(other, `figure=${figure}&${RANGE}`, limit);
        expect([total, count]).to.deep.equal(['0.000002', 4]);
        expect(entries.map(({ kind: of, amount, order_id }) => [of, amount, order_id])).to.deep.equal([
          [kind, '0.000001', 'a'],
          [kind, '0.000001', 'b'],
          [kind, '0.000001', 'c'],
          ['rounding', '-0.000001', undefined],
        ]);
      }
    }
  });

  it('narrows to a SKU, a gateway or a channel, and totals what it lists', async () => {
    const kinds = async (query: string): Promise<unknown> => {
      const { body } = await get(query);
      return [body.total, body.entries.map(({ kind, order_id }: Entry) => [kind, order_id])];
    };
    expect(await kinds('figure=cogs&sku=TEA')).to.deep.equal([
      '4.833333',
      [
        ['restock', 'a'],
        ['line_cost', 'b'],
        ['line_cost', 'a'],
        ['rounding', undefined],
      ],
    ]);
    expect(await kinds('figure=net_profit&gateway=sTripe')).to.deep.equal([
      '11.872167',
      [
        ['refund', 'a'],
        ['restock', 'a'],
        ['fee_refund', 'a'],
        ['sale', 'a'],
        ['line_cost', 'a'],
        ['line_cost', 'a'],
        ['fee_estimate', 'a'],
        ['rounding', undefined],
      ],
    ]);
    expect(await kinds('figure=ad_spend&channel=custom:radio')).to.deep.equal(['15.00', [['spend', undefined]]]);
    expect(await kinds('figure=revenue&channel=unattributed')).to.deep.equal([
      '27.50',
      [
        ['sale', 'b'],
        ['sale', 'a'],
      ],
    ]);
    expect(await kinds('figure=revenue&channel=google_ads')).to.deep.equal(['0.00', []]);
    expect(await kinds('figure=cogs&sku=%27%20OR%201%20--%5C')).to.deep.equal(['0.00', []]);
  });
});

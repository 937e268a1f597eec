import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { onEachServer } from '../../support/on-each-server.js';
import { useFreshShop, useService } from '../../support/service.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- answers of any form */

const order = {
  order_id: 'a/b',
  order_name: '#1',
  placed_at: '2026-03-05T23:30:00Z',
  updated_at: '2026-03-06T10:00:00.123456Z',
  currency: 'EUR',
  status: 'paid',
  customer: { id: 'c-1' },
  line_items: [
    { line_id: '1', sku: 'MUG', title: 'Mug', quantity: '2', unit_price: '10', unit_cost: '4' },
    { line_id: '2', sku: 'TEA', quantity: '1.5', unit_price: '4', line_discount: '1' },
    { line_id: '3', sku: 'NEW', quantity: '1', unit_price: '5' },
  ],
  total: '30',
  payment_gateway: 'Stripe',
  refunds: [
    {
      refund_id: 'r-1',
      refunded_at: '2026-03-09T10:00:00Z',
      total: '7',
      gateway_fee_refund: '0.1',
      store_credit: true,
      line_items: [
        { line_id: '2', quantity: '0.5', restock: true },
        { line_id: '1', quantity: '1', restock: false },
      ],
    },
    { refund_id: 'r-2', refunded_at: '2026-03-05T23:40:00Z', total: '1' },
  ],
};

describe('GET /v1/orders/{order_id}', () => {
  const service = useService();
  const shop = useFreshShop(service, { timezone: 'Europe/Berlin' });

  async function push(...orders: object[]): Promise<string> {
    const requestId = randomUUID();
    const headers = { 'X-Request-Id': requestId };
    const { body } = await service.call('POST', '/v1/orders', { key: shop.key, body: { orders }, headers });
    expect(body.accepted, JSON.stringify(body)).to.equal(orders.length);
    await service.settled();
    return requestId;
  }
  async function get(id: string, of = shop): Promise<any> {
    const { status, body } = await of.call('GET', `/v1/orders/${encodeURIComponent(id)}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  }

  it('shows the warnings with which the push was answered', async () => {
    const unlikely = {
      ...order,
      order_id: 'w',
      refunds: [
        {
          refund_id: 'r',
          refunded_at: '2026-03-05T23:29:59Z',
          total: '30.01',
          line_items: [{ line_id: '1', quantity: '3' }],
        },
      ],
    };
    const codes = ['refund_exceeds_total', 'refund_exceeds_quantity', 'refund_before_order'];
    const pushOf = async (query: string): Promise<any> => {
      const { body } = await shop.call('POST', `/v1/orders${query}`, { orders: [order, unlikely] });
      return body.results;
    };
    for (const query of ['?validate_only=1', '']) {
      const [likely, warned] = await pushOf(query);
      expect(likely).to.deep.equal({ order_id: 'a/b', outcome: 'accepted' });
      expect(warned.outcome).to.equal('accepted');
      expect(warned.warnings.map(({ code }: any) => code)).to.deep.equal(codes);
    }
    await service.settled();
    const { warnings } = await get('w');
    expect(warnings.map(({ code }: any) => code)).to.deep.equal(codes);
    expect(warnings[0].message).to.equal('total of all refunds is 30.01, more than total of the order, 30.');
    expect(await get('a/b')).not.to.have.property('warnings');
    const { body } = await shop.call('POST', '/v1/orders', {
      orders: [{ ...unlikely, updated_at: '2026-03-06T09:00:00Z' }],
    });
    expect(body.results).to.deep.equal([{ order_id: 'w', outcome: 'superseded' }]);
  });

  it('takes an order apart by lines, refunds and days', async () => {
    await shop.call('PUT', '/v1/products/costs', {
      costs: [
        { sku: 'TEA', unit_cost: '2' },
        { sku: 'TEA', unit_cost: '1.4', effective_from: '2026-03-06' },
        { sku: 'TEA', unit_cost: '9', effective_from: '2026-03-07' },
        { sku: 'MUG', unit_cost: '9' },
        { sku: 'NEW', unit_cost: '9', effective_from: '2026-03-07' },
      ],
    });
    await shop.call('PUT', '/v1/costs/gateway-fees', {
      rules: [{ payment_gateway: 'STRIPE', percent: '1', fixed: '0.2' }],
    });
    await push(order);
    const got = await get('a/b');
    expect(got).to.deep.include({
      order_id: 'a/b',
      order_name: '#1',
      day: '2026-03-06',
      counted: true,
      revenue: '30.00',
      refunded: '8.00',
      cogs: '9.40',
      cogs_complete: false,
      gateway_fees: '0.40',
      fee_source: 'estimated',
      profit: '12.20',
      updated_at: '2026-03-06T10:00:00.123456Z',
      customer: { id: 'c-1' },
      payment_gateway: 'Stripe',
    });
    expect(got).not.to.have.any.keys('why_not', 'tax', 'gateway_fee', 'subscription_id');
    expect(
      got.line_items.map((line: any) => [line.line_id, line.unit_cost, line.cost, line.cost_source]),
    ).to.deep.equal([
      ['1', '4.00', '8.00', { from: 'line' }],
      ['2', '1.40', '2.10', { from: 'catalog', effective_from: '2026-03-06' }],
      ['3', undefined, '0.00', { from: 'unknown' }],
    ]);
    expect(got.refunds.map(({ refund_id, day, line_items }: any) => [refund_id, day, line_items])).to.deep.equal([
      [
        'r-1',
        '2026-03-09',
        [
          { line_id: '2', quantity: '0.50', restock: true, cost: '0.70' },
          { line_id: '1', quantity: '1.00', restock: false, cost: '0.00' },
        ],
      ],
      ['r-2', '2026-03-06', []],
    ]);
    const dayOf = (date: string, [revenue, refunds, cogs, gateway_fees, profit]: string[]) => ({
      date,
      revenue,
      refunds,
      cogs,
      gateway_fees,
      profit,
      taxes: '0.00',
      earnings: profit,
    });
    expect(got.days).to.deep.equal([
      dayOf('2026-03-06', ['30.00', '1.00', '10.10', '0.50', '18.40']),
      dayOf('2026-03-09', ['0.00', '7.00', '-0.70', '-0.10', '-6.20']),
    ]);
  });

  it('tells which push and key wrote the state', async () => {
    const first = await push(...Array.from({ length: 20 }, (_, i) => ({ ...order, order_id: `o-${i}` })));
    const second = await push({ ...order, order_id: 'o-7', updated_at: '2026-03-07T00:00:00Z' });
    const log = await service.stores.warehouse.query<{ batch_id: string; request_id: string }>(
      'SELECT batch_id, request_id FROM ingest_log FINAL WHERE shop_id = {shop:String} AND kind = {kind:String}',
      { shop: shop.id, kind: 'orders' },
    );
    for (const [id, request] of [
      ['o-0', first],
      ['o-7', second],
      ['o-19', first],
    ] as const) {
      const batch = log.find(({ request_id }) => request_id === request)?.batch_id;
      expect((await get(id)).written, id).to.deep.equal({
        batch_id: batch,
        receipt: batch,
        key_last4: shop.key.slice(-4),
        request_id: request,
      });
    }
  });

  it('does not make up the push of a state that was written before the log kept stamps', async () => {
    await push(order);
    const forget = `ALTER TABLE ingest_log UPDATE first_stamp = 0, last_stamp = 0 WHERE shop_id = {shop:String}`;
    await onEachServer(service, (server) => server.command(`${forget} SETTINGS mutations_sync = 2`, { shop: shop.id }));
    expect((await get('a/b')).written).to.equal(null);
  });

  it('shows an order that does not count, deleted ones too, and says why', async () => {
    await push({ ...order, status: 'voided' });
    const voided = await get('a/b');
    expect(voided).to.deep.include({ counted: false, why_not: 'voided', total: '30.00', revenue: '0.00', days: [] });
    await push({ ...order, placed_at: '2026-03-01T00:00:00Z', updated_at: '2026-03-08T00:00:00Z', deleted: true });
    const gone = await get('a/b');
    expect(gone).to.deep.include({ day: '2026-03-01', deleted: true, why_not: 'deleted', fee_source: 'none' });
    expect(gone.line_items).to.have.length(3);
    await push({ ...order, updated_at: '2026-03-09T00:00:00Z' });
    expect(await get('a/b')).to.deep.include({ day: '2026-03-06', deleted: false, counted: true, revenue: '30.00' });
  });

  it('lists the visits that led to it', async () => {
    const pixel = await service.key(shop.id, 'pixel');
    const placed = Date.now() - 60_000;
    const event = (type: string, minutes: number, url: string, fields: object = {}) => ({
      event_id: randomUUID(),
      type,
      ts: new Date(placed - minutes * 60_000).toISOString(),
      anon_id: 'v-1',
      url,
      referrer: '',
      consent: 'analytics+marketing',
      ...fields,
    });
    const { status } = await service.call('POST', '/v1/collect', {
      key: pixel,
      body: {
        events: [
          event('page_view', 300, 'https://shop.example/?utm_source=news&utm_medium=email'),
          event('page_view', 100, 'https://shop.example/?gclid=abc'),
          event('purchase', 0, 'https://shop.example/thanks', { order_id: 'a/b' }),
        ],
      },
    });
    expect(status).to.equal(204);
    const visited = { ...order, placed_at: new Date(placed).toISOString(), refunds: [] };
    await push({ ...visited, updated_at: undefined });
    const { touches, channel } = await get('a/b');
    expect(touches.map((touch: any) => [touch.channel, touch.evidence])).to.deep.equal([
      ['email', 'claimed'],
      ['google_ads', 'proved'],
    ]);
    expect(Date.parse(touches[0].at)).to.equal(placed - 300 * 60_000);
    expect(channel).to.equal('google_ads');

    const forget = 'ALTER TABLE event_links DELETE WHERE shop_id = {shop:String} SETTINGS mutations_sync = 2';
    await onEachServer(service, (server) => server.command(forget, { shop: shop.id }));
    expect((await get('a/b')).touches, 'kept with the credit').to.deep.equal(touches);

    await push({ ...visited, updated_at: new Date(placed + 1_000).toISOString(), deleted: true });
    expect(await get('a/b')).to.deep.include({ deleted: true, channel: 'unattributed', touches: [] });
  });

  it('knows no order of another shop', async () => {
    await push(order);
    const other = await service.shop();
    for (const id of ['a%2Fb', 'x', 'x'.repeat(3_000), "'%20OR%201"]) {
      const { status, body } = await other.call('GET', `/v1/orders/${id}`);
      expect([status, body.errors[0].code], id.slice(0, 9)).to.deep.equal([404, 'not_found']);
      expect(body.errors[0].message.length).to.be.below(150);
    }
  });
});

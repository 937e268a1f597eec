import { expect } from 'chai';
import { refreshFacts } from '../../../src/warehouse/queries/write-facts.js';
import { useFreshShop, useService } from '../../support/service.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- answers of any form */

const RANGE = 'from=2026-03-01&to=2026-03-31';
const lineOf = (fields: object = {}) => ({ line_id: 'a', quantity: '2', unit_price: '10', ...fields });
const orderOf = (id: string, fields: object = {}) => ({
  order_id: id,
  placed_at: '2026-03-05T10:00:00Z',
  currency: 'EUR',
  status: 'paid',
  line_items: [lineOf()],
  total: '20',
  ...fields,
});

describe('GET /v1/orders', () => {
  const service = useService();
  const shop = useFreshShop(service, { timezone: 'Europe/Berlin' });

  async function push(...orders: object[]): Promise<void> {
    const { body } = await shop.call('POST', '/v1/orders', { orders });
    expect(body.accepted, JSON.stringify(body)).to.equal(orders.length);
    await service.settled();
  }
  async function list(query = '', of = shop): Promise<any> {
    const { status, body } = await of.call('GET', `/v1/orders?${RANGE}&${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  }
  const ids = (body: any): string[] => body.orders.map((order: any) => order.order_id);

  it('gives each order with its profit, and the sums of all', async () => {
    await shop.call('PUT', '/v1/products/costs', { costs: [{ sku: 'MUG', unit_cost: '3' }] });
    await shop.call('PUT', '/v1/costs/gateway-fees', {
      rules: [{ payment_gateway: 'stripe', percent: '2.5', fixed: '0.30' }],
    });
    const sold = [lineOf({ sku: 'MUG' })];
    await push(
      orderOf('known', {
        order_name: '#1',
        line_items: sold,
        payment_gateway: 'Stripe',
        refunds: [
          {
            refund_id: 'r',
            refunded_at: '2026-03-20T10:00:00Z',
            total: '10',
            gateway_fee_refund: '0.1',
            line_items: [{ line_id: 'a', quantity: '1', restock: true }],
          },
        ],
      }),
      orderOf('late', { placed_at: '2026-03-05T23:30:00Z', gateway_fee: '0.5' }),
    );
    const body = await list();
    expect(ids(body)).to.deep.equal(['late', 'known']);
    const [late, known] = body.orders;
    expect(late).to.deep.include({
      day: '2026-03-06',
      revenue: '20.00',
      cogs: '0.00',
      cogs_complete: false,
      gateway_fees: '0.50',
      fee_source: 'actual',
      profit: '19.50',
    });
    expect(Date.parse(known.received_at)).to.be.closeTo(Date.now(), 60_000);
    expect({ ...known, received_at: '' }).to.deep.equal({
      order_id: 'known',
      order_name: '#1',
      placed_at: '2026-03-05T10:00:00.000000Z',
      day: '2026-03-05',
      status: 'paid',
      counted: true,
      revenue: '20.00',
      refunds: '10.00',
      refunded: '10.00',
      cogs: '3.00',
      gateway_fees: '0.70',
      profit: '6.30',
      taxes: '0.00',
      earnings: '6.30',
      cogs_complete: true,
      fee_source: 'estimated',
      channel: 'unattributed',
      updated_at: '2026-03-05T10:00:00.000000Z',
      received_at: '',
    });
    expect(body.count).to.equal(2);
    expect(body.totals).to.deep.equal({
      orders: 2,
      orders_without_cost: 1,
      orders_without_fee: 0,
      revenue: '40.00',
      refunds: '10.00',
      cogs: '3.00',
      gateway_fees: '1.20',
      profit: '25.80',
      taxes: '0.00',
      fulfillment_costs: '0.00',
      earnings: '25.80',
    });
  });

  it('says why an order does not count, and lists deleted ones only when asked', async () => {
    await push(
      orderOf('1-paid'),
      orderOf('2-void', { status: 'voided', is_test: true }),
      orderOf('3-pending', { status: 'pending' }),
      orderOf('4-test', { is_test: true }),
      orderOf('5-gone', { deleted: true, status: 'voided' }),
      orderOf('6-moved', { deleted: true }),
    );
    await push(
      orderOf('6-moved', { placed_at: '2026-03-04T10:00:00Z', updated_at: '2026-03-06T10:00:00Z', deleted: true }),
    );
    const all = await list();
    expect(ids(all)).to.deep.equal(['1-paid', '2-void', '3-pending', '4-test']);
    expect(all.orders.map((order: any) => order.why_not)).to.deep.equal([undefined, 'voided', 'pending', 'test']);
    expect(all.orders[2]).to.deep.include({ counted: false, revenue: '0.00', profit: '0.00', fee_source: 'none' });
    expect(all.totals).to.deep.include({ orders: 1, revenue: '20.00' });
    expect([all.count, (await list('status=deleted')).count, (await list('counted=0')).count]).to.deep.equal([4, 2, 3]);
    expect(ids(await list('counted=1'))).to.deep.equal(['1-paid']);
    const uncounted = await list('counted=false');
    expect(ids(uncounted)).to.deep.equal(['2-void', '3-pending', '4-test']);
    expect(uncounted.totals).to.deep.include({ orders: 0, profit: '0.00' });
    expect(ids(await list('status=pending'))).to.deep.equal(['3-pending']);
    const gone = await list('status=deleted');
    expect(ids(gone)).to.deep.equal(['5-gone', '6-moved']);
    expect(gone.orders[0]).to.deep.include({ why_not: 'deleted', status: 'voided', counted: false });
    for (const none of ['counted=1', 'missing_cost=1']) expect(ids(await list(`status=deleted&${none}`))).to.be.empty;
    for (const all of ['counted=0', 'missing_cost=0']) {
      expect(ids(await list(`status=deleted&${all}`))).to.deep.equal(['5-gone', '6-moved']);
    }
  });

  it('finds orders by SKU, gateway, channel and missing cost', async () => {
    await shop.call('PUT', '/v1/products/costs', {
      costs: [
        { sku: 'A', unit_cost: '1', effective_from: '2026-03-10' },
        { sku: 'B', unit_cost: '1' },
      ],
    });
    await push(
      orderOf('early', { line_items: [lineOf({ sku: 'A' })], payment_gateway: 'ßank' }),
      orderOf('later', { placed_at: '2026-03-11T10:00:00Z', line_items: [lineOf({ sku: 'A' })], gateway_fee: '1' }),
      orderOf('other', { line_items: [lineOf({ sku: "B'\\" })], payment_gateway: 'SSANK' }),
      orderOf('own', { line_items: [lineOf({ unit_cost: '0' })] }),
      orderOf('bare', { status: 'pending' }),
    );
    const { warehouse, takeStamps } = service.stores;
    await warehouse.insert('order_attribution', [
      { shop_id: shop.id, placed_day: '2026-03-05', order_id: 'own', version: 1, last_touch: 'email' },
    ]);
    await refreshFacts(warehouse, new Map([[shop.id, ['own']]]), takeStamps);
    expect(ids(await list('sku=A'))).to.deep.equal(['later', 'early']);
    expect(ids(await list(`sku=${encodeURIComponent("B'\\")}`))).to.deep.equal(['other']);
    expect(ids(await list('gateway=ssank'))).to.deep.equal(['early', 'other']);
    const missing = await list('missing_cost=1');
    expect(ids(missing)).to.deep.equal(['early', 'other']);
    expect(missing.totals.revenue).to.equal('40.00');
    expect(ids(await list('missing_cost=0'))).to.deep.equal(['later', 'bare', 'own']);
    const emailed = await list('channel=email');
    expect(emailed.orders).to.have.length(1);
    expect(emailed.orders[0]).to.deep.include({ order_id: 'own', channel: 'email', cogs_complete: true });
    expect(ids(await list('channel=unattributed'))).to.deep.equal(['later', 'bare', 'early', 'other']);
  });

  it('pages without a gap or a repeat while orders arrive, move and leave; the totals stay', async () => {
    const many = Array.from({ length: 60 }, (_, i) =>
      orderOf(`o-${i}`, { placed_at: `2026-03-${String(1 + (i % 28)).padStart(2, '0')}T12:00:00.${i % 7}Z` }),
    );
    await push(...many);
    const wanted = ids(await list('limit=250'));
    expect(wanted).to.have.length(60);
    let body = await list('limit=7');
    const { totals } = body;
    const seen = ids(body);
    await push(
      orderOf('new', { placed_at: '2026-03-31T12:00:00Z' }),
      orderOf(seen[0] ?? '', { placed_at: '2026-03-01T00:00:00Z', updated_at: '2026-03-31T12:00:00Z', deleted: true }),
    );
    while (body.next !== undefined) {
      body = await list(`limit=${1 + (seen.length % 9)}&cursor=${body.next}`);
      expect(body.totals).to.deep.equal(totals);
      seen.push(...ids(body));
    }
    expect(seen).to.deep.equal(wanted);
  });

  it('refuses cursors of other queries and shops, made-up ones, and every other fault at once', async () => {
    await push(orderOf('1'), orderOf('2'));
    const { next } = await list('limit=1');
    const refused = async (query: string, of = shop): Promise<string[]> => {
      const { status, body } = await of.call('GET', `/v1/orders?${query}`);
      expect(status).to.equal(400);
      return body.errors.map((error: any) => `${error.code} ${error.field}`);
    };
    expect(await refused(`${RANGE}&status=paid&cursor=${next}`)).to.deep.equal(['invalid_value cursor']);
    expect(await refused(`${RANGE}&cursor=${next}`, await service.shop())).to.deep.equal(['invalid_value cursor']);
    const [query, place] = JSON.parse(Buffer.from(next, 'base64url').toString());
    const wide = Buffer.from(JSON.stringify([query, { ...place, from: 0 }])).toString('base64url');
    for (const cursor of ['x', '', wide, 'e30', 'A'.repeat(9_000)]) {
      expect(await refused(`${RANGE}&cursor=${cursor}`), cursor.slice(0, 9)).to.deep.equal(['invalid_value cursor']);
    }
    expect(
      await refused('from=2026-02-30&status=PAID&counted=yes&limit=251&sku=&nope=1&missing_cost=2&gateway=a&gateway=b'),
    ).to.have.members([
      'invalid_range from',
      'invalid_value status',
      'invalid_value counted',
      'invalid_value limit',
      'invalid_value sku',
      'unknown_field nope',
      'invalid_value missing_cost',
      'invalid_value gateway',
    ]);
  });

  it('shows nothing of another shop, and wants a key that reads', async () => {
    await push(orderOf('1'));
    const other = await service.shop();
    expect(ids(await list('', other))).to.deep.equal([]);
    const answer = await service.call('GET', '/v1/orders', { key: await service.key(shop.id, 'pixel') });
    expect([answer.status, answer.body.errors[0].code]).to.deep.equal([403, 'forbidden_scope']);
  });
});

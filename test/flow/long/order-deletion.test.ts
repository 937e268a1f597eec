import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import type { IngestHeader } from '../../../src/domain/ingest.js';
import { localDayIn } from '../../../src/domain/zones/local-day.js';
import { createOrderEncoder, ORDER_DAYS_HEAD, ORDERS_HEAD } from '../../../src/warehouse/columns/orders.js';
import { insertRows } from '../../../src/warehouse/insert-rows.js';
import { writeDeletions } from '../../../workers/order-deletions.js';
import { askUntilFresh } from '../../support/ask-until-fresh.js';
import { useFreshShop, useService } from '../../support/service.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- answers of any form */

const order = {
  order_id: 'a/b',
  order_name: '#1',
  placed_at: '2026-03-05T10:00:00Z',
  updated_at: '2026-03-06T10:00:00.123456Z',
  currency: 'EUR',
  status: 'paid',
  customer: { id: 'c-1' },
  line_items: [
    { line_id: '1', sku: 'MUG', title: 'Mug', product_id: 'p', quantity: '2', unit_price: '10', unit_cost: '4' },
  ],
  shipping: '3',
  tax: '2',
  taxes_included: true,
  total: '23',
  payment_gateway: 'stripe',
  gateway_fee: '1',
  refunds: [
    {
      refund_id: 'r-1',
      refunded_at: '2026-03-09T10:00:00Z',
      total: '10',
      line_items: [{ line_id: '1', quantity: '1', restock: true }],
    },
  ],
};
const PATH = '/v1/orders/a%2Fb';

describe('DELETE /v1/orders/{order_id}', () => {
  const service = useService();
  const shop = useFreshShop(service, { timezone: 'Europe/Berlin' });

  const push = async (fields: object = {}, of = shop): Promise<any> =>
    (await of.call('POST', '/v1/orders', { orders: [{ ...order, ...fields }] })).body.results[0].outcome;
  const remove = async (of = shop): Promise<string> => {
    const { status, headers } = await of.call('DELETE', PATH);
    expect(status).to.equal(204);
    return headers.get('Receipt') ?? '';
  };
  const figures = async (range: string, query = '', of = shop): Promise<unknown[]> => {
    const { status, body } = await askUntilFresh(() => of.call('GET', `/v1/metrics?${range}${query}`));
    expect(status, JSON.stringify(body)).to.equal(200);
    const { orders, revenue, refunds, cogs, gateway_fees } = body;
    return [orders, revenue, refunds, cogs, gateway_fees];
  };
  const SALE_DAY = 'from=2026-03-05&to=2026-03-05';
  const REFUND_DAY = 'from=2026-03-09&to=2026-03-09';
  const NOTHING = [0, '0.00', '0.00', '0.00', '0.00'];
  const SALE = [1, '23.00', '0.00', '8.00', '1.00'];
  const REFUND = [0, '0.00', '10.00', '-4.00', '0.00'];

  it('takes the order off all its days, and keeps what it was', async () => {
    const other = await service.shop({ timezone: 'Europe/Berlin' });
    await push();
    await push({}, other);
    await service.settled();
    expect(await figures(SALE_DAY)).to.deep.equal(SALE);
    expect(await figures(REFUND_DAY)).to.deep.equal(REFUND);
    const { body: before } = await shop.call('GET', PATH);

    const receipt = await remove();
    expect(await figures(SALE_DAY, `&after=${receipt}`)).to.deep.equal(NOTHING);
    expect(await figures(REFUND_DAY, `&after=${receipt}`)).to.deep.equal(NOTHING);
    await service.settled();
    expect(await figures(SALE_DAY, '', other)).to.deep.equal(SALE);

    const { body: after } = await shop.call('GET', PATH);
    expect(after).to.include({ deleted: true, counted: false, why_not: 'deleted' });
    expect(after.written.receipt).to.equal(receipt);
    expect(Date.parse(after.updated_at)).to.be.closeTo(Date.now(), 60_000);
    const { line_items, refunds, customer, shipping, tax, order_name, placed_at, day } = before;
    expect(after).to.deep.include({ line_items, refunds, customer, shipping, tax, order_name, placed_at, day });

    // Restatements are listed a moment after their figures.
    let revenue: any;
    while (revenue === undefined) {
      const { body } = await shop.call('GET', '/v1/restatements?from=2026-03-05&to=2026-03-05');
      revenue = body.restatements.find((one: any) => one.figure === 'revenue' && one.after === '0.00');
    }
    expect(revenue.causes).to.deep.equal([{ kind: 'deletion', count: 1, receipts: [receipt] }]);
  });

  it('outdates older pushes, and a newer one brings the order back', async () => {
    await push();
    await service.settled();
    await remove();
    await remove();
    expect(await push({ updated_at: '2026-03-07T00:00:00Z' })).to.equal('superseded');
    await service.settled();
    await remove();
    await service.settled();
    expect(await figures(SALE_DAY)).to.deep.equal(NOTHING);
    expect(await push({ updated_at: new Date(Date.now() + 3_600_000).toISOString() })).to.equal('accepted');
    await service.settled();
    expect(await figures(SALE_DAY)).to.deep.equal(SALE);
    expect(await figures(REFUND_DAY)).to.deep.equal(REFUND);
    // An hour ahead of now: the version of the deletion comes after it all the same.
    await remove();
    await service.settled();
    expect(await figures(SALE_DAY)).to.deep.equal(NOTHING);
  });

  it('deletes an order that is still in the queue, also one that moves to another day', async () => {
    await push();
    await push({ placed_at: '2026-03-08T10:00:00Z', updated_at: '2026-03-08T11:00:00Z' });
    await remove();
    await service.settled();
    for (const range of [SALE_DAY, REFUND_DAY, 'from=2026-03-01&to=2026-03-31']) {
      expect(await figures(range)).to.deep.equal(NOTHING);
    }
  });

  it('keeps what an order was whose last push another flush writes a moment later', async () => {
    const { warehouse } = service.stores;
    await push();
    await service.settled();
    const encoder = createOrderEncoder();
    encoder.begin(shop.id, localDayIn('Europe/Berlin'));
    encoder.add({ ...order, status: 'paid', shipping: '4', total: '24', updated_at: '2026-03-07T10:00:00Z' });
    const { orders, orderDays } = encoder.rows([true], Date.now() * 1_000);
    const late = setTimeout(300).then(async () => {
      await insertRows(warehouse, 'orders', [{ head: ORDERS_HEAD, rows: orders }]);
      await insertRows(warehouse, 'order_days', [{ head: ORDER_DAYS_HEAD, rows: orderDays }]);
    });
    const replaces = Date.parse('2026-03-07T10:00:00Z') * 1_000;
    const deletions = [replaces + 1, replaces + 2].map((version, i) => ({
      order_id: order.order_id,
      updated_at: version,
      stamp: Date.now() * 1_000 + i,
      replaces: version - 1,
    }));
    const header: IngestHeader = {
      shop_id: shop.id,
      kind: 'orders',
      batch_id: 'batch',
      received_at: 1,
      accepted: 2,
      rejected: 0,
      superseded: 0,
      errors: [],
    };
    await Promise.all([late, writeDeletions(warehouse, [{ header, deletions }])]);
    const { body } = await shop.call('GET', PATH);
    expect(body).to.include({ deleted: true, total: '24.00', shipping: '4.00' });
    expect(body.updated_at).to.equal('2026-03-07T10:00:00.000002Z');
  });

  it('knows no order that was never pushed, or that is of another shop', async () => {
    const other = await service.shop();
    await push();
    await service.settled();
    for (const path of ['/v1/orders/none', PATH]) {
      const { status, body } = await other.call('DELETE', path);
      expect([status, body.errors[0].code]).to.deep.equal([404, 'not_found']);
    }
    expect(await figures(SALE_DAY)).to.deep.equal(SALE);
  });

  it('asks the warehouse for an order that Redis has forgotten', async () => {
    await push();
    await service.settled();
    const { redis } = service.stores;
    await redis.del(`versions:{${shop.id}}`);
    await redis.hdel(`source:{${shop.id}}`, 'known_from');
    await remove();
    await service.settled();
    expect(await figures(SALE_DAY)).to.deep.equal(NOTHING);
    expect((await shop.call('DELETE', '/v1/orders/none')).status).to.equal(404);
  });
});

import { expect } from 'chai';
import type { OrderInput } from '../../../src/domain/orders/orders.js';
import { localDayIn } from '../../../src/domain/zones/local-day.js';
import { createAuditState } from '../../../src/redis/audit-state.js';
import { createAuditDay, createCheckDays } from '../../../src/figures/audit.js';
import { createOrderEncoder, ORDER_DAYS_HEAD, ORDERS_HEAD } from '../../../src/warehouse/columns/orders.js';
import { insertRows } from '../../../src/warehouse/insert-rows.js';
import { createCompareDays } from '../../../src/warehouse/queries/audit-checksums.js';
import { createAuditReader } from '../../../src/warehouse/queries/audit.js';
import { createAuditLoop } from '../../../workers/audit.js';
import { finishOrders } from '../../../workers/orders.js';
import { useService, type Shop } from '../../support/service.js';

const FIRST_DAY = '2026-03-01';
const NEXT_DAY = '2026-04-07';

const order = (orderId: string, fields: Partial<OrderInput> = {}): OrderInput => ({
  order_id: orderId,
  placed_at: `${FIRST_DAY}T10:00:00.123456Z`,
  updated_at: `${FIRST_DAY}T10:00:00Z`,
  currency: 'EUR',
  status: 'paid',
  total: '119.75',
  tax: '3.1',
  taxes_included: true,
  payment_gateway: 'Stripe',
  gateway_fee: '1.234567',
  line_items: [
    { line_id: 'a', quantity: '3', unit_price: '20.25', sku: 'OWN', unit_cost: '7.125', line_discount: '0.75' },
    { line_id: 'b', quantity: '1', unit_price: '59.75' },
  ],
  ...fields,
});

const LATER = { updated_at: `${FIRST_DAY}T12:00:00.654321Z` };
const REFUND = {
  refund_id: 'r',
  refunded_at: '2026-04-09T09:00:00Z',
  total: '40.5',
  gateway_fee_refund: '0.1',
  line_items: [{ line_id: 'a', quantity: '1', restock: true }],
};
const MOVED = { ...LATER, placed_at: `${NEXT_DAY}T10:00:00Z`, total: '118.75', discounts: '1', refunds: [REFUND] };

/** What became of each order, and which tables its push had reached. */
const STATES: readonly { state: OrderInput; stored: 'orders' | 'all' }[] = [
  { state: order('moved', MOVED), stored: 'orders' },
  { state: order('moved, its old day not outdated', MOVED), stored: 'all' },
  { state: order('changed on its day', { ...LATER, total: '118.75', discounts: '1' }), stored: 'orders' },
  { state: order('deleted', { ...LATER, deleted: true }), stored: 'orders' },
  { state: order('voided', { ...LATER, status: 'voided' }), stored: 'orders' },
];

describe('an order whose push was stored by half and then forgotten by Redis', function () {
  const service = useService();

  /** Stores the rows of a newer state as the worker does, up to where its job was lost. */
  const storeHalf = async (shop: Shop, state: OrderInput, tables: 'orders' | 'all'): Promise<void> => {
    const { warehouse, takeStamps } = service.stores;
    const encoder = createOrderEncoder();
    encoder.begin(shop.id, localDayIn('UTC'));
    encoder.add(state);
    const rows = encoder.rows([true], await takeStamps(2));
    await insertRows(warehouse, 'orders', [{ head: ORDERS_HEAD, rows: rows.orders }]);
    if (tables === 'all') await insertRows(warehouse, 'order_days', [{ head: ORDER_DAYS_HEAD, rows: rows.orderDays }]);
  };

  /** One round and a half of the auditor over the shop, as the worker runs it. */
  const auditRound = async (shop: Shop): Promise<number> => {
    const { stores } = service;
    const reader = createAuditReader(stores.warehouse);
    const state = createAuditState(stores.redis);
    let wrong = 0;
    const turn = createAuditLoop({
      check: createCheckDays({ ...stores, compareDays: createCompareDays(stores.warehouse) }),
      audit: createAuditDay({ ...stores, reader }),
      state: { ...state, lastShop: () => Promise.resolve(''), moveTo: (_, day) => state.moveTo(shop.id, day) },
      reader: { ...reader, nextShop: () => Promise.resolve(shop.id) },
      rebuild: (of) => finishOrders(stores, reader, of),
      onWrong: () => wrong++,
      now: Date.now,
      confirmMs: 0,
      share: 1,
    });
    for (let i = 0; i < 8; i++) {
      const before = wrong;
      await turn();
      if (wrong > before) await service.settled();
    }
    return wrong;
  };

  const look = async (shop: Shop): Promise<unknown> => {
    const range = 'from=2026-02-01&to=2026-04-30';
    const untimed = ({ received_at: _, written: __, ...rest }: Record<string, unknown>): unknown => rest;
    const [list, deleted, metrics, ...each] = await Promise.all([
      shop.call('GET', `/v1/orders?${range}`),
      shop.call('GET', `/v1/orders?${range}&status=deleted`),
      shop.call('GET', `/v1/metrics/daily?${range}`),
      ...STATES.map(({ state }) => shop.call('GET', `/v1/orders/${encodeURIComponent(state.order_id)}`)),
    ]);
    const rows = await service.stores.warehouse.query(
      `SELECT o.order_id, toString(o.placed_day) AS day, toString(o.total) AS total FROM bi.orders AS o
       WHERE o.shop_id = {shop:String} ORDER BY o.order_id, day`,
      { shop: shop.id },
    );
    return {
      list: list.body.orders.map(untimed),
      totals: list.body.totals,
      deleted: deleted.body.orders.map(untimed),
      days: metrics.body.days,
      each: each.map(({ body }) => untimed(body)),
      rows,
    };
  };

  it('is stored to the end by the auditor, and stands on one day in every answer', async () => {
    const [shop, whole] = [await service.shop(), await service.shop()];
    const orders = [...STATES.map(({ state }) => order(state.order_id)), order('other')];
    for (const each of [shop, whole]) await each.call('POST', '/v1/orders', { orders });
    await whole.call('POST', '/v1/orders', { orders: STATES.map(({ state }) => state) });
    await service.settled();
    for (const { state, stored } of STATES) await storeHalf(shop, state, stored);
    expect(await look(shop)).to.not.deep.equal(await look(whole));

    expect(await auditRound(shop)).to.be.greaterThan(0);
    expect(await look(shop)).to.deep.equal(await look(whole));
    expect(await auditRound(shop)).to.equal(0);
  });
});

import { expect } from 'chai';
import type { Answer, Service, Shop } from './service.js';

/** An order as a store knows it. */
export interface StoreOrder {
  order_id: string;
  placed_at: string;
  updated_at: string;
  total: string;
  refunds?: { refund_id: string; refunded_at: string; total: string }[];
  [more: string]: unknown;
}

/** A paid order of one line, as a store exports it. */
export const storeOrder = (id: string, placedAt: string, total: string, more: object = {}): StoreOrder => ({
  order_id: id,
  placed_at: placedAt,
  updated_at: placedAt,
  currency: 'EUR',
  status: 'paid',
  line_items: [{ line_id: '1', quantity: '1', unit_price: total }],
  total,
  ...more,
});

/** How a store pushes what it knows, and asks what differs. */
export const reconciling = (service: Service) => ({
  push: async (shop: Shop, orders: unknown[]): Promise<void> => {
    const { status, body } = await shop.call('POST', '/v1/orders', { orders });
    expect(status, JSON.stringify(body)).to.equal(200);
    await service.settled();
  },
  ask: async (shop: Shop, list: object): Promise<Answer['body']> => {
    const { status, body } = await shop.call('POST', '/v1/reconcile', list);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  },
});

import { expect } from 'chai';
import type { Service, Shop } from './service.js';

/** A paid order in euros of one line, placed at a moment in milliseconds. */
export const placedOrder = (id: string, placedAt: number, total: string, more: object = {}) => ({
  order_id: id,
  placed_at: new Date(placedAt).toISOString(),
  currency: 'EUR',
  status: 'paid',
  total,
  line_items: [{ line_id: '1', sku: 'A', quantity: '1', unit_price: total }],
  ...more,
});

/** Pushes orders, and waits until their figures are there. */
export async function pushSettled(
  service: Service,
  shop: Pick<Shop, 'call'>,
  orders: readonly object[],
): Promise<void> {
  const { status, body } = await shop.call('POST', '/v1/orders', { orders });
  expect(status, JSON.stringify(body)).to.equal(200);
  await service.settled();
}

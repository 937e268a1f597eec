import { randomUUID } from 'node:crypto';
import { orderVersion, type OrderInput } from '../../src/domain/orders/orders.js';
import { batchId } from '../../src/domain/receipts.js';
import { localDayIn } from '../../src/domain/zones/local-day.js';
import type { OrderCommit } from '../../src/ingest/order-commit.js';
import { createOrderEncoder, type OrderEncoder } from '../../src/warehouse/columns/orders.js';
import { paidOrder } from '../support/paid-order.js';

export interface Wanted {
  revision?: string;
  /** Of what the warehouse holds of each order; absent: it was not asked. */
  stored?: number | null | 'unknown';
}

/** An order that was updated at this hour. */
export const order = (id: string, hour: number): OrderInput =>
  paidOrder(id, { updated_at: new Date(Date.UTC(2026, 2, 5, hour)).toISOString() }) as unknown as OrderInput;

export function encoded(shopId: string, orders: readonly OrderInput[]): OrderEncoder {
  const encoder = createOrderEncoder();
  encoder.begin(shopId, localDayIn('UTC'));
  for (const one of orders) encoder.add(one);
  return encoder;
}

/** Pushes orders that were checked, each with a warning; another item of the push was rejected. */
export function pushClaims(
  commit: OrderCommit,
  { shopId, revision, ...wanted }: { shopId: string; revision: string; stored?: number | null | 'unknown' },
  orders: readonly OrderInput[],
) {
  const batch_id = batchId(Date.now(), randomUUID());
  const rows = encoded(shopId, orders).unstamped();
  const counts = { accepted: 0, rejected: 1, superseded: 0, errors: [] };
  const claims = orders.map((one) => ({ orderId: one.order_id, updatedAt: orderVersion(one), ...wanted }));
  const reservation = commit.add(
    {
      header: { shop_id: shopId, kind: 'orders', batch_id, received_at: 1, ...counts },
      order_ids: orders.map(({ order_id }) => order_id),
      checkouts: [],
      warnings: orders.map((_, i) => [i, 'tax_exceeds_total']),
      claim: { shopId, batchId: batch_id, sourceRevision: revision, nowMs: Date.now(), claims },
    },
    [rows.orders, rows.orderDays],
    orders.length,
  );
  return { batch_id, reservation, orders };
}

import { gatewayKey } from '../costs/gateway-keys.js';
import { amountOf, ORDER_AMOUNTS, type SummedOrder } from '../metrics/sums.js';
import { fraction, ofMicros, whole } from '../money.js';
import { add, type Ledger } from './ledger.js';
import { latest, newest, type AuditedKey, type AuditedOrder, type AuditedOrderDay } from './audited-rows.js';

/** Counts in the figures: paid, and not a test (contract: "Orders"). */
export const isCounted = ({ status, is_test }: AuditedOrder): boolean => status === 'paid' && !is_test;

/** A row of `orders` as the list of sums reads it. */
export const toSummedOrder = (order: AuditedOrder): SummedOrder => ({
  ...order,
  line_items: order.lines.map(([, quantity, unit_price, , line_discount]) => ({ quantity, unit_price, line_discount })),
});

/** What an order contributes on a day, from its row in `orders`. */
export function expectedOn(day: string, order: AuditedOrder): Ledger {
  const ledger: Ledger = new Map();
  if (!isCounted(order)) return ledger;
  const put = (name: string, amount = whole(1)): void => add(ledger, `order_days[${order.order_id}].${name}`, amount);
  const read = toSummedOrder(order);
  if (order.placed_day === day) {
    put('orders');
    for (const { name, sale } of ORDER_AMOUNTS) put(name, amountOf(sale?.(read) ?? '0'));
    if (order.gateway_fee !== null) put('has_gateway_fee');
    if (order.tax !== null) put('has_tax');
    if (order.fulfillment_cost !== null) put('has_fulfillment_cost');
    put(`payment_gateway[${gatewayKey(order.payment_gateway)}]`);
    for (const [, quantity, , sku, , cost] of order.lines) put(`sold[${sku} ${cost ?? '-'}]`, fraction(quantity));
  }
  const lines = new Map(order.lines.map((line) => [line[0], line]));
  for (const refund of order.refunds) {
    if (refund.refunded_day !== day) continue;
    for (const { name, refund: amount } of ORDER_AMOUNTS) put(name, ofMicros(amount?.(refund, read) ?? 0n));
    for (const [ofRefund, lineId, quantity, restock] of order.refund_lines) {
      const [, sold = '0', price = '0', sku = '', discount = '0', cost = null] = lines.get(lineId) ?? [];
      if (ofRefund !== refund.refund_id) continue;
      put(`returned[${lineId} ${sku} ${price} ${cost ?? '-'} ${sold} ${discount}]`, fraction(quantity));
      if (restock) put(`restocked[${sku} ${cost ?? '-'}]`, fraction(quantity));
    }
  }
  return ledger;
}

/** The same, as it is in `order_days`. */
export function storedOn(row: AuditedOrderDay): Ledger {
  const ledger: Ledger = new Map();
  const put = (name: string, amount = whole(1)): void => add(ledger, `order_days[${row.order_id}].${name}`, amount);
  put('orders', whole(row.orders));
  for (const { name } of ORDER_AMOUNTS) put(name, fraction(row.amounts[name] ?? '0'));
  if (row.has_gateway_fee) put('has_gateway_fee');
  if (row.has_tax) put('has_tax');
  if (row.has_fulfillment_cost) put('has_fulfillment_cost');
  if (row.orders === 1) put(`payment_gateway[${row.payment_gateway}]`);
  for (const [sku, quantity, cost, restock] of row.lines) {
    put(`${restock ? 'restocked' : 'sold'}[${sku} ${cost ?? '-'}]`, fraction(quantity));
  }
  for (const [, lineId, quantity, , sku, price, cost, sold, discount] of row.refund_lines) {
    put(`returned[${lineId} ${sku} ${price} ${cost ?? '-'} ${sold} ${discount}]`, fraction(quantity));
  }
  return ledger;
}

/** The days on which rows of an order must stand, its placed day included. */
export function daysOf(order: AuditedOrder): Set<string> {
  return new Set([
    order.placed_day,
    ...(isCounted(order) ? order.refunds.map(({ refunded_day }) => refunded_day) : []),
  ]);
}

/**
 * Ids of orders placed on the day whose rows by day are not those of their newest row in `orders`: their write ended in between.
 * A tombstone of a day that an order left has no lines, and says nothing of the order.
 */
export function unfinishedOn(day: string, orders: Iterable<AuditedOrder>, keys: Iterable<AuditedKey>): string[] {
  const stored = new Map<string, Set<string>>();
  for (const key of newest(keys, (row) => JSON.stringify([row.order_id, row.day])).values()) {
    const own = stored.get(key.order_id) ?? new Set();
    stored.set(key.order_id, own.add(`${key.day} ${key.version}`));
  }
  const placed = [...orders].filter((order) => order.placed_day === day);
  return [...latest(placed, (order) => order.order_id).values()]
    .filter((order) => {
      if (order.lines.length === 0) return false;
      const days = order.is_deleted === 0 ? [...daysOf(order)] : [day];
      const due = days.map((each) => `${each} ${order.version}`);
      const own = stored.get(order.order_id) ?? new Set();
      return due.length !== own.size || due.some((each) => !own.has(each));
    })
    .map((order) => order.order_id);
}

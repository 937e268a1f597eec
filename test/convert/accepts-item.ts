import { checkOrderRules } from '../../src/domain/orders/order-rules.js';
import { orderValidator } from '../../src/schemas/orders.js';

const NOW = Date.UTC(2026, 10, 1) * 1000;

/** What the service itself finds wrong with an item. */
export function acceptsItem(order: { currency: string }): unknown[] {
  return [...orderValidator.check(order), ...checkOrderRules(order, { currency: order.currency, nowMicros: NOW })];
}

import type { OrderDetail } from '../../../schemas/order-detail.js';
import type { Order } from '../../../schemas/orders.js';

/** An order in the form in which it is pushed, without what is computed of it; each of its fields is here. */
export function asSent(order: OrderDetail): Readonly<Record<keyof Order, unknown>> {
  const { order_id, order_name, placed_at, updated_at, currency, status, is_test, deleted, customer } = order;
  const { total, discounts, shipping, tax, taxes_included, tips, duties, rounding_adjustment } = order;
  const { payment_gateway, gateway_fee, fulfillment_cost, subscription_id, checkout_token } = order;
  const { country, sales_channel, discount_codes, tags } = order;
  return {
    order_id,
    order_name,
    placed_at,
    updated_at,
    currency,
    status,
    is_test: is_test || undefined,
    deleted: deleted || undefined,
    customer,
    line_items: order.line_items.map(({ cost: _cost, cost_source: { from }, unit_cost, ...line }) => ({
      ...line,
      ...(from === 'line' && { unit_cost }),
    })),
    discounts,
    shipping,
    tax,
    taxes_included,
    tips,
    duties,
    rounding_adjustment,
    total,
    payment_gateway,
    gateway_fee,
    fulfillment_cost,
    subscription_id,
    checkout_token,
    country,
    sales_channel,
    discount_codes,
    tags,
    refunds: order.refunds.map(({ day: _day, line_items, ...refund }) => ({
      ...refund,
      line_items: line_items.map(({ cost: _cost, ...line }) => line),
    })),
  };
}

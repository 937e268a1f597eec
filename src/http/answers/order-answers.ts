import { estimatedOrders, estimateFees } from '../../domain/costs/gateway-fees.js';
import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import { canonicalDecimal, fraction, minus, plus, type Fraction } from '../../domain/money.js';
import {
  feeOf,
  NO_AMOUNTS,
  toOrderFigures,
  whyNotCounted,
  type OrderAmounts,
} from '../../domain/orders/order-figures.js';
import { formatDay, formatTimestamp } from '../../domain/time.js';
import type { OrderSummary, OrderTotals } from '../../schemas/order-reads.js';
import type { ListedOrder, ListedTotals } from '../../warehouse/queries/order-list.js';

/** An order as it is in a list. */
export function toSummary(order: ListedOrder, rules: readonly GatewayFeeRule[]): OrderSummary {
  const why = whyNotCounted(order);
  const { revenue: total, gateway, has_gateway_fee } = order;
  const { fee, source } = feeOf({ total, gateway, ...(has_gateway_fee && { gateway_fee: '0' }) }, rules);
  const figures = toOrderFigures(why === undefined ? amountsOf(order, fee) : NO_AMOUNTS);
  return {
    order_id: order.order_id,
    ...(order.order_name !== '' && { order_name: order.order_name }),
    placed_at: formatTimestamp(order.placed_at),
    day: formatDay(order.day),
    status: order.status,
    counted: why === undefined,
    ...(why !== undefined && { why_not: why }),
    ...figures,
    refunded: figures.refunds,
    ...(order.fulfillment_cost !== null && { fulfillment_cost: canonicalDecimal(order.fulfillment_cost) }),
    cogs_complete: why !== undefined || order.is_costed,
    fee_source: why === undefined ? source : 'none',
    channel: order.channel,
    updated_at: formatTimestamp(order.updated_at),
    received_at: formatTimestamp(order.received_at),
  };
}

/** The sums of a list, rounded once. */
export function toTotals(totals: ListedTotals, rules: readonly GatewayFeeRule[]): OrderTotals {
  const { orders, costed, charged } = totals;
  const estimable = totals.estimable.map(({ revenue, ...volume }) => ({
    ...volume,
    revenue: fraction(revenue),
  }));
  return {
    orders,
    orders_without_cost: orders - costed,
    orders_without_fee: orders - charged - estimatedOrders(rules, estimable),
    fulfillment_costs: canonicalDecimal(totals.fulfillment_cost),
    ...toOrderFigures(amountsOf(totals, estimateFees(rules, estimable))),
  };
}

/** What an order brings, or several, with the fees that rules estimate. */
function amountsOf(row: ListedOrder | ListedTotals, fee: Fraction): OrderAmounts {
  return {
    revenue: fraction(row.revenue),
    refunds: fraction(row.refunds),
    cogs: fraction(row.cogs),
    fees: plus(fee, fraction(row.gateway_fees)),
    taxes: minus(fraction(row.tax), fraction(row.tax_refunded)),
    fulfillment: fraction(row.fulfillment_cost ?? '0'),
  };
}

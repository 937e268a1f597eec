import { estimatedOrders, estimateFees } from '../../domain/costs/gateway-fees.js';
import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import { canonicalDecimal, formatDecimal, fraction, minus, plus } from '../../domain/money.js';
import { feeOf, NO_AMOUNTS, toOrderFigures, whyNotCounted } from '../../domain/orders/order-figures.js';
import { formatDay, formatTimestamp } from '../../domain/time.js';
import type { OrderSummary, OrderTotals } from '../../schemas/order-reads.js';
import type { ListedOrder, ListedTotals } from '../../warehouse/queries/order-list.js';

/** An order as it is in a list. */
export function toSummary(order: ListedOrder, rules: readonly GatewayFeeRule[]): OrderSummary {
  const why = whyNotCounted(order);
  const { revenue: total, gateway, has_gateway_fee } = order;
  const { fee, source } = feeOf({ total, gateway, ...(has_gateway_fee && { gateway_fee: '0' }) }, rules);
  const amounts = {
    revenue: fraction(total),
    refunds: fraction(order.refunds),
    cogs: fraction(order.cogs),
    fees: plus(fee, fraction(order.gateway_fees)),
    taxes: minus(fraction(order.tax), fraction(order.tax_refunded)),
    fulfillment: fraction(order.fulfillment_cost ?? '0'),
  };
  const figures = toOrderFigures(why === undefined ? amounts : NO_AMOUNTS);
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
  const fulfillment = fraction(totals.fulfillmentCosts);
  return {
    orders,
    orders_without_cost: orders - costed,
    orders_without_fee: orders - charged - estimatedOrders(rules, estimable),
    fulfillment_costs: formatDecimal(fulfillment),
    ...toOrderFigures({
      revenue: fraction(totals.revenue),
      refunds: fraction(totals.refunds),
      cogs: fraction(totals.cogs),
      fees: plus(fraction(totals.gatewayFees), estimateFees(rules, estimable)),
      taxes: minus(fraction(totals.tax), fraction(totals.taxRefunds)),
      fulfillment,
    }),
  };
}

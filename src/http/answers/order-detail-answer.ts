import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import { canonicalDecimal, formatDecimal, ZERO } from '../../domain/money.js';
import { accountOf, type OrderAccount, type UnitCost } from '../../domain/orders/order-account.js';
import { feeOf, NO_AMOUNTS, toOrderFigures, whyNotCounted } from '../../domain/orders/order-figures.js';
import { orderWarnings } from '../../domain/orders/order-warnings.js';
import { formatDay, formatTimestamp } from '../../domain/time.js';
import type { CostSource, OrderDetail } from '../../schemas/order-detail.js';
import { toOrderInput } from '../../warehouse/columns/restored-order.js';
import type { StoredLine, StoredOrder, StoredRefund } from '../../warehouse/columns/stored-order.js';
import type { FoundOrder } from '../../warehouse/queries/order-detail.js';

/** Most touches in one answer; no real customer has as many. */
const MAX_TOUCHES = 100;

/** An order with all that explains its figures. */
export function toDetail(found: FoundOrder, rules: readonly GatewayFeeRule[]): OrderDetail {
  const { order, catalog, channel, touches, written } = found;
  const why = whyNotCounted(order);
  const counted = why === undefined;
  const warnings = orderWarnings(toOrderInput(order));
  const { fee, source } = feeOf(order, rules);
  const account = accountOf(order, fee, catalog);
  const { refunds: refunded, ...figures } = toOrderFigures(counted ? account.total : NO_AMOUNTS);
  return {
    order_id: order.orderId,
    ...(order.orderName !== '' && { order_name: order.orderName }),
    placed_at: formatTimestamp(order.placedAt),
    day: formatDay(order.day),
    status: order.status,
    counted,
    ...(!counted && { why_not: why }),
    ...figures,
    refunded,
    cogs_complete: !counted || order.lines.every(({ lineId }) => account.unitCosts.has(lineId)),
    fee_source: counted ? source : 'none',
    channel,
    updated_at: formatTimestamp(order.updatedAt),
    received_at: formatTimestamp(order.receivedAt),
    ...stateOf(order),
    line_items: order.lines.map((line) => toLine(line, account)),
    refunds: order.refunds.map((refund) => toRefund(refund, account)),
    touches: touches
      .slice(-MAX_TOUCHES)
      .map((touch) => ({ at: formatTimestamp(touch.at * 1000), channel: touch.channel, evidence: touch.evidence })),
    days: counted ? account.days.map(([day, amounts]) => ({ date: formatDay(day), ...toOrderFigures(amounts) })) : [],
    ...(warnings.length > 0 && { warnings }),
    written: written && {
      batch_id: written.batchId,
      receipt: written.batchId,
      key_last4: written.keyLast4,
      request_id: written.requestId,
    },
  };
}

/** What was sent of the order as a whole. */
function stateOf(order: StoredOrder) {
  return {
    currency: order.currency,
    is_test: order.isTest,
    deleted: order.deleted,
    ...(order.customerId !== '' && { customer: { id: order.customerId } }),
    ...(order.country !== '' && { country: order.country }),
    ...(order.salesChannel !== '' && { sales_channel: order.salesChannel }),
    ...(order.discountCodes.length > 0 && { discount_codes: order.discountCodes }),
    ...(order.tags.length > 0 && { tags: order.tags }),
    total: canonicalDecimal(order.total),
    discounts: canonicalDecimal(order.discounts),
    shipping: canonicalDecimal(order.shipping),
    ...(order.tax !== null && { tax: canonicalDecimal(order.tax) }),
    taxes_included: order.taxesIncluded,
    tips: canonicalDecimal(order.tips),
    duties: canonicalDecimal(order.duties),
    rounding_adjustment: canonicalDecimal(order.roundingAdjustment),
    ...(order.paymentGateway !== '' && { payment_gateway: order.paymentGateway }),
    ...(order.gatewayFee !== null && { gateway_fee: canonicalDecimal(order.gatewayFee) }),
    ...(order.fulfillmentCost !== null && { fulfillment_cost: canonicalDecimal(order.fulfillmentCost) }),
    ...(order.subscriptionId !== '' && { subscription_id: order.subscriptionId }),
    ...(order.checkoutToken !== '' && { checkout_token: order.checkoutToken }),
  };
}

function toLine(line: StoredLine, { unitCosts, costOf }: OrderAccount): OrderDetail['line_items'][number] {
  const unitCost = unitCosts.get(line.lineId);
  return {
    line_id: line.lineId,
    ...(line.sku !== '' && { sku: line.sku }),
    ...(line.productId !== '' && { product_id: line.productId }),
    ...(line.title !== '' && { title: line.title }),
    quantity: canonicalDecimal(line.quantity),
    unit_price: canonicalDecimal(line.unitPrice),
    line_discount: canonicalDecimal(line.lineDiscount),
    ...(unitCost && { unit_cost: canonicalDecimal(unitCost.amount) }),
    cost: formatDecimal(costOf(line)),
    cost_source: toCostSource(unitCost),
  };
}

function toCostSource(unitCost: UnitCost | undefined): CostSource {
  if (unitCost === undefined) return { from: 'unknown' };
  if (unitCost.from === 'line') return { from: 'line' };
  const { since = null } = unitCost;
  return { from: 'catalog', effective_from: since === null ? null : formatDay(since) };
}

function toRefund(refund: StoredRefund, { costOf }: OrderAccount): OrderDetail['refunds'][number] {
  return {
    refund_id: refund.refundId,
    refunded_at: formatTimestamp(refund.refundedAt),
    day: formatDay(refund.day),
    total: canonicalDecimal(refund.total),
    ...(refund.taxRefund !== null && { tax_refund: canonicalDecimal(refund.taxRefund) }),
    shipping_refund: canonicalDecimal(refund.shippingRefund),
    gateway_fee_refund: canonicalDecimal(refund.feeRefund),
    gift_card_refund: canonicalDecimal(refund.giftCardRefund),
    store_credit: refund.storeCredit,
    line_items: refund.lines.map((line) => ({
      line_id: line.lineId,
      quantity: canonicalDecimal(line.quantity),
      restock: line.restock,
      cost: formatDecimal(line.restock ? costOf(line) : ZERO),
    })),
  };
}

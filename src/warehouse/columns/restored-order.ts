import type { OrderInput } from '../../domain/orders/orders.js';
import { formatTimestamp } from '../../domain/time.js';
import { createOrderEncoder } from './orders.js';
import type { StoredLine, StoredOrder, StoredRefund } from './stored-order.js';

/**
 * The rows of `order_days` of stored orders, as the door encoded them: the same versions, and the days on which they stand in
 * `orders`, whatever became of the source's time zone.
 */
export function restoredOrderDays(shopId: string, orders: readonly StoredOrder[]): Buffer {
  const encoder = createOrderEncoder();
  return Buffer.concat(
    orders.map((order) => {
      const days = new Map([[order.placedAt, order.day], ...order.refunds.map(dayOfRefund)]);
      encoder.begin(shopId, (micros) => {
        const day = days.get(micros);
        if (day === undefined) throw new Error('an instant of the order has no day');
        return day;
      });
      encoder.add(toOrderInput(order));
      return Buffer.from(encoder.rows([true], order.receivedAt).orderDays); // which the next order overwrites
    }),
  );
}

const dayOfRefund = ({ refundedAt, day }: StoredRefund): [number, number] => [refundedAt, day];

/** Without what only `orders` holds. An empty text and an absent one are stored as the same. */
export function toOrderInput(order: StoredOrder): OrderInput {
  return {
    order_id: order.orderId,
    placed_at: formatTimestamp(order.placedAt),
    updated_at: formatTimestamp(order.updatedAt),
    currency: order.currency,
    status: order.status,
    is_test: order.isTest,
    line_items: order.lines.map(toLineInput),
    discounts: order.discounts,
    shipping: order.shipping,
    ...(order.tax !== null && { tax: order.tax }),
    taxes_included: order.taxesIncluded,
    tips: order.tips,
    duties: order.duties,
    rounding_adjustment: order.roundingAdjustment,
    total: order.total,
    payment_gateway: order.paymentGateway,
    ...(order.gatewayFee !== null && { gateway_fee: order.gatewayFee }),
    ...(order.fulfillmentCost !== null && { fulfillment_cost: order.fulfillmentCost }),
    refunds: order.refunds.map(toRefundInput),
    deleted: order.deleted,
  };
}

function toLineInput(line: StoredLine): OrderInput['line_items'][number] {
  return {
    line_id: line.lineId,
    quantity: line.quantity,
    unit_price: line.unitPrice,
    sku: line.sku,
    line_discount: line.lineDiscount,
    ...(line.unitCost !== null && { unit_cost: line.unitCost }),
  };
}

function toRefundInput(refund: StoredRefund): NonNullable<OrderInput['refunds']>[number] {
  return {
    refund_id: refund.refundId,
    refunded_at: formatTimestamp(refund.refundedAt),
    total: refund.total,
    ...(refund.taxRefund !== null && { tax_refund: refund.taxRefund }),
    shipping_refund: refund.shippingRefund,
    gateway_fee_refund: refund.feeRefund,
    gift_card_refund: refund.giftCardRefund,
    store_credit: refund.storeCredit,
    line_items: refund.lines.map(({ lineId, quantity, restock }) => ({ line_id: lineId, quantity, restock })),
  };
}

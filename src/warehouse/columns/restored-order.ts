import type { OrderInput } from '../../domain/orders/orders.js';
import { formatTimestamp, MICROS_PER_DAY } from '../../domain/time.js';
import { createOrderEncoder, type OrderRows } from './orders.js';
import type { StoredLine, StoredOrder, StoredRefund } from './stored-order.js';

/**
 * The rows of `order_days` of stored orders, as the door encoded them: the same versions, and the days on which they stand in
 * `orders`, whatever became of the source's time zone.
 */
export function restoredOrderDays(shopId: string, orders: readonly StoredOrder[]): Buffer {
  const encode = encoding(shopId);
  return Buffer.concat(
    orders.map(
      (order) =>
        encode(toOrderInput(order), { days: daysOf(order), stamp: order.receivedAt, version: order.version }).orderDays,
    ),
  );
}

/** A later version of an order, as deleted; `order` is absent where none is stored. */
export interface DeletedVersion {
  orderId: string;
  updatedAt: number;
  stamp: number;
  order: StoredOrder | undefined;
}

/** The rows of orders as deleted; those of an order that is not stored say no more than that. */
export function deletedOrders(shopId: string, deleted: readonly DeletedVersion[]): OrderRows {
  const encode = encoding(shopId);
  const rows = deleted.map(({ orderId, updatedAt, stamp, order }) => {
    const version = { updated_at: formatTimestamp(updatedAt), deleted: true };
    if (order !== undefined) return encode({ ...toOrderInput(order), ...version }, { days: daysOf(order), stamp });
    const day = Math.floor(updatedAt / MICROS_PER_DAY);
    return encode(
      { ...emptyOrder(orderId, version.updated_at), ...version },
      { days: new Map([[updatedAt, day]]), stamp },
    );
  });
  return {
    orders: Buffer.concat(rows.map(({ orders }) => orders)),
    orderDays: Buffer.concat(rows.map(({ orderDays }) => orderDays)),
  };
}

function emptyOrder(orderId: string, placedAt: string): OrderInput {
  return { order_id: orderId, placed_at: placedAt, currency: '', status: 'voided', line_items: [], total: '0' };
}

type Encode = (
  order: OrderInput,
  at: { days: ReadonlyMap<number, number>; stamp: number; version?: number },
) => OrderRows;

/** Encodes orders one by one, on given days. */
function encoding(shopId: string): Encode {
  const encoder = createOrderEncoder();
  return (order, { days, stamp, version }) => {
    encoder.begin(shopId, (micros) => {
      const day = days.get(micros);
      if (day === undefined) throw new Error('an instant of the order has no day');
      return day;
    });
    encoder.add(order, version);
    const { orders, orderDays } = encoder.rows([true], stamp);
    return { orders: Buffer.from(orders), orderDays: Buffer.from(orderDays) }; // which the next order overwrites
  };
}

const daysOf = (order: StoredOrder): Map<number, number> =>
  new Map([[order.placedAt, order.day], ...order.refunds.map(dayOfRefund)]);

const dayOfRefund = ({ refundedAt, day }: StoredRefund): [number, number] => [refundedAt, day];

/** An order as it was sent. An empty text and an absent one are stored as the same. */
export function toOrderInput(order: StoredOrder): OrderInput {
  return {
    order_id: order.orderId,
    order_name: order.orderName,
    placed_at: formatTimestamp(order.placedAt),
    updated_at: formatTimestamp(order.updatedAt),
    currency: order.currency,
    status: order.status,
    is_test: order.isTest,
    ...(order.customerId !== '' && { customer: { id: order.customerId } }),
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
    subscription_id: order.subscriptionId,
    checkout_token: order.checkoutToken,
    country: order.country,
    sales_channel: order.salesChannel,
    discount_codes: order.discountCodes,
    tags: order.tags,
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
    product_id: line.productId,
    title: line.title,
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

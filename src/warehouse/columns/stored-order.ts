import { Type } from 'typebox';
import type { OrderInput } from '../../domain/orders/orders.js';
import { parseDay } from '../../domain/time.js';
import { nullable, textOf, texts, type Row } from '../query.js';

const TEXT = Type.String();
/** The columns of an order's state; an absent text is empty. */
export const ORDER_ROW = {
  order_id: TEXT,
  is_deleted: Type.Number(),
  ...texts('order_name', 'placed', 'day', 'updated', 'version', 'stamp', 'currency'),
  status: textOf<OrderInput['status']>(),
  is_test: Type.Boolean(),
  ...texts('customer_id', 'discounts', 'shipping'),
  tax: nullable(TEXT),
  taxes_included: Type.Boolean(),
  ...texts('tips', 'duties', 'rounding_adjustment', 'total', 'payment_gateway'),
  gateway_fee: nullable(TEXT),
  fulfillment_cost: nullable(TEXT),
  ...texts('subscription_id', 'checkout_token'),
  lines: Type.Array(Type.Tuple([TEXT, TEXT, TEXT, TEXT, TEXT, nullable(TEXT), TEXT, TEXT])),
  refunds: Type.Array(Type.Tuple([TEXT, TEXT, TEXT, TEXT, nullable(TEXT), TEXT, TEXT, TEXT, Type.Boolean()])),
  refund_lines: Type.Array(Type.Tuple([TEXT, TEXT, TEXT, Type.Boolean()])),
};
export type OrderRow = Row<typeof ORDER_ROW>;

/** One state of an order as it is in the warehouse. Amounts are plain decimals, instants microseconds. */
export type StoredOrder = ReturnType<typeof toStoredOrder>;
export type StoredLine = StoredOrder['lines'][number];
export type StoredRefund = StoredOrder['refunds'][number];

interface ReturnedLine {
  lineId: string;
  quantity: string;
  restock: boolean;
}

export function toStoredOrder(row: OrderRow) {
  const returned = new Map<string, ReturnedLine[]>(row.refunds.map(([refundId]) => [refundId, []]));
  for (const [refundId, lineId, quantity, restock] of row.refund_lines) {
    returned.get(refundId)?.push({ lineId, quantity, restock });
  }
  return {
    orderId: row.order_id,
    deleted: row.is_deleted === 1,
    orderName: row.order_name,
    placedAt: Number(row.placed),
    day: parseDay(row.day) ?? 0,
    updatedAt: Number(row.updated),
    /** What the stale guard compares. */
    version: Number(row.version),
    receivedAt: Number(row.stamp),
    currency: row.currency,
    status: row.status,
    isTest: row.is_test,
    customerId: row.customer_id,
    discounts: row.discounts,
    shipping: row.shipping,
    tax: row.tax,
    taxesIncluded: row.taxes_included,
    tips: row.tips,
    duties: row.duties,
    roundingAdjustment: row.rounding_adjustment,
    total: row.total,
    paymentGateway: row.payment_gateway,
    gatewayFee: row.gateway_fee,
    fulfillmentCost: row.fulfillment_cost,
    subscriptionId: row.subscription_id,
    checkoutToken: row.checkout_token,
    lines: row.lines.map(toLine),
    refunds: row.refunds.map((refund) => toRefund(refund, returned.get(refund[0]) ?? [])),
  };
}

function toLine(line: OrderRow['lines'][number]) {
  const [lineId, quantity, unitPrice, sku, lineDiscount, unitCost, productId, title] = line;
  return { lineId, quantity, unitPrice, sku, lineDiscount, unitCost, productId, title };
}

function toRefund(refund: OrderRow['refunds'][number], lines: readonly ReturnedLine[]) {
  const [refundId, at, day, total, taxRefund, shippingRefund, feeRefund, giftCardRefund, storeCredit] = refund;
  return {
    refundId,
    refundedAt: Number(at),
    day: parseDay(day) ?? 0,
    total,
    taxRefund,
    shippingRefund,
    feeRefund,
    giftCardRefund,
    storeCredit,
    lines,
  };
}

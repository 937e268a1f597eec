import { Type } from 'typebox';
import type { OrderInput } from '../../domain/orders/orders.js';
import { parseDay } from '../../domain/time.js';
import { nullable, textOf, texts, type Row } from '../query.js';

/** One state of an order as it is in the warehouse. Amounts are plain decimals, instants microseconds. */
export interface StoredOrder {
  orderId: string;
  deleted: boolean;
  orderName: string;
  placedAt: number;
  day: number;
  updatedAt: number;
  /** What the stale guard compares, microseconds too. */
  version: number;
  receivedAt: number;
  currency: string;
  status: OrderInput['status'];
  isTest: boolean;
  customerId: string;
  discounts: string;
  shipping: string;
  tax: string | null;
  taxesIncluded: boolean;
  tips: string;
  duties: string;
  roundingAdjustment: string;
  total: string;
  paymentGateway: string;
  gatewayFee: string | null;
  fulfillmentCost: string | null;
  subscriptionId: string;
  checkoutToken: string;
  lines: StoredLine[];
  refunds: StoredRefund[];
}

export interface StoredLine {
  lineId: string;
  quantity: string;
  unitPrice: string;
  sku: string;
  lineDiscount: string;
  unitCost: string | null;
  productId: string;
  title: string;
}

export interface StoredRefund {
  refundId: string;
  refundedAt: number;
  day: number;
  total: string;
  taxRefund: string | null;
  shippingRefund: string;
  feeRefund: string;
  giftCardRefund: string;
  storeCredit: boolean;
  lines: { lineId: string; quantity: string; restock: boolean }[];
}

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

export function toStoredOrder(row: OrderRow): StoredOrder {
  const returned = new Map<string, StoredRefund['lines']>(row.refunds.map(([refundId]) => [refundId, []]));
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

function toLine([
  lineId,
  quantity,
  unitPrice,
  sku,
  lineDiscount,
  unitCost,
  productId,
  title,
]: OrderRow['lines'][number]): StoredLine {
  return { lineId, quantity, unitPrice, sku, lineDiscount, unitCost, productId, title };
}

function toRefund(refund: OrderRow['refunds'][number], lines: StoredRefund['lines']): StoredRefund {
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

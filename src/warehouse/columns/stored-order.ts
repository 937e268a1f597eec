import type { OrderInput } from '../../domain/orders/orders.js';
import { parseDay } from '../../domain/time.js';

/** One state of an order as it stands in the warehouse. Amounts are plain decimals, instants microseconds. */
export interface StoredOrder {
  orderId: string;
  deleted: boolean;
  orderName: string;
  placedAt: number;
  day: number;
  updatedAt: number;
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

type LineTuple = [string, string, string, string, string, string | null, string, string];
type RefundTuple = [string, string, string, string, string | null, string, string, string, boolean];

/** A row of `orderQuery`; an absent text is empty. */
export interface OrderRow {
  order_id: string;
  is_deleted: number;
  order_name: string;
  placed: string;
  day: string;
  updated: string;
  stamp: string;
  currency: string;
  status: OrderInput['status'];
  is_test: boolean;
  customer_id: string;
  discounts: string;
  shipping: string;
  tax: string | null;
  taxes_included: boolean;
  tips: string;
  duties: string;
  rounding_adjustment: string;
  total: string;
  payment_gateway: string;
  gateway_fee: string | null;
  fulfillment_cost: string | null;
  subscription_id: string;
  checkout_token: string;
  lines: LineTuple[];
  refunds: RefundTuple[];
  refund_lines: [string, string, string, boolean][];
}

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

function toLine([lineId, quantity, unitPrice, sku, lineDiscount, unitCost, productId, title]: LineTuple): StoredLine {
  return { lineId, quantity, unitPrice, sku, lineDiscount, unitCost, productId, title };
}

function toRefund(refund: RefundTuple, lines: StoredRefund['lines']): StoredRefund {
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

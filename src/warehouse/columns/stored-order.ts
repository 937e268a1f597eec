import { Type } from 'typebox';
import type { OrderInput } from '../../domain/orders/orders.js';
import { parseDay } from '../../domain/time.js';
import { nullable, textOf, texts, type Row } from '../query.js';

const TEXT = Type.String();
/** The columns of an order's state; an absent text is empty. */
export const ORDER_ROW = {
  ...texts('orderId', 'orderName', 'currency'),
  deleted: Type.Boolean(),
  placedAt: Type.Number(),
  /** Day number. */
  day: Type.Number(),
  updatedAt: Type.Number(),
  /** What the stale guard compares. */
  version: Type.Number(),
  receivedAt: Type.Number(),
  status: textOf<OrderInput['status']>(),
  isTest: Type.Boolean(),
  ...texts('customerId', 'discounts', 'shipping'),
  tax: nullable(TEXT),
  taxesIncluded: Type.Boolean(),
  ...texts('tips', 'duties', 'roundingAdjustment', 'total', 'paymentGateway'),
  gatewayFee: nullable(TEXT),
  fulfillmentCost: nullable(TEXT),
  ...texts('subscriptionId', 'checkoutToken', 'country', 'salesChannel'),
  discountCodes: Type.Array(TEXT),
  tags: Type.Array(TEXT),
  lines: Type.Array(Type.Tuple([TEXT, TEXT, TEXT, TEXT, TEXT, nullable(TEXT), TEXT, TEXT])),
  refunds: Type.Array(Type.Tuple([TEXT, TEXT, TEXT, TEXT, nullable(TEXT), TEXT, TEXT, TEXT, Type.Boolean()])),
  refundLines: Type.Array(Type.Tuple([TEXT, TEXT, TEXT, Type.Boolean()])),
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

export function toStoredOrder({ lines, refunds, refundLines, ...order }: OrderRow) {
  const returned = new Map<string, ReturnedLine[]>(refunds.map(([refundId]) => [refundId, []]));
  for (const [refundId, lineId, quantity, restock] of refundLines) {
    returned.get(refundId)?.push({ lineId, quantity, restock });
  }
  return {
    ...order,
    lines: lines.map(toLine),
    refunds: refunds.map((refund) => toRefund(refund, returned.get(refund[0]) ?? [])),
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

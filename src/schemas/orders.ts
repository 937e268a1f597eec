import Type, { type Static } from 'typebox';
import type { ErrorDetail } from '../errors.js';
import { ErrorItem } from './errors.js';
import { closed, Currency, Id, Money, NullableId, Quantity, Text, TEXT_PATTERN, Timestamp } from './primitives.js';
import { validator } from './validator.js';

export const ORDERS_PER_BATCH = 250;
export const ORDER_BODY_BYTES = 4 * 1024 * 1024;

export const LineItem = Type.Object(
  {
    line_id: Id,
    quantity: Quantity,
    unit_price: Money,
    sku: Type.Optional(Id),
    line_discount: Type.Optional(Money),
    unit_cost: Type.Optional(Money),
    product_id: Type.Optional(Id),
    title: Type.Optional(Text),
  },
  { ...closed, title: 'LineItem' },
);

export const RefundLine = Type.Object(
  { line_id: Id, quantity: Quantity, restock: Type.Optional(Type.Boolean()) },
  { ...closed, title: 'RefundLine' },
);

export const Refund = Type.Object(
  {
    refund_id: Id,
    refunded_at: Timestamp,
    total: Money,
    tax_refund: Type.Optional(Money),
    shipping_refund: Type.Optional(Money),
    gateway_fee_refund: Type.Optional(Money),
    gift_card_refund: Type.Optional(Money),
    store_credit: Type.Optional(Type.Boolean()),
    line_items: Type.Optional(Type.Array(RefundLine)),
  },
  { ...closed, title: 'Refund' },
);

/** One item of `POST /v1/orders` (specification: "Order"). */
export const Order = Type.Object(
  {
    order_id: Id,
    order_name: Type.Optional(Text),
    placed_at: Timestamp,
    updated_at: Type.Optional(Timestamp),
    currency: Currency,
    status: Type.Enum(['paid', 'pending', 'voided']),
    is_test: Type.Optional(Type.Boolean()),
    customer: Type.Optional(
      Type.Object({ id: Type.String({ minLength: 1, maxLength: 128, pattern: TEXT_PATTERN }) }, closed),
    ),
    line_items: Type.Array(LineItem, { minItems: 1, maxItems: 500, 'x-size-code': 'line_count' }),
    discounts: Type.Optional(Money),
    shipping: Type.Optional(Money),
    tax: Type.Optional(Money),
    taxes_included: Type.Optional(Type.Boolean()),
    tips: Type.Optional(Money),
    duties: Type.Optional(Money),
    rounding_adjustment: Type.Optional(Money),
    total: Money,
    payment_gateway: Type.Optional(Type.String({ maxLength: 255, pattern: TEXT_PATTERN })),
    gateway_fee: Type.Optional(Money),
    subscription_id: Type.Optional(NullableId),
    refunds: Type.Optional(Type.Array(Refund)),
    deleted: Type.Optional(Type.Boolean()),
  },
  { ...closed, title: 'Order' },
);
export type Order = Static<typeof Order>;

/** The envelope alone; its items are checked one by one so that each gets its own result. */
export const OrderBatch = Type.Object(
  {
    orders: Type.Array(Type.Unknown(), {
      minItems: 1,
      maxItems: ORDERS_PER_BATCH,
      'x-size-code': 'batch_size',
    }),
  },
  closed,
);

export const orderBatchValidator = validator(OrderBatch, 'The body');
export const orderValidator = validator(Order, 'The order');

/** One result of a batch. `errors` stands on rejected items only. */
export interface OrderResult {
  order_id: string | null;
  outcome: 'accepted' | 'rejected' | 'superseded';
  errors?: readonly ErrorDetail[];
}

export const OrderResultSchema = Type.Object(
  {
    order_id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'As supplied; null when it was not a string.',
    }),
    outcome: Type.Enum(['accepted', 'rejected', 'superseded']),
    errors: Type.Optional(Type.Array(ErrorItem)),
  },
  { ...closed, title: 'OrderResult' },
);

/** Response of `POST /v1/orders`; the results stand in the order of the request. */
export interface OrderBatchResult {
  accepted: number;
  rejected: number;
  superseded: number;
  results: OrderResult[];
}

export const OrderBatchResultSchema = Type.Object(
  {
    accepted: Type.Integer(),
    rejected: Type.Integer(),
    superseded: Type.Integer(),
    results: Type.Array(OrderResultSchema),
  },
  closed,
);

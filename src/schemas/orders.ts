import Type, { type Static } from 'typebox';
import { LONGEST_CUSTOMER_ID, MAX_ENTRIES } from '../domain/orders/order-rules.js';
import { FACTS } from '../domain/orders/order-facts.js';
import { MAX_WARNINGS, ORDER_WARNING_CODES, type OrderWarning as Warning } from '../domain/orders/warning-codes.js';
import { batchOf, batchResultOf } from './batch.js';
import { ItemErrors } from './errors.js';
import {
  BatchReceipt,
  closed,
  Country,
  Currency,
  field,
  flag,
  Id,
  ID_PATTERN,
  LongText,
  Money,
  NullableId,
  NullableText,
  optional,
  Quantity,
  Sku,
  Text,
  TEXT_PATTERN,
  Timestamp,
} from './primitives.js';

const ORDERS_PER_BATCH = 250;
const ORDER_BODY_BYTES = 4 * 1024 * 1024;

const ZERO = { default: '0' };

const fact = ({ characters }: { characters: number }) =>
  Type.String({ minLength: 1, maxLength: characters, pattern: ID_PATTERN, format: 'not-blank' });
const facts = (limits: { entries: number; characters: number }, what: string) =>
  Type.Array(fact(limits), {
    maxItems: limits.entries,
    description: `${what}, at most ${limits.entries}. Case and blanks at either end make no difference. Absent: none.`,
  });

/** What was sold where, never who bought. */
export const orderFacts = {
  country: optional(Country, 'Country that it went to, in any case; shown in upper case. Absent: not known.'),
  sales_channel: optional(
    fact(FACTS.salesChannel),
    'Where it was sold, such as `web` or `pos`. Case and blanks at either end make no difference. Absent: not known.',
  ),
  discount_codes: Type.Optional(facts(FACTS.discountCodes, 'Codes that the customer entered')),
  tags: Type.Optional(facts(FACTS.tags, 'Labels of the shop')),
};

const LineItem = Type.Object(
  {
    line_id: field(Id, 'Key of the line within the order.'),
    quantity: field(Quantity, 'Units sold.'),
    unit_price: field(Money, 'Price of one unit.'),
    sku: optional(
      Sku,
      'By which the line finds its cost in the catalog of product costs; absent: only `unit_cost` can tell it.',
    ),
    line_discount: optional(Money, 'Discount of the whole line.', ZERO),
    unit_cost: optional(Money, 'Cost of one unit. Absent: that of the catalog on the day of the order.'),
    product_id: optional(Id, 'The product of the platform. Absent: not known.'),
    title: optional(LongText, 'Title of the product, at most 1,000 characters. Absent: none.'),
  },
  { ...closed, title: 'LineItem' },
);

const RefundLine = Type.Object(
  {
    line_id: field(Id, 'Line of the order that came back.'),
    quantity: field(Quantity, 'Units that came back.'),
    restock: flag('True: they went back on sale, so that their cost is credited.'),
  },
  { ...closed, title: 'RefundLine' },
);

export const Refund = Type.Object(
  {
    refund_id: field(Id, 'Key of the refund within the order.'),
    refunded_at: field(
      Timestamp,
      'When the money went back: on this local day it counts. From 2000-01-01 to a day ahead.',
    ),
    total: field(Money, 'All that went back to the customer.'),
    tax_refund: optional(Money, 'The part of `total` that is tax. Absent: not known, and counted as 0.'),
    shipping_refund: optional(Money, 'The part of `total` that is shipping.', ZERO),
    gateway_fee_refund: optional(Money, 'What the payment gateway gave back of its fee.', ZERO),
    gift_card_refund: optional(Money, 'The part of `total` that went back to a gift card.', ZERO),
    store_credit: flag('True: it was given as store credit.'),
    line_items: Type.Optional(
      Type.Array(RefundLine, { maxItems: MAX_ENTRIES, description: 'The lines that came back.', default: [] }),
    ),
  },
  { ...closed, title: 'Refund' },
);

/** One item of `POST /v1/orders` (specification: "Order"). */
export const Order = Type.Object(
  {
    order_id: field(Id, 'Natural key: the order of this id is created or replaced.'),
    order_name: optional(LongText, 'Name to show, at most 1,000 characters. Absent: none.'),
    placed_at: field(Timestamp, 'When it was placed: on this local day it counts. From 2000-01-01 to a day ahead.'),
    updated_at: optional(
      Timestamp,
      'Version of the order: an older one than the stored is superseded. At most a day ahead. Absent: `placed_at`.',
    ),
    currency: field(Currency, 'Must be the currency of the source.'),
    status: Type.Enum(['paid', 'pending', 'voided'], { description: 'Only paid orders count in the figures.' }),
    is_test: flag('True: a test order, which counts nowhere.'),
    customer: Type.Optional(
      Type.Object(
        {
          id: Type.String({
            minLength: 1,
            maxLength: LONGEST_CUSTOMER_ID,
            pattern: TEXT_PATTERN,
            description: 'Opaque: no `@`, no spaces, no phone number, at most 128 characters.',
          }),
        },
        { ...closed, description: 'Who bought. Absent: not known.' },
      ),
    ),
    ...orderFacts,
    line_items: Type.Array(LineItem, {
      minItems: 1,
      maxItems: MAX_ENTRIES,
      'x-size-code': 'line_count',
      description: 'All lines of the order: one that a re-send omits is gone.',
    }),
    discounts: optional(Money, 'Discounts of the whole order.', ZERO),
    shipping: optional(Money, 'What the customer paid for shipping.', ZERO),
    tax: optional(Money, 'Tax of the whole order. Absent: 0 in the sum, and not known.'),
    taxes_included: flag('True: the prices include the tax.'),
    tips: optional(Money, 'Tips.', ZERO),
    duties: optional(Money, 'Duties.', ZERO),
    rounding_adjustment: optional(Money, 'What rounding added.', ZERO),
    total: field(Money, 'What the customer paid, never net of refunds: exactly the sum of the parts.'),
    payment_gateway: optional(
      Text,
      'By which a fee rule is found where there is no `gateway_fee`. Absent: no estimate.',
    ),
    gateway_fee: optional(Money, 'The actual fee. Absent: estimated by the rule of its gateway, if there is one.'),
    fulfillment_cost: optional(
      Money,
      'What the shop pays to pack and ship this order; no part of `total`. Absent: not known, and counted as 0.',
    ),
    subscription_id: optional(NullableId, 'The subscription that it belongs to.', { default: null }),
    checkout_token: optional(
      Id,
      'The token that the checkout gave the pixel too: only a visitor whose events name it is then taken for the customer. Absent: whoever names the order.',
    ),
    refunds: Type.Optional(
      Type.Array(Refund, {
        maxItems: MAX_ENTRIES,
        description: 'All refunds so far, of at most 5,000 lines together: one that a re-send omits is gone.',
        default: [],
      }),
    ),
    deleted: flag('True: it counts nowhere any more.'),
  },
  { ...closed, title: 'Order' },
);
export type Order = Static<typeof Order>;

/** Body of `POST /v1/orders`. */
export const OrderBatch = batchOf('orders', Order, {
  most: ORDERS_PER_BATCH,
  maxBytes: ORDER_BODY_BYTES,
  others: {},
  names: ['orders', 'order'],
});
export const { envelope: orderBatchValidator, item: orderValidator } = OrderBatch;

const OrderWarning = Type.Object(
  {
    code: Type.Enum(ORDER_WARNING_CODES, { description: 'What is unlikely.' }),
    message: Type.String({ description: 'A sentence with both values.' }),
    field: Type.String({ description: 'Path of the field, such as `refunds[0].total`.' }),
  },
  { ...closed, title: 'OrderWarning' },
);

/** What is unlikely in an order; absent without it. */
export const OrderWarnings = Type.Optional(
  Type.Unsafe<readonly Warning[]>(
    Type.Array(OrderWarning, {
      description: `What is unlikely in the order; nothing is refused for it. At most ${MAX_WARNINGS}. Absent: nothing.`,
    }),
  ),
);

/** One result of a batch. */
const OrderResult = Type.Object(
  {
    order_id: field(NullableText, 'As supplied, at most 255 characters; null when it was not a string.'),
    outcome: Type.Enum(['accepted', 'rejected', 'superseded'], {
      description: 'superseded: a newer version is stored, and nothing was changed.',
    }),
    errors: Type.Optional(ItemErrors),
    warnings: OrderWarnings,
  },
  { ...closed, title: 'OrderResult' },
);
export type OrderResult = Static<typeof OrderResult>;

/** Response of `POST /v1/orders`; the results stand in the order of the request. */
export const OrderBatchResult = batchResultOf(['Items', 'an item'], OrderResult, {
  superseded: Type.Integer({ description: 'Items that are older than what is stored.' }),
  receipt: BatchReceipt,
});
export type OrderBatchResult = Static<typeof OrderBatchResult>;

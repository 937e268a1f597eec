import Type, { type Static } from 'typebox';
import { orderFacts, OrderWarnings } from './orders.js';
import { orderFigures, orderSummary } from './order-reads.js';
import {
  closed,
  ComputedMoney,
  Currency,
  Day,
  field,
  Id,
  LongText,
  Money,
  NullableDay,
  optional,
  Quantity,
  Text,
  Timestamp,
} from './primitives.js';

const CostSource = Type.Object(
  {
    from: Type.Enum(['line', 'catalog', 'unknown'], {
      description: '`line`: sent with the line; `catalog`: the version of its SKU for the day; `unknown`: neither.',
    }),
    effective_from: optional(
      NullableDay,
      'Of a cost of the catalog, the first day of its version; null: from the beginning. Else absent.',
    ),
  },
  { ...closed, description: 'How a unit cost was found.' },
);
export type CostSource = Static<typeof CostSource>;

const StoredLine = Type.Object(
  {
    line_id: field(Id, 'Key of the line within the order.'),
    sku: optional(Id, 'Its SKU. Absent: none was sent.'),
    product_id: optional(Id, 'Its product. Absent: none was sent.'),
    title: optional(LongText, 'Its title. Absent: none was sent.'),
    quantity: field(Quantity, 'Units sold.'),
    unit_price: field(Money, 'Price of one.'),
    line_discount: field(Money, 'Discount on the line.'),
    unit_cost: optional(Money, 'Cost of one. Absent: unknown.'),
    cost: field(ComputedMoney, '`quantity` × `unit_cost`; 0 where that is unknown.'),
    cost_source: CostSource,
  },
  { ...closed, title: 'StoredLine' },
);

const StoredRefund = Type.Object(
  {
    refund_id: field(Id, 'Key of the refund within the order.'),
    refunded_at: field(Timestamp, 'When it was made.'),
    day: field(Day, 'Day of `refunded_at` in the time zone of the shop, on which it counts.'),
    total: field(Money, 'Money given back.'),
    tax_refund: optional(Money, 'Tax in it. Absent: none was sent.'),
    shipping_refund: field(Money, 'Shipping in it.'),
    gateway_fee_refund: field(Money, 'Fee that the gateway gave back.'),
    gift_card_refund: field(Money, 'What went back to a gift card.'),
    store_credit: Type.Boolean({ description: 'True when it was given as store credit.' }),
    line_items: Type.Array(
      Type.Object(
        {
          line_id: field(Id, 'Line of the order.'),
          quantity: field(Quantity, 'Units taken back.'),
          restock: Type.Boolean({ description: 'True when they went back into stock.' }),
          cost: field(ComputedMoney, 'What that takes off the COGS; 0 where nothing was restocked.'),
        },
        closed,
      ),
      { description: 'Lines that it names.' },
    ),
  },
  { ...closed, title: 'StoredRefund' },
);

const Touch = Type.Object(
  {
    at: field(Timestamp, 'When the visit began.'),
    channel: Type.String({ description: 'Its channel.' }),
    evidence: Type.Enum(['proved', 'claimed', 'ambiguous'], { description: 'How sure the channel is.' }),
  },
  { ...closed, title: 'Touch' },
);

const OrderDay = Type.Object(
  { date: field(Day, 'Local day of the shop.'), ...orderFigures },
  { ...closed, title: 'OrderDay' },
);

const Written = Type.Object(
  {
    batch_id: Type.String({ description: 'Key of the push in the ingest log.' }),
    receipt: Type.String({ description: 'Receipt with which the push was answered.' }),
    key_last4: Type.Union([Type.String(), Type.Null()], {
      description: 'Last four characters of the API key; null where it is not known.',
    }),
    request_id: Type.Union([Type.String(), Type.Null()], {
      description: '`X-Request-Id` of the push; null where it is not known.',
    }),
  },
  { ...closed, title: 'Written', description: 'The push that wrote a state.' },
);

/** Response of `GET /v1/orders/{order_id}`. */
export const OrderDetail = Type.Object(
  {
    ...orderSummary,
    currency: field(Currency, 'Currency of the shop, and of all amounts.'),
    is_test: Type.Boolean({ description: 'True for a test order.' }),
    deleted: Type.Boolean({ description: 'True when it was deleted.' }),
    customer: optional(
      Type.Object({ id: Type.String({ description: 'Opaque id.' }) }, closed),
      'The customer. Absent: none was sent.',
    ),
    ...orderFacts,
    total: field(Money, 'What the customer paid at first, counted or not.'),
    discounts: field(Money, 'Discounts of the whole order.'),
    shipping: field(Money, 'Shipping charged.'),
    tax: optional(Money, 'Tax. Absent: none was sent.'),
    taxes_included: Type.Boolean({ description: 'True when prices include tax.' }),
    tips: field(Money, 'Tips.'),
    duties: field(Money, 'Duties.'),
    rounding_adjustment: field(Money, 'Cash rounding.'),
    payment_gateway: optional(Text, 'Payment gateway as sent. Absent: none was sent.'),
    gateway_fee: optional(Money, 'The actual fee. Absent: none was sent.'),
    subscription_id: optional(Id, 'Subscription that it belongs to. Absent: none.'),
    checkout_token: optional(Id, 'Token of its checkout. Absent: none was sent.'),
    line_items: Type.Array(StoredLine, { description: 'Lines with what they cost.' }),
    refunded: orderFigures.refunds,
    refunds: Type.Array(StoredRefund, { description: 'The full history of refunds.' }),
    touches: Type.Array(Touch, {
      description: 'Visits that led to the order, oldest first; the last one gives `channel`. At most 100, the latest.',
    }),
    days: Type.Array(OrderDay, {
      description: 'Days on which it counts, and what it brings on each; they add up to the order.',
    }),
    warnings: OrderWarnings,
    written: Type.Union([Written, Type.Null()], {
      description: 'The push that wrote this state; null when the ingest log no longer holds it.',
    }),
  },
  { ...closed, title: 'OrderDetail' },
);
export type OrderDetail = Static<typeof OrderDetail>;

import Type, { type Static } from 'typebox';
import {
  closed,
  ComputedMoney,
  Day,
  DayNumber,
  field,
  Id,
  LongText,
  Money,
  Next,
  optional,
  rangeFields,
  Timestamp,
} from './primitives.js';
import { validator } from './validator.js';

/** What `status` may ask for: the states of an order, and those that were deleted, which no other answer lists. */
export const LISTED_STATUSES = ['paid', 'pending', 'voided', 'deleted'] as const;

/** What a list may be sorted by. */
export const ORDER_SORTS = ['time', 'profit', 'revenue', 'refunds'] as const;
export type OrderSort = (typeof ORDER_SORTS)[number];

const COUNTED_FIGURES = '0 where the order does not count.';
const money = {
  cogs: field(ComputedMoney, 'Cost of the lines minus that of restocked ones; an unknown cost counts 0.'),
  gateway_fees: field(ComputedMoney, 'Actual or estimated fee minus refunded fees.'),
  profit: field(ComputedMoney, '`revenue` minus refunds, `cogs` and `gateway_fees`; no advertising is in it.'),
  taxes: field(ComputedMoney, 'Tax minus refunded tax; one that is not known counts 0.'),
  earnings: field(
    ComputedMoney,
    '`profit` minus `taxes` and the fulfillment cost; neither advertising nor expenses are in it.',
  ),
};
const refunded = field(Money, `All refunds of the order, whatever their day. ${COUNTED_FIGURES}`);

/** What an order brings in the figures. */
export const orderFigures = {
  revenue: field(Money, `What the customer paid at first. ${COUNTED_FIGURES}`),
  refunds: refunded,
  ...money,
};

/** What a list and a single order have in common, but for `refunds`. */
export const orderSummary = {
  order_id: field(Id, 'The natural key of the order.'),
  order_name: optional(LongText, 'Its display name. Absent: none was sent.'),
  placed_at: field(Timestamp, 'When it was placed.'),
  day: field(Day, 'Day of `placed_at` in the time zone of the shop.'),
  status: Type.Enum(['paid', 'pending', 'voided'], { description: 'Its state, as sent.' }),
  counted: Type.Boolean({ description: 'True when it counts in the figures: paid, no test, not deleted.' }),
  why_not: Type.Optional(
    Type.Enum(['deleted', 'voided', 'pending', 'test'], {
      description: 'Why it does not count, the first of these that holds. Absent: it counts.',
    }),
  ),
  ...orderFigures,
  fulfillment_cost: optional(
    Money,
    'What packing and shipping it cost the shop, whether it counts or not. Absent: not known.',
  ),
  cogs_complete: Type.Boolean({ description: 'False when it counts and a line of it has no unit cost.' }),
  fee_source: Type.Enum(['actual', 'estimated', 'none'], {
    description: '`actual`: sent with the order; `estimated`: by a fee rule; `none`: neither, or it does not count.',
  }),
  channel: Type.String({ description: 'Channel of the last touch; `unattributed` without one.' }),
  updated_at: field(Timestamp, '`updated_at` of the state that is stored; drives the stale guard.'),
  received_at: field(Timestamp, 'When the push that wrote this state arrived.'),
};

const { updated_at, received_at, ...summary } = orderSummary;
export const OrderSummary = Type.Object(
  {
    ...summary,
    refunded: field(Money, 'The same as `refunds`, under the name that a single order has for it.'),
    updated_at,
    received_at,
  },
  { ...closed, title: 'OrderSummary' },
);
export type OrderSummary = Static<typeof OrderSummary>;

export const OrderTotals = Type.Object(
  {
    orders: Type.Integer({ minimum: 0, description: 'Counted orders.' }),
    orders_without_cost: Type.Integer({
      minimum: 0,
      description: 'Of these, those with a line without a known unit cost: `profit` is at most what it says.',
    }),
    orders_without_fee: Type.Integer({
      minimum: 0,
      description: 'Of these, those with neither an actual gateway fee nor a fee rule that matches.',
    }),
    revenue: field(Money, 'Their revenue.'),
    refunds: field(Money, 'Their refunds, whatever the day of these.'),
    ...money,
    fulfillment_costs: field(Money, 'What packing and shipping them cost; an unknown cost counts 0.'),
  },
  {
    ...closed,
    description: 'Sums over all orders that the filter finds, each rounded once.',
  },
);
export type OrderTotals = Static<typeof OrderTotals>;

/** Where a page of a list ended. The range, the count and the totals hold for all pages, whatever changes meanwhile. */
export const OrderPlace = Type.Object(
  {
    from: DayNumber,
    to: DayNumber,
    day: DayNumber,
    at: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    id: Id,
    value: Type.String({ pattern: '^(?:-?[0-9]{1,60}(?:\\.[0-9]{1,14})?)?$' }),
    count: Type.Integer({ minimum: 0 }),
    totals: OrderTotals,
  },
  closed,
);
export type OrderPlace = Static<typeof OrderPlace>;
export const orderPlaceValidator = validator(OrderPlace, 'cursor');

/** Response of `GET /v1/orders`. */
export const OrderListResponse = Type.Object(
  {
    ...rangeFields,
    orders: Type.Array(OrderSummary, { description: 'Orders of this page, in the order asked for.' }),
    count: Type.Integer({ minimum: 0, description: 'All orders that the filter finds, those that do not count too.' }),
    totals: OrderTotals,
    next: Next,
  },
  closed,
);
export type OrderListResponse = Static<typeof OrderListResponse>;

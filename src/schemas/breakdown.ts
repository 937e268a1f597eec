import Type, { type Static } from 'typebox';
import { CogsComplete } from './metrics.js';
import {
  closed,
  ComputedMoney,
  DayNumber,
  field,
  LongText,
  Money,
  Next,
  NullableId,
  optional,
  OptionalDecimal,
  rangeFields,
} from './primitives.js';
import { validator } from './validator.js';

/** What profit may be asked by. */
export const DIMENSIONS = [
  'country',
  'sales_channel',
  'discount_code',
  'tag',
  'payment_gateway',
  'campaign',
  'customer',
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** What `sort` takes. */
export const BREAKDOWN_SORTS = [
  'revenue',
  'orders',
  'refunds',
  'net_revenue',
  'cogs',
  'gateway_fees',
  'profit',
  'key',
] as const;
export type BreakdownSort = (typeof BREAKDOWN_SORTS)[number];

const sums = {
  orders: Type.Integer({ minimum: 0, description: 'Counted orders placed in the range.' }),
  revenue: field(Money, 'What customers paid at first.'),
  refunds: field(Money, 'Refunds of these orders, whatever their day.'),
  net_revenue: field(ComputedMoney, '`revenue` − `refunds`.'),
  cogs: field(ComputedMoney, 'Cost of the lines minus that of restocked ones; an unknown cost counts 0.'),
  cogs_complete: CogsComplete,
  gateway_fees: field(ComputedMoney, 'Actual or estimated fees minus refunded fees; a fee that is not known counts 0.'),
  orders_without_fee: Type.Integer({
    minimum: 0,
    description: 'Those with neither an actual fee nor a fee rule that matches.',
  }),
  profit: field(ComputedMoney, '`net_revenue` − `cogs` − `gateway_fees`; no advertising is in it.'),
};

/** One row in the answer of `GET /v1/breakdown`. */
export const BreakdownRow = Type.Object(
  {
    key: field(
      NullableId,
      'What the orders of the row have in common, as it is compared: a country in upper case, a gateway as fee rules compare it, the ' +
        'id of a customer as sent, all others in lower case. Null: orders that have none.',
    ),
    name: optional(LongText, 'Its spelling in the order placed last. Absent: that is `key`.'),
    ...sums,
    share: field(OptionalDecimal, '`net_revenue` / `net_revenue` of `totals`; null where that is zero.'),
  },
  { ...closed, title: 'BreakdownRow' },
);
export type BreakdownRow = Static<typeof BreakdownRow>;

export const BreakdownTotals = Type.Object(sums, {
  ...closed,
  description: 'Sums over all orders, each once and each sum rounded once: those of `totals` of `/v1/orders`.',
});
export type BreakdownTotals = Static<typeof BreakdownTotals>;

/** What is the same on all pages. */
const whole = {
  count: Type.Integer({ minimum: 0, description: 'All rows, on whatever page.' }),
  totals: BreakdownTotals,
};

/** Response of `GET /v1/breakdown`. */
export const BreakdownResponse = Type.Object(
  {
    by: Type.Enum([...DIMENSIONS], { description: 'As asked.' }),
    ...rangeFields,
    rows: Type.Array(BreakdownRow, { description: 'A page of the rows, in the order asked for.' }),
    ...whole,
    overlapping: Type.Boolean({
      description: 'True where an order may be in several rows, which may then add up to more than `totals`.',
    }),
    next: Next,
  },
  closed,
);
export type BreakdownResponse = Static<typeof BreakdownResponse>;

/** Where a page begins: the range, the last row of the page before, and what holds for all pages. */
export const BreakdownPlace = Type.Object(
  {
    from: DayNumber,
    to: DayNumber,
    value: Type.String({ pattern: '^(?:-?[0-9]{1,60}(?:\\.[0-9]{1,14})?)?$' }),
    key: Type.String({ maxLength: 1_000 }),
    ...whole,
  },
  closed,
);
export type BreakdownPlace = Static<typeof BreakdownPlace>;
export const breakdownPlaceValidator = validator(BreakdownPlace, 'cursor');

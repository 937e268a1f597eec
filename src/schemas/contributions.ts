import Type, { type Static } from 'typebox';
import { CONTRIBUTION_KINDS } from '../domain/metrics/contributions.js';
import { EXPLAINABLE_FIGURES, PARTS } from '../domain/metrics/figure-list.js';
import { EXPENSE_FREQUENCIES } from '../domain/costs/expenses.js';
import { LONGEST_CHANNEL } from '../domain/costs/spend.js';
import { MAX_CHARACTERS } from '../errors.js';
import { validator } from './validator.js';
import {
  closed,
  ComputedMoney,
  Currency,
  Day,
  DayNumber,
  field,
  ID_PATTERN,
  Money,
  Next,
  NullableDay,
  optional,
  Quantity,
  rangeFields,
  Rate,
  Timestamp,
} from './primitives.js';

const text = (description: string) => Type.Optional(Type.String({ description }));

const Source = Type.Object(
  {
    from: Type.Optional(
      Type.Enum(['line', 'catalog'], {
        description: 'Of a cost: `line` is the `unit_cost` of the order line, `catalog` that of its SKU. Else absent.',
      }),
    ),
    effective_from: optional(
      NullableDay,
      'Of a cost from the catalog: first day of its version, null: from the beginning. Else absent.',
    ),
    payment_gateway: text('Of an estimated fee: the rule. Else absent.'),
    percent: optional(Money, 'Of an estimated fee: percent of the total. Else absent.'),
    fixed: optional(Money, 'Of an estimated fee: what every order costs. Else absent.'),
    campaign_id: text('Of spend that was sent with one. Else absent.'),
    adset_id: text('Of spend that was sent with one. Else absent.'),
    ad_id: text('Of spend that was sent with one. Else absent.'),
    name: text('Of an expense. Else absent.'),
    frequency: Type.Optional(Type.Enum([...EXPENSE_FREQUENCIES], { description: 'Of an expense. Else absent.' })),
    amount: optional(Money, 'Of an expense: what it costs each time, or the percentage of revenue. Else absent.'),
  },
  closed,
);
export type ContributionSource = Static<typeof Source>;

/** One entry of a figure. */
export const Contribution = Type.Object(
  {
    kind: Type.Enum([...CONTRIBUTION_KINDS], {
      description: 'What it is; `rounding` is what single roundings leave over, in one entry at the end.',
    }),
    amount: field(ComputedMoney, 'What it adds to the figure; negative: what it takes off.'),
    date: field(Day, 'Local day on which it counts.'),
    order_id: text('The order; absent on spend, expenses and rounding.'),
    line_id: text(
      'Of `line_cost`, `restock`, `gross_sale` and `line_discount`; absent elsewhere, and while the order is being replaced.',
    ),
    refund_id: text('Of `refund`, `restock`, `fee_refund` and `tax_refund`. Else absent.'),
    refunded_at: optional(
      Timestamp,
      'Of `refund`: when it was made. Absent elsewhere, and while the order is being replaced.',
    ),
    order_total: optional(
      Money,
      'Of `refund`: `total` of its order. Absent elsewhere, and while the order is being replaced.',
    ),
    sku: text('Of an entry of a line that has a SKU. Else absent.'),
    channel: text('Channel of the order by last touch, or of the spend; absent on expenses and rounding.'),
    expense_external_id: text('Of an expense; absent on one made in the app, and elsewhere.'),
    quantity: optional(Quantity, 'Of an entry of a line: its units. Else absent.'),
    unit_cost: optional(Money, 'Of `line_cost` and `restock`: cost of a unit. Else absent.'),
    rate: optional(
      Type.Object(
        {
          currency: field(Currency, 'Currency of what was spent.'),
          day: field(Day, 'Day of the rate: that of the entry, or one of the seven before.'),
          rate: field(Rate, 'What one unit of it is worth in the currency of the shop.'),
        },
        closed,
      ),
      'Of spend or an expense in another currency: the rate at which it counts. Else absent.',
    ),
    source: field(Source, 'Where the amount comes from.'),
  },
  { ...closed, title: 'Contribution' },
);
export type Contribution = Static<typeof Contribution>;

/** Response of `GET /v1/metrics/explain`. */
export const ExplainResponse = Type.Object(
  {
    figure: Type.Enum(EXPLAINABLE_FIGURES, { description: 'The figure that is explained.' }),
    ...rangeFields,
    total: field(
      ComputedMoney,
      'The figure, to which the amounts of all pages add up; with a filter, the part of it that the filter selects.',
    ),
    count: Type.Integer({
      minimum: 0,
      description: 'Entries of all pages, that of kind `rounding` included, as they were when the first page was read.',
    }),
    entries: Type.Array(Contribution, { description: 'Newest or largest first.' }),
    next: Next,
  },
  closed,
);
export type ExplainResponse = Static<typeof ExplainResponse>;

const key = (maxLength: number) => Type.String({ maxLength, pattern: ID_PATTERN });

/** Where a page of entries begins: the range, and the last entry of the page before. */
export const ContributionPlace = Type.Object(
  {
    from: DayNumber,
    to: DayNumber,
    amount: Type.String({ pattern: '^-?[0-9]{1,60}(?:\\.[0-9]{1,6})?$' }),
    day: DayNumber,
    /** That of an order or expense, or the channel of spend. */
    id: key(LONGEST_CHANNEL),
    part: Type.Integer({ minimum: 0, maximum: PARTS.length - 1 }),
    sub: key(MAX_CHARACTERS),
    item: Type.Integer({ minimum: 0, maximum: 0xffff_ffff }),
    count: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  },
  closed,
);
export type ContributionPlace = Static<typeof ContributionPlace>;
export const contributionPlaceValidator = validator(ContributionPlace, 'cursor');

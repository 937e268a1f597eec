import Type, { type Static, type TObject, type TUnsafe } from 'typebox';
import { namesOf, type FigureName } from '../domain/metrics/figure-list.js';
import { describe, EXPENSES, meaningOf, METRICS, STATEMENT } from '../domain/metrics/figure-meanings.js';
import {
  closed,
  ComputedMoney,
  Currency,
  Day,
  field,
  Money,
  optional,
  OptionalDecimal,
  rangeFields,
} from './primitives.js';

/** What a request for figures may ask for besides them. */
export const INCLUDABLE = ['expenses', 'coverage', 'statement', 'customers'] as const;
export type Includable = (typeof INCLUDABLE)[number];

/** A share of the counted orders. */
const share = (of: string): TUnsafe<number | null> =>
  Type.Unsafe<number | null>({
    type: ['number', 'null'],
    minimum: 0,
    maximum: 100,
    description: `Percent of the counted orders ${of}; at most two decimals, 100 only for all, null without orders.`,
  });

const counted = (description: string) => Type.Integer({ minimum: 0, description });

export const CogsComplete = share('whose every line has a known unit cost');

const coverage = {
  cogs_complete: CogsComplete,
  gateway_fee_actual: share('that came with an actual gateway fee'),
  tax_present: share('that came with a tax'),
  fulfillment_known: share('whose fulfillment cost is known'),
  orders: counted('Counted orders.'),
  orders_without_cost: counted('Counted orders that have a line without a known unit cost.'),
  products_without_cost: counted(
    'Products (SKUs) sold on such lines. All lines that have neither a unit cost nor a SKU are one product.',
  ),
  orders_fee_estimated: counted('Counted orders whose gateway fee is an estimate by a fee rule.'),
  orders_without_fee: counted(
    'Counted orders with neither an actual gateway fee nor a fee rule that matches: their fee counts as 0.',
  ),
  orders_without_tax: counted('Counted orders that came without a tax.'),
  orders_without_fulfillment: counted('Counted orders whose fulfillment cost is not known.'),
  refunds_without_tax: counted(
    'Refunds of counted orders with tax that do not say theirs, which counts as 0: `earnings` is then at least what it says.',
  ),
};

/** How complete the costs of orders are. */
export const Coverage = Type.Object(coverage, closed);
export type Coverage = Static<typeof Coverage>;

/** How complete the costs are behind the figures of a range. */
export const RangeCoverage = Type.Object(
  {
    ...coverage,
    revenue_without_cost: field(
      Money,
      'Revenue of the counted orders that have a line without a known unit cost. Such a cost counts as 0 in cogs.',
    ),
  },
  closed,
);
export type RangeCoverage = Static<typeof RangeCoverage>;

const KINDS = { money: Money, computed: ComputedMoney, ratio: OptionalDecimal, count: Type.Integer() };

type Kinds = Readonly<Partial<Record<FigureName, { kind: keyof typeof KINDS }>>>;
type Fields<List extends Kinds> = {
  [Name in keyof List]: List[Name] extends { kind: infer Kind extends keyof typeof KINDS }
    ? (typeof KINDS)[Kind]
    : never;
};

/** A field for each figure of a list, of the schema of its kind. */
function fieldsOf<List extends Kinds>(list: List, note = ''): Fields<List> {
  const fields = namesOf(list).map((name) => [name, field(KINDS[meaningOf(name).kind], describe(name) + note)]);
  return Object.fromEntries(fields) as Fields<List>;
}

const metrics = fieldsOf(METRICS);
/** The metrics of a period (specification: "Metrics object"), without range and currency. */
export const Metrics = Type.Object(metrics, closed);
export type Metrics = Static<typeof Metrics>;

/** What `include=expenses` adds to the metrics. */
export const ExpenseMetrics = Type.Object(fieldsOf(EXPENSES, ' Absent without `include=expenses`.'), closed);
export type ExpenseMetrics = Static<typeof ExpenseMetrics>;

/** What `include=statement` adds to the metrics. */
export const Statement = Type.Object(fieldsOf(STATEMENT), closed);
export type Statement = Static<typeof Statement>;

const ofOrders = (kind: string): string => `Of these ${kind} orders; refunds whatever their day, as in \`/v1/orders\`.`;

/** What `include=customers` adds to the metrics. */
export const CustomerMetrics = Type.Object(
  {
    new_customers: counted('Customers whose first counted order was placed in the period.'),
    returning_customers: counted(
      'Customers with a later order than their first one in the period; who is new in it too is in both.',
    ),
    orders_new: counted(
      'Counted orders placed in the period that are the first one of their `customer.id` in the shop.',
    ),
    orders_returning: counted('Counted orders placed in the period whose customer had one before.'),
    orders_unknown: counted(
      'Counted orders placed in the period without a `customer.id`, which are in none of the others.',
    ),
    net_revenue_new: field(ComputedMoney, `Revenue − refunds. ${ofOrders('first')}`),
    net_revenue_returning: field(ComputedMoney, `Revenue − refunds. ${ofOrders('later')}`),
    profit_new: field(ComputedMoney, `Revenue − refunds − cogs − gateway fees. ${ofOrders('first')}`),
    profit_returning: field(ComputedMoney, `Revenue − refunds − cogs − gateway fees. ${ofOrders('later')}`),
    cac: field(OptionalDecimal, '`ad_spend` / `new_customers`: what a new customer cost. Null without new customers.'),
  },
  closed,
);
export type CustomerMetrics = Static<typeof CustomerMetrics>;

const figures = {
  ...metrics,
  ...Type.Partial(ExpenseMetrics).properties,
  coverage: optional(RangeCoverage, 'With `include=coverage`: how complete the costs are. Else absent.'),
  statement: optional(Statement, 'With `include=statement`: from gross sales to earnings. Else absent.'),
  customers: optional(CustomerMetrics, 'With `include=customers`: new customers and those who came back. Else absent.'),
};

/** Figures of a period with what was asked for besides them. */
export type ShownFigures = Static<TObject<typeof figures>>;

/** What is in another currency. */
const note = {
  converted: Type.Optional(
    Type.Array(
      Type.Object(
        {
          channel: Type.String({ description: 'As spend is stored; `expenses`: expenses that count as ad spend.' }),
          currency: field(Currency, 'Currency of the amount.'),
          amount: field(Money, 'Ad spend of the range in that currency, as far as it has a rate.'),
          ad_spend: field(Money, 'What it adds to `ad_spend`, in the currency of the shop.'),
        },
        { ...closed, title: 'ConvertedSpend' },
      ),
      {
        description:
          'Where the source has `convert_spend`: ad spend in other currencies that counts, each day of it at the rate of the day, else at the ' +
          'newest one of the seven days before; by currency and channel, at most 1,000 entries. Products with a rate are exact: the figure ' +
          'alone is rounded. Absent: there is none.',
      },
    ),
  ),
  currency_note: Type.Optional(
    Type.String({
      description:
        'Which spend or expenses in another currency were left out, since they have no rate or the source does not convert; absent when none were.',
    }),
  ),
  left_out: Type.Optional(
    Type.Array(
      Type.Object(
        {
          channel: Type.String({ description: 'As spend is stored; `expenses`: expenses that count as ad spend.' }),
          currency: field(Currency, 'Currency of the amount.'),
          ad_spend: field(Money, 'Ad spend of the range that was left out.'),
        },
        { ...closed, title: 'LeftOutSpend' },
      ),
      {
        description:
          'The ad spend that `currency_note` names, by currency and channel, at most 1,000 entries; absent without the note. Expenses in percent of ' +
          'revenue, and operating ones, are named by the note alone.',
      },
    ),
  ),
};
export const Note = Type.Object(note, closed);

const COMPARED = 'With `vs`: what the same request answers for the days to compare with. Else absent.';

const rangeMetrics = { ...rangeFields, ...figures, ...note };
const RangeMetrics = Type.Object(rangeMetrics, closed);
/** The same of a range, with what is in another currency. */
export type RangeMetrics = Static<typeof RangeMetrics>;
/** Response of `GET /v1/metrics`. */
export const MetricsResponse = Type.Object({ ...rangeMetrics, compared: optional(RangeMetrics, COMPARED) }, closed);

/** One day in the answer of `GET /v1/metrics/daily`. */
export const DailyMetrics = Type.Object(
  {
    date: field(Day, 'Day in the time zone of the shop; the first one of a week, month or quarter.'),
    to: optional(Day, 'With `by=week`, `by=month` or `by=quarter`: the last day. Else absent.'),
    ...figures,
  },
  closed,
);

const rangeDays = {
  ...rangeFields,
  days: Type.Array(DailyMetrics, {
    description: 'Every day, week, month or quarter of the range, those without orders too.',
  }),
  ...note,
};
/** Response of `GET /v1/metrics/daily`. */
export const DailyMetricsResponse = Type.Object(
  { ...rangeDays, compared: optional(Type.Object(rangeDays, closed), COMPARED) },
  closed,
);

/** Response of `GET /v1/metrics/definitions`. */
export const DefinitionsResponse = Type.Object(
  {
    metrics: Type.Array(
      Type.Object(
        {
          key: Type.String({ description: 'Name of the figure in the metrics object, or in the statement.' }),
          label: Type.String({ description: 'Name to show.' }),
          formula: Type.String({ description: 'How it is computed from other figures.' }),
          description: Type.String({ description: 'What it means.' }),
        },
        closed,
      ),
      { description: 'The figures, in the order of the metrics object, then those of the statement in its order.' },
    ),
  },
  closed,
);

import Type, { type Static, type TUnsafe } from 'typebox';
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
export const INCLUDABLE = ['expenses', 'coverage', 'statement'] as const;
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

const metrics = {
  revenue: field(Money, 'Revenue of orders before refunds, at the day of the order.'),
  refunds: field(Money, 'Money returned to customers, at the day of the refund.'),
  net_revenue: field(ComputedMoney, '`revenue` minus `refunds`.'),
  orders: Type.Integer({ description: 'Counted orders: paid, no test, not deleted.' }),
  cogs: field(ComputedMoney, 'Product costs minus the costs of what was restocked; an unknown cost counts 0.'),
  gateway_fees: field(ComputedMoney, 'Payment fees, actual or estimated, minus those given back.'),
  ad_spend: field(Money, 'Ad spend in the currency of the shop, expenses that count as such included.'),
  net_profit: field(ComputedMoney, '`net_revenue` minus `cogs`, `gateway_fees` and `ad_spend`.'),
  aov: field(OptionalDecimal, 'Average order value, `revenue` / `orders`; null without orders.'),
  mer: field(OptionalDecimal, '`ad_spend` / `revenue`; null without revenue.'),
  blended_roas: field(OptionalDecimal, '`revenue` / `ad_spend`; null without ad spend.'),
};
/** The metrics of a period (specification: "Metrics object"), without range and currency. */
export const Metrics = Type.Object(metrics, closed);
export type Metrics = Static<typeof Metrics>;

const expenseMetrics = {
  operating_expenses: field(Money, 'With `include=expenses`: accrued expenses that are no ad spend. Else absent.'),
  net_profit_after_expenses: field(
    ComputedMoney,
    'With `include=expenses`: `net_profit` minus `operating_expenses`. Else absent.',
  ),
};
/** What `include=expenses` adds to the metrics. */
export const ExpenseMetrics = Type.Object(expenseMetrics, closed);
export type ExpenseMetrics = Static<typeof ExpenseMetrics>;

/** What `include=statement` adds to the metrics. */
export const Statement = Type.Object(
  {
    gross_sales: field(Money, 'Sum of `unit_price` × `quantity`, with the tax that prices include.'),
    discounts: field(Money, 'Discounts of lines and of whole orders.'),
    shipping: field(Money, 'What customers paid for shipping.'),
    tips: field(Money, 'Tips.'),
    duties: field(Money, 'Duties.'),
    rounding_adjustment: field(Money, 'What rounding added.'),
    tax_added: field(
      Money,
      'Tax of orders whose prices do not include it. `gross_sales` − `discounts` + `shipping` + `tips` + `duties` + ' +
        '`rounding_adjustment` + `tax_added` = `revenue`.',
    ),
    tax: field(Money, 'All tax, included or added, at the day of the order.'),
    tax_refunded: field(Money, 'Tax in refunds, at the day of the refund; where a refund does not say it, 0.'),
    taxes: field(ComputedMoney, '`tax` minus `tax_refunded`.'),
    fulfillment_costs: field(Money, 'What packing and shipping cost the shop; an unknown one counts 0.'),
    operating_expenses: field(Money, 'Accrued expenses that are no ad spend.'),
    earnings: field(
      ComputedMoney,
      '`net_profit` minus `taxes`, `fulfillment_costs` and `operating_expenses`. At most that while costs are not known, ' +
        'at least that while refunds do not say their tax.',
    ),
  },
  closed,
);
export type Statement = Static<typeof Statement>;

const figures = {
  ...metrics,
  ...Type.Partial(ExpenseMetrics).properties,
  coverage: optional(RangeCoverage, 'With `include=coverage`: how complete the costs are. Else absent.'),
  statement: optional(Statement, 'With `include=statement`: from gross sales to earnings. Else absent.'),
};

/** What is in another currency. */
const note = {
  currency_note: Type.Optional(
    Type.String({ description: 'Which spend or expenses in another currency were left out; absent when none were.' }),
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
/** Response of `GET /v1/metrics`. */
export const MetricsResponse = Type.Object(
  { ...rangeMetrics, compared: optional(Type.Object(rangeMetrics, closed), COMPARED) },
  closed,
);

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

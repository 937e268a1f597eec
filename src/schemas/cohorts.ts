import Type, { type Static, type TUnsafe } from 'typebox';
import { closed, ComputedMoney, Day, field, Money, OptionalDecimal, rangeFields } from './primitives.js';

/** By what customers are gathered. */
export const COHORT_PERIODS = ['month', 'quarter'] as const;

const count = (description: string) => Type.Integer({ minimum: 0, description });

const bounds = {
  from: field(
    Day,
    'First day of the cohort, in the time zone of the shop; the range cuts the first and the last cohort.',
  ),
  to: field(Day, 'Its last day.'),
};
const spent = {
  ad_spend: field(Money, 'Ad spend of these days.'),
  cac: field(OptionalDecimal, '`ad_spend` / the customers of the cohort. Null without customers.'),
};
const payback: TUnsafe<number | null> = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  minimum: 0,
  description: 'The first month whose `profit_total` reaches `ad_spend`; null when none has, or without customers.',
});
const unknown = (which: string) => ({
  orders_without_cost: count(`Counted orders ${which} that have a line without a known unit cost.`),
  orders_without_fee: count(`Counted orders ${which} with neither an actual fee nor a fee rule that matches.`),
});
const month = {
  month: count('Months after that of the first order of each customer; 0 is that month itself.'),
  customers: count('Customers of the cohort with a counted order in that month.'),
  orders: count('Their counted orders.'),
  ...unknown('of that month'),
  net_revenue: field(ComputedMoney, 'Revenue − refunds of these orders; refunds belong to the month of the order.'),
  profit: field(
    ComputedMoney,
    'Revenue − refunds − cogs − gateway fees of these orders; no advertising is in it. A cost or fee that is not known counts 0: it is at most this where `orders_without_cost` or `orders_without_fee` is above 0.',
  ),
  net_revenue_total: field(ComputedMoney, '`net_revenue` of this month and those before.'),
  profit_total: field(ComputedMoney, '`profit` of this month and those before.'),
};

/** Customers whose first counted order was placed in one period. */
export const Cohort = Type.Object(
  {
    ...bounds,
    customers: count('Customers whose first counted order was placed on these days.'),
    ...spent,
    ...unknown('of the cohort'),
    months: Type.Array(Type.Object(month, { ...closed, title: 'CohortMonth' }), {
      description:
        'Through the current month of the shop, those without orders too. The last ones are not over for all customers.',
    }),
    payback_month: payback,
  },
  { ...closed, title: 'Cohort' },
);
export type Cohort = Static<typeof Cohort>;

/** A line of a table: a month of a cohort. */
export const CohortLine = Type.Object(
  { ...bounds, cohort_customers: Cohort.properties.customers, ...spent, payback_month: payback, ...month },
  { ...closed, title: 'CohortLine' },
);
export type CohortLine = Static<typeof CohortLine>;

/** Response of `GET /v1/customers/cohorts`. */
export const CohortsResponse = Type.Object(
  { ...rangeFields, cohorts: Type.Array(Cohort, { description: 'Every month or quarter of the range.' }) },
  closed,
);
export type CohortsResponse = Static<typeof CohortsResponse>;

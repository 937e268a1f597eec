import type { Cohort } from '../../schemas/cohorts.js';
import type { CustomerMetrics } from '../../schemas/metrics.js';
import {
  compareFractions,
  formatDecimal,
  formatOptional,
  minus,
  plus,
  ratio,
  whole,
  ZERO,
  type Fraction,
} from '../money.js';
import type { CustomerKind } from '../orders/customer-kinds.js';
import { formatDay } from '../time.js';
import type { DayRange } from './range.js';

/** What counted orders of one kind brought, exact. */
export interface CustomerAmounts {
  orders: number;
  /** Distinct ones. */
  customers: number;
  revenue: Fraction;
  /** Whatever their day, as what they gave back of costs and fees. */
  refunds: Fraction;
  cogs: Fraction;
  fees: Fraction;
}

/** Of the orders placed in a period; absent: none are of the kind. */
export type CustomerSums = Partial<Record<CustomerKind, CustomerAmounts>>;

const NONE: CustomerAmounts = { orders: 0, customers: 0, revenue: ZERO, refunds: ZERO, cogs: ZERO, fees: ZERO };

const netRevenueOf = ({ revenue, refunds }: CustomerAmounts): Fraction => minus(revenue, refunds);
const profitOf = (amounts: CustomerAmounts): Fraction => minus(netRevenueOf(amounts), plus(amounts.cogs, amounts.fees));

/** What a new customer cost; null: there are none. */
const acquisitionCost = (adSpend: Fraction, customers: number): string | null =>
  formatOptional(ratio(adSpend, whole(customers)));

/** Each figure is rounded once. */
export function toCustomerMetrics(sums: CustomerSums = {}, adSpend: Fraction): CustomerMetrics {
  const { new: first = NONE, returning = NONE, unknown = NONE } = sums;
  return {
    new_customers: first.customers,
    returning_customers: returning.customers,
    orders_new: first.orders,
    orders_returning: returning.orders,
    orders_unknown: unknown.orders,
    net_revenue_new: formatDecimal(netRevenueOf(first)),
    net_revenue_returning: formatDecimal(netRevenueOf(returning)),
    profit_new: formatDecimal(profitOf(first)),
    profit_returning: formatDecimal(profitOf(returning)),
    cac: acquisitionCost(adSpend, first.customers),
  };
}

/** What the orders of a cohort brought in one month; 0 is that of the first order of each customer. */
export interface CohortMonth extends CustomerAmounts {
  month: number;
  /** Orders with a line without a unit cost; those with neither an actual fee nor a rule. Both count 0. */
  withoutCost: number;
  withoutFee: number;
}

/** @param months how many months to show, those without orders too */
export function toCohort(days: DayRange, months: number, found: readonly CohortMonth[], adSpend: Fraction): Cohort {
  const byMonth = new Map(found.map((one) => [one.month, one]));
  const customers = byMonth.get(0)?.customers ?? 0;
  let [net, profit]: [Fraction, Fraction] = [ZERO, ZERO];
  let payback: number | null = null;
  const shown = Array.from({ length: months }, (_, month) => {
    const amounts = byMonth.get(month) ?? { ...NONE, withoutCost: 0, withoutFee: 0 };
    net = plus(net, netRevenueOf(amounts));
    profit = plus(profit, profitOf(amounts));
    if (payback === null && customers > 0 && compareFractions(profit, adSpend) >= 0) payback = month;
    return {
      month,
      customers: amounts.customers,
      orders: amounts.orders,
      orders_without_cost: amounts.withoutCost,
      orders_without_fee: amounts.withoutFee,
      net_revenue: formatDecimal(netRevenueOf(amounts)),
      profit: formatDecimal(profitOf(amounts)),
      net_revenue_total: formatDecimal(net),
      profit_total: formatDecimal(profit),
    };
  });
  return {
    from: formatDay(days.from),
    to: formatDay(days.to),
    customers,
    ad_spend: formatDecimal(adSpend),
    cac: acquisitionCost(adSpend, customers),
    orders_without_cost: shown.reduce((sum, month) => sum + month.orders_without_cost, 0),
    orders_without_fee: shown.reduce((sum, month) => sum + month.orders_without_fee, 0),
    months: shown,
    payback_month: payback,
  };
}

/** How many calendar months lie from the month of one day to that of another, both included. */
export function monthsFrom(first: number, last: number): number {
  const monthOf = (day: number): number => Number(formatDay(day).slice(0, 4)) * 12 + Number(formatDay(day).slice(5, 7));
  return Math.max(0, monthOf(last) - monthOf(first) + 1);
}

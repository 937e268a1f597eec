import type { CustomerMetrics } from '../../schemas/metrics.js';
import { formatDecimal, formatOptional, minus, plus, ratio, whole, ZERO, type Fraction } from '../money.js';
import type { CustomerKind } from '../orders/customer-kinds.js';

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

export const netRevenueOf = ({ revenue, refunds }: CustomerAmounts): Fraction => minus(revenue, refunds);
export const profitOf = (amounts: CustomerAmounts): Fraction =>
  minus(netRevenueOf(amounts), plus(amounts.cogs, amounts.fees));

/** What a new customer cost; null: there are none. */
export const acquisitionCost = (adSpend: Fraction, customers: number): string | null =>
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

import { Big } from 'big.js';
import type { OrderInput } from '../../src/domain/orders/orders.js';
import { isCounted, referenceDay, referenceDays } from './order-reference.js';

export const big = (text: string | undefined): Big => Big(text ?? '0');
export const sum = (values: readonly Big[]): Big => values.reduce((all, value) => all.plus(value), Big(0));
export const grossOf = ({ line_items }: OrderInput): Big =>
  sum(line_items.map(({ unit_price, quantity }) => big(unit_price).times(quantity)));
export const discountsOf = ({ line_items, discounts }: OrderInput): Big =>
  sum(line_items.map(({ line_discount }) => big(line_discount))).plus(big(discounts));
export const addedOf = ({ tax, taxes_included }: OrderInput): Big => (taxes_included === true ? Big(0) : big(tax));

/** The statement of the days by the contract alone, from the newest state of each order. */
export function referenceStatement(
  orders: readonly OrderInput[],
  dates: readonly string[],
  zone: string,
): Record<string, string> {
  const on = (at: string): boolean => dates.includes(referenceDay(at, zone));
  const counted = orders.filter(isCounted);
  const sold = counted.filter(({ placed_at }) => on(placed_at));
  const of = (value: (order: OrderInput) => Big): Big => sum(sold.map(value));
  const refunds = counted.flatMap((each) => each.refunds ?? []).filter(({ refunded_at }) => on(refunded_at));
  const tax = of((each) => big(each.tax));
  const refunded = sum(refunds.map(({ tax_refund }) => big(tax_refund)));
  const costs = of(({ fulfillment_cost }) => big(fulfillment_cost));
  const profit = [...referenceDays(orders, zone)]
    .filter(([date]) => dates.includes(date))
    .map(([, day]) => day.revenue.minus(day.refunds).minus(day.cogs).minus(day.gatewayFees));
  const figures = {
    gross_sales: of(grossOf),
    discounts: of(discountsOf),
    shipping: of((each) => big(each.shipping)),
    tips: of(({ tips }) => big(tips)),
    duties: of(({ duties }) => big(duties)),
    rounding_adjustment: of((each) => big(each.rounding_adjustment)),
    tax_added: of(addedOf),
    tax,
    tax_refunded: refunded,
    taxes: tax.minus(refunded),
    fulfillment_costs: costs,
    operating_expenses: Big(0),
    earnings: sum(profit).minus(tax).plus(refunded).minus(costs),
  };
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, value.toFixed()]));
}

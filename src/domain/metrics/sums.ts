import type { StoredOrder, StoredRefund } from '../audit/stored-rows.js';
import { fraction, minus, whole, ZERO, type Fraction } from '../money.js';

interface DaySum {
  name: string;
  /** What a counted order adds to its day, from its stored row; absent: nothing, or what needs more than the row. */
  sale?: (order: StoredOrder) => Fraction;
  /** What a refund of a counted order adds to its day. */
  refund?: (refund: StoredRefund) => Fraction;
}

/**
 * The sums of a shop and day of which all figures are made, as `daily_orders.sums` has them. Metrics, histories and
 * restatements read this list; the audit checks the sums by its functions. The views compute them: those of orders in
 * `daily_products_rebuild` (clickhouse/schema/004_daily_products.sql), those with the catalog in `daily_figures_rebuild`.
 */
export const SUMS = [
  { name: 'orders', sale: () => whole(1) },
  { name: 'revenue', sale: ({ total }) => fraction(total) },
  { name: 'refunds', refund: ({ total }) => fraction(total) },
  {
    name: 'gateway_fees',
    sale: ({ gateway_fee }) => fraction(gateway_fee ?? '0'),
    refund: ({ gateway_fee_refund }) => minus(ZERO, fraction(gateway_fee_refund)),
  },
  { name: 'orders_fee_actual', sale: ({ gateway_fee }) => whole(gateway_fee === null ? 0 : 1) },
  { name: 'orders_tax_present', sale: ({ tax }) => whole(tax === null ? 0 : 1) },
  { name: 'cogs' },
  { name: 'orders_costed' },
  { name: 'revenue_uncosted' },
] as const satisfies readonly DaySum[];

export type SumName = (typeof SUMS)[number]['name'];

/** Of a period; counts of orders are whole numbers. */
export type Sums = Readonly<Record<SumName, Fraction>>;

/** The sums of which the list says all: what a counted order and its refunds add to their days. */
export const ORDER_SUMS: readonly DaySum[] = SUMS.filter((sum) => 'sale' in sum || 'refund' in sum);

/** From decimals by name; one that is absent is zero. */
export function toSums(decimals: Readonly<Partial<Record<string, string>>>): Sums {
  return Object.fromEntries(SUMS.map(({ name }) => [name, fraction(decimals[name] ?? '0')])) as Sums;
}

/** The whole number that a count is. */
export const countOf = ({ num, den }: Fraction): number => Number(num / den);

import { fraction, toMicros, type Fraction } from '../money.js';

/** What the list may read of an order, on the wire and as stored. */
interface SummedOrder {
  total: string;
  discounts?: string;
  shipping?: string;
  tax?: string | null;
  taxes_included?: boolean;
  tips?: string;
  duties?: string;
  rounding_adjustment?: string;
  gateway_fee?: string | null;
}

interface SummedRefund {
  total: string;
  tax_refund?: string;
  gateway_fee_refund?: string;
}

export interface DaySum {
  name: string;
  /** Of a count: whether a counted order is one of them. */
  counts?: (order: SummedOrder) => boolean;
  /** The decimal that a counted order adds to its day, in the column of this name of `order_days`. */
  sale?: (order: SummedOrder) => string | null | undefined;
  /** The micros that a refund of a counted order adds to its day, in the same column. */
  refund?: (refund: SummedRefund) => bigint;
}

/**
 * The sums of a shop and day of which all figures are made, as `daily_orders.sums` has them. Encoders, metrics, histories,
 * restatements and the audit read this list. The views add them up: those of orders in `daily_products_rebuild`
 * (clickhouse/schema/004_daily_products.sql), those with the catalog in `daily_figures_rebuild`.
 */
export const SUMS = [
  { name: 'orders', counts: () => true },
  { name: 'revenue', sale: ({ total }) => total },
  { name: 'refunds', refund: ({ total }) => toMicros(total) },
  {
    name: 'gateway_fees',
    sale: ({ gateway_fee }) => gateway_fee,
    refund: ({ gateway_fee_refund }) => -toMicros(gateway_fee_refund ?? '0'),
  },
  { name: 'orders_fee_actual', counts: ({ gateway_fee }) => (gateway_fee ?? null) !== null },
  { name: 'orders_tax_present', counts: ({ tax }) => (tax ?? null) !== null },
  { name: 'cogs' },
  { name: 'orders_costed' },
  { name: 'revenue_uncosted' },
] as const satisfies readonly DaySum[];

export type SumName = (typeof SUMS)[number]['name'];

/** Of a period; counts of orders are whole numbers. */
export type Sums = Readonly<Record<SumName, Fraction>>;

/** The amounts of an order that are added up: a column of `order_days` each. */
export const ORDER_AMOUNTS: readonly DaySum[] = SUMS.filter((sum) => 'sale' in sum || 'refund' in sum);
/** Its counts. */
export const ORDER_COUNTS: readonly DaySum[] = SUMS.filter((sum) => 'counts' in sum);

/** From decimals by name; one that is absent is zero. */
export function toSums(decimals: Readonly<Partial<Record<string, string>>>): Sums {
  return Object.fromEntries(SUMS.map(({ name }) => [name, fraction(decimals[name] ?? '0')])) as Sums;
}

/** The whole number that a count is. */
export const countOf = ({ num, den }: Fraction): number => Number(num / den);

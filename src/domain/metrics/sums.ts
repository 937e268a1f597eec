import { toMicros, toSafeMicros } from '../micros.js';
import { fraction, ofMicros, ZERO, type Fraction } from '../money.js';
import type { OrderInput } from '../orders/orders.js';

/** What the list may read of an order, on the wire and as stored. */
export type SummedOrder = Pick<OrderInput, 'total'> & {
  [Field in Exclude<keyof OrderInput, 'line_items' | 'refunds'>]?: OrderInput[Field] | null;
} & { line_items: readonly SummedLine[] };

interface SummedLine {
  quantity: string;
  unit_price: string;
  line_discount?: string;
}

interface SummedRefund {
  total: string;
  tax_refund?: string | null;
  gateway_fee_refund?: string;
}

export interface DaySum {
  name: string;
  /** Of a count: whether a counted order is one of them. */
  counts?: (order: SummedOrder) => boolean;
  /** What a counted order adds to its day, in the column of this name of `order_days`: a decimal, or micros. */
  sale?: (order: SummedOrder) => Amount | null | undefined;
  /** The micros that a refund of a counted order adds to its day, in the same column. */
  refund?: (refund: SummedRefund, order: SummedOrder) => bigint;
}

/**
 * The sums of a shop and day of which all figures are made, as `daily_orders.sums` has them. Encoders, metrics, histories,
 * restatements and the audit read this list. The worker adds them up (warehouse/queries/day-sums.ts).
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
  { name: 'gross_sales', sale: ({ line_items }) => grossSales(line_items) },
  { name: 'discounts', sale: allDiscounts },
  { name: 'line_discounts', sale: ({ line_items }) => lineDiscounts(line_items) },
  { name: 'shipping', sale: ({ shipping }) => shipping },
  { name: 'tips', sale: ({ tips }) => tips },
  { name: 'duties', sale: ({ duties }) => duties },
  { name: 'rounding_adjustment', sale: ({ rounding_adjustment }) => rounding_adjustment },
  { name: 'tax_added', sale: ({ tax, taxes_included }) => (taxes_included === true ? null : tax) },
  { name: 'tax', sale: ({ tax }) => tax },
  { name: 'tax_refunded', refund: ({ tax_refund }) => toMicros(tax_refund ?? '0') },
  { name: 'fulfillment_costs', sale: ({ fulfillment_cost }) => fulfillment_cost },
  { name: 'orders_fulfillment_known', counts: ({ fulfillment_cost }) => (fulfillment_cost ?? null) !== null },
  { name: 'refunds_without_tax', refund: (refund, order) => (lacksTax(refund, order) ? ONE : 0n) },
  { name: 'cogs' },
  { name: 'orders_costed' },
  { name: 'revenue_uncosted' },
] as const satisfies readonly DaySum[];

const ONE = 1_000_000n;

/** Of an order with tax, a refund that does not say how much of it is tax. */
function lacksTax({ tax_refund }: SummedRefund, { tax }: SummedOrder): boolean {
  return (tax_refund ?? null) === null && toMicros(tax ?? '0') > 0n;
}

/** Whole micros: with the other parts of the total, which have no more digits, the products add up to it exactly. */
function grossSales(lines: readonly SummedLine[]): bigint {
  let safe = 0;
  for (const { quantity, unit_price } of lines) {
    const units = toSafeMicros(quantity) / 1_000_000;
    safe += Number.isInteger(units) ? units * toSafeMicros(unit_price) : NaN;
  }
  if (safe <= Number.MAX_SAFE_INTEGER) return BigInt(safe);
  return lines.reduce((sum, line) => sum + toMicros(line.quantity) * toMicros(line.unit_price), 0n) / ONE;
}

function allDiscounts({ discounts, line_items }: SummedOrder): Amount | undefined {
  const ofLines = lineDiscounts(line_items);
  return ofLines === undefined ? (discounts ?? undefined) : ofLines + toMicros(discounts ?? '0');
}

/** Undefined: no line has one. */
function lineDiscounts(lines: readonly SummedLine[]): bigint | undefined {
  if (lines.every(({ line_discount }) => line_discount === undefined)) return undefined;
  return lines.reduce((sum, line) => sum + toMicros(line.line_discount ?? '0'), 0n);
}

export type SumName = (typeof SUMS)[number]['name'];
const NAMES: ReadonlySet<string> = new Set(SUMS.map(({ name }) => name));
export const isSum = (name: string): name is SumName => NAMES.has(name);

/** Of a period; counts of orders are whole numbers. */
export type Sums = Readonly<Record<SumName, Fraction>>;

/** A decimal, or micros. */
type Amount = string | bigint;

export const amountOf = (amount: Amount): Fraction =>
  typeof amount === 'bigint' ? ofMicros(amount) : fraction(amount);

/** The amounts of an order that are added up: a column of `order_days` each. */
export const ORDER_AMOUNTS: readonly DaySum[] = SUMS.filter((sum) => 'sale' in sum || 'refund' in sum);
/** Its counts. */
export const ORDER_COUNTS: readonly DaySum[] = SUMS.filter((sum) => 'counts' in sum);

/** The amounts of a product on a day, in the order of the columns of `daily_products`. */
export const PRODUCT_AMOUNTS = [
  'lines_sold',
  'units_sold',
  'units_returned',
  'units_restocked',
  'revenue',
  'refunds',
  'discounts',
];

/** What is added up over the rows of `order_facts`: a column each. */
export const FACT_SUMS: readonly string[] = [...[...ORDER_AMOUNTS, ...ORDER_COUNTS].map(({ name }) => name), 'cogs'];

/**
 * The sums of a day's own orders, those placed on it, in `daily_orders.placed_sums`: how many are listed, whether they count or not, and
 * of those that count what differs from `SUMS`, since their refunds belong to them whatever their day. Each is a column of `order_facts`.
 */
export const PLACED_SUMS = [
  { name: 'listed', column: 'is_listed' },
  { name: 'refunds', column: 'order_refunds' },
  { name: 'gateway_fees', column: 'order_gateway_fees' },
  { name: 'tax_refunded', column: 'order_tax_refunded' },
  { name: 'cogs', column: 'order_cogs' },
] as const;

export type PlacedSum = (typeof PLACED_SUMS)[number]['name'];

/** From decimals by name; one that is absent is zero. */
export function toSums(decimals: Readonly<Partial<Record<string, string>>>): Sums {
  const sums: Partial<Record<SumName, Fraction>> = {};
  for (const { name } of SUMS) {
    const decimal = decimals[name];
    sums[name] = decimal === undefined ? ZERO : fraction(decimal);
  }
  return sums as Sums;
}

/** The whole number that a count is. */
export const countOf = ({ num }: Fraction): number => num.toNumber();

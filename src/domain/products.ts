import { minus, ratio, type Fraction } from './money.js';

/** What a range of days brought of one SKU. Money is exact and unrounded. */
export interface ProductFigures {
  /** Null: lines without a SKU. */
  sku: string | null;
  /** Null: no line sold in the range has one. */
  title: string | null;
  unitsSold: Fraction;
  unitsRefunded: Fraction;
  /** Lines sold, after their discounts. */
  revenue: Fraction;
  /** Lines that refunds name, at their unit price. */
  refunds: Fraction;
  cogs: Fraction;
  /** Sold without a unit cost of their own, and none in the catalog. */
  unitsWithoutCost: Fraction;
}

/** (revenue − refunds − cogs) ÷ (revenue − refunds); null while any unit has no cost, and where nothing is left to divide by. */
export function grossMargin({ revenue, refunds, cogs, unitsWithoutCost }: ProductFigures): Fraction | null {
  if (unitsWithoutCost.num !== 0n) return null;
  const net = minus(revenue, refunds);
  return ratio(minus(net, cogs), net);
}

import { isZero, minus, plus, ratio, type Fraction } from './money.js';

/** What a range of days brought of one SKU, or of several. Money is exact and unrounded. */
export interface ProductSums {
  unitsSold: Fraction;
  unitsRefunded: Fraction;
  /** Of lines sold. */
  discounts: Fraction;
  /** Lines sold, after their discounts. */
  revenue: Fraction;
  /** Lines that refunds name, at their unit price. */
  refunds: Fraction;
  cogs: Fraction;
  /** Sold without a unit cost of their own, and none in the catalog. */
  unitsWithoutCost: Fraction;
  /** Of the lines sold so. */
  revenueWithoutCost: Fraction;
}

export interface ProductFigures extends ProductSums {
  /** Null: lines without a SKU. */
  sku: string | null;
  /** Null: no line sold in the range has one. */
  title: string | null;
}

/** Lines sold at their prices, before their discounts. */
export function grossSales({ revenue, discounts }: ProductSums): Fraction {
  return plus(revenue, discounts);
}

export function grossProfit({ revenue, refunds, cogs }: ProductSums): Fraction {
  return minus(revenue, plus(refunds, cogs));
}

/** (revenue − refunds − cogs) ÷ (revenue − refunds); null while any unit has no cost, and where nothing is left to divide by. */
export function grossMargin(sums: ProductSums): Fraction | null {
  if (!isZero(sums.unitsWithoutCost)) return null;
  return ratio(grossProfit(sums), minus(sums.revenue, sums.refunds));
}

import type { Coverage, RangeCoverage } from '../../schemas/metrics.js';
import { formatDecimal, sum, type Fraction } from '../money.js';

/** Counted orders of a period, and how many of them have what. */
export interface CoverageCounts {
  orders: number;
  costed: number;
  feeActual: number;
  taxPresent: number;
}

/** What the warehouse counts of one part of a range. */
export interface CoveragePart extends CoverageCounts {
  revenueUncosted: Fraction;
}

export function toCoverage({ orders, costed, feeActual, taxPresent }: CoverageCounts): Coverage {
  return {
    cogs_complete: percentage(costed, orders),
    gateway_fee_actual: percentage(feeActual, orders),
    tax_present: percentage(taxPresent, orders),
  };
}

export function toRangeCoverage(parts: readonly CoveragePart[]): RangeCoverage {
  const count = (of: keyof CoverageCounts): number => parts.reduce((total, part) => total + part[of], 0);
  const counts = {
    orders: count('orders'),
    costed: count('costed'),
    feeActual: count('feeActual'),
    taxPresent: count('taxPresent'),
  };
  return {
    ...toCoverage(counts),
    revenue_without_cost: formatDecimal(sum(parts.map((part) => part.revenueUncosted))),
  };
}

/**
 * `part` of `all` in percent, rounded half-up at the second decimal in integers; null when there is nothing to share.
 * Only the whole is 100: the last missing one of a million orders must not be rounded away.
 */
export function percentage(part: number, all: number): number | null {
  if (all === 0) return null;
  const hundredths = (BigInt(part) * 20_000n + BigInt(all)) / (2n * BigInt(all));
  return Number(part < all && hundredths === 10_000n ? 9_999n : hundredths) / 100;
}

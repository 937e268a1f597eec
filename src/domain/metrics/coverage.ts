import type { Coverage, RangeCoverage } from '../../schemas/metrics.js';
import { formatDecimal, sum, type Fraction } from '../money.js';
import { countOf, type Sums } from './sums.js';

/** Counted orders of a period, and how many of them have what. */
export type CoverageSums = Pick<Sums, 'orders' | 'orders_costed' | 'orders_fee_actual' | 'orders_tax_present'>;

export function toCoverage(sums: CoverageSums): Coverage {
  const orders = countOf(sums.orders);
  return {
    cogs_complete: percentage(countOf(sums.orders_costed), orders),
    gateway_fee_actual: percentage(countOf(sums.orders_fee_actual), orders),
    tax_present: percentage(countOf(sums.orders_tax_present), orders),
  };
}

export function toRangeCoverage(
  parts: readonly { sums: CoverageSums & Pick<Sums, 'revenue_uncosted'> }[],
): RangeCoverage {
  const total = (name: keyof CoverageSums | 'revenue_uncosted'): Fraction => sum(parts.map(({ sums }) => sums[name]));
  return {
    ...toCoverage({
      orders: total('orders'),
      orders_costed: total('orders_costed'),
      orders_fee_actual: total('orders_fee_actual'),
      orders_tax_present: total('orders_tax_present'),
    }),
    revenue_without_cost: formatDecimal(total('revenue_uncosted')),
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

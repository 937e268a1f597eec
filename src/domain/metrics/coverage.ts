import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import type { Coverage, RangeCoverage } from '../../schemas/metrics.js';
import { estimatedOrders, type GatewayVolume } from '../costs/gateway-fees.js';
import { decimal, formatDecimal, rounded, sum, type Fraction } from '../money.js';
import { countOf, type SumName, type Sums } from './sums.js';

/** What coverage is counted from: of each part of a period its sums and the orders whose fee may be estimated. */
export interface CoverageOf {
  parts: readonly { sums: Sums; estimable: readonly GatewayVolume[] }[];
  rules: readonly GatewayFeeRule[];
  /** How many products were sold without a known cost. */
  productsWithoutCost: number;
}

export function toCoverage({ parts, rules, productsWithoutCost }: CoverageOf): Coverage {
  const count = (name: SumName): number => countOf(total(parts, name));
  const orders = count('orders');
  const [costed, charged, taxed, fulfilled] = [
    count('orders_costed'),
    count('orders_fee_actual'),
    count('orders_tax_present'),
    count('orders_fulfillment_known'),
  ];
  const estimated = estimatedOrders(
    rules,
    parts.flatMap(({ estimable }) => estimable),
  );
  return {
    cogs_complete: percentage(costed, orders),
    gateway_fee_actual: percentage(charged, orders),
    tax_present: percentage(taxed, orders),
    fulfillment_known: percentage(fulfilled, orders),
    orders,
    orders_without_cost: orders - costed,
    products_without_cost: productsWithoutCost,
    orders_fee_estimated: estimated,
    orders_without_fee: orders - charged - estimated,
    orders_without_tax: orders - taxed,
    orders_without_fulfillment: orders - fulfilled,
    refunds_without_tax: count('refunds_without_tax'),
  };
}

export function toRangeCoverage(of: CoverageOf): RangeCoverage {
  return { ...toCoverage(of), revenue_without_cost: formatDecimal(total(of.parts, 'revenue_uncosted')) };
}

const total = (parts: CoverageOf['parts'], name: SumName): Fraction => sum(parts.map(({ sums }) => sums[name]));

/**
 * `part` of `all` in percent, rounded half-up at the second decimal; null when there is nothing to share.
 * Only the whole is 100: the last missing one of a million orders must not be rounded away.
 */
export function percentage(part: number, all: number): number | null {
  if (all === 0) return null;
  if (part === 0 || part === all) return part === 0 ? 0 : 100;
  return Math.min(99.99, Number(rounded({ num: decimal(BigInt(part) * 100n), den: BigInt(all) }, 2).toFixed()));
}

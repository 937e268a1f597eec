import { gatewayKey } from '../../domain/costs/gateway-keys.js';
import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import { literal } from '../sql.js';

/** Decimals of an estimated fee: six of the percentage, two of its hundredth, six of the total. */
export const EXACT_DECIMALS = 14;
export const exact = (amount: string): string => `toDecimal256(${amount}, ${EXACT_DECIMALS})`;

/** The estimated fee of a counted order `o` of `ordersOf` by fee rules, exact: that of `feeOf`. */
export function estimateOf(rules: readonly GatewayFeeRule[]): string {
  const estimates = rules.flatMap(({ payment_gateway, percent, fixed }) => [
    `o.gateway = ${literal(gatewayKey(payment_gateway))}`,
    `toDecimal256('${percent}', 6) * toDecimal256('0.01', 2) * toDecimal256(o.revenue, 6) + ${exact(`'${fixed}'`)}`,
  ]);
  const none = exact('0');
  return estimates.length === 0 ? none : `multiIf(o.has_gateway_fee, ${none}, ${estimates.join(', ')}, ${none})`;
}

/** The exact profit of a counted order `o` of `ordersOf`. */
export const profitOf = (rules: readonly GatewayFeeRule[]): string =>
  `(${exact('o.revenue - o.refunds - o.gateway_fees')} - ${estimateOf(rules)} - ${exact('o.cogs')})`;

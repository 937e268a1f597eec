import { gatewayKey } from '../../domain/costs/gateway-keys.js';
import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import { literal } from '../sql.js';
import { gatewayKeyOf } from './gateway-keys.js';

/** Decimals of an estimated fee: six of the percentage, two of its hundredth, six of the total. */
export const EXACT_DECIMALS = 14;
export const exact = (amount: string): string => `toDecimal256(${amount}, ${EXACT_DECIMALS})`;

/** The exact profit of a counted order `o` of `ordersOf`; its fee is that of `feeOf`. */
export function profitOf(rules: readonly GatewayFeeRule[]): string {
  const key = gatewayKeyOf('o.payment_gateway');
  const estimates = rules.flatMap(({ payment_gateway, percent, fixed }) => [
    `${key} = ${literal(gatewayKey(payment_gateway))}`,
    `toDecimal256('${percent}', 6) * toDecimal256('0.01', 2) * toDecimal256(o.revenue, 6) + ${exact(`'${fixed}'`)}`,
  ]);
  const none = exact('0');
  const estimate =
    estimates.length === 0 ? none : `multiIf(o.has_gateway_fee, ${none}, ${estimates.join(', ')}, ${none})`;
  return `(${exact('o.revenue - o.refunds - o.gateway_fees')} - ${estimate} - ${exact('o.cogs')})`;
}

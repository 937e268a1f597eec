import { gatewayKey } from '../../domain/costs/gateway-keys.js';
import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import { literal } from '../sql.js';

/** Decimals of an estimated fee: six of the percentage, two of its hundredth, six of the total. */
export const EXACT_DECIMALS = 14;
export const exact = (amount: string): string => `toDecimal256(${amount}, ${EXACT_DECIMALS})`;

/** A value as a decimal of so many fraction digits. */
export type ToDecimal = (value: string, decimals: number) => string;
const WIDE: ToDecimal = (value, decimals) => `toDecimal256(${value}, ${decimals})`;

/** The condition of an order `o` of `ordersOf` that a fee rule is for. */
const isOf = ({ payment_gateway }: GatewayFeeRule): string => `o.gateway = ${literal(gatewayKey(payment_gateway))}`;
export const hasRule = (rules: readonly GatewayFeeRule[]): string =>
  rules.length === 0 ? 'false' : `(${rules.map(isOf).join(' OR ')})`;

/** The estimated fee of a counted order `o` of `ordersOf` by fee rules, exact: that of `feeOf`. */
export function estimateOf(rules: readonly GatewayFeeRule[], to = WIDE): string {
  const estimates = rules.flatMap((rule) => [
    isOf(rule),
    `${to(`'${rule.percent}'`, 6)} * ${to("'0.01'", 2)} * ${to('o.revenue', 6)} + ${to(`'${rule.fixed}'`, EXACT_DECIMALS)}`,
  ]);
  const none = to('0', EXACT_DECIMALS);
  return estimates.length === 0 ? none : `multiIf(o.has_gateway_fee, ${none}, ${estimates.join(', ')}, ${none})`;
}

/** The exact profit of a counted order `o` of `ordersOf`. */
export const profitOf = (rules: readonly GatewayFeeRule[], to = WIDE): string =>
  `(${to('o.revenue - o.refunds - o.gateway_fees', EXACT_DECIMALS)} - ${estimateOf(rules, to)} - ${to('o.cogs', EXACT_DECIMALS)})`;

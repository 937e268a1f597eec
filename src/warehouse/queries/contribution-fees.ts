import { gatewayKey } from '../../domain/costs/gateway-keys.js';
import { partNumber } from '../../domain/metrics/contributions.js';
import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import { literal } from '../sql.js';
import { ORDER, select } from './contribution-columns.js';

function feeEstimate(rules: readonly GatewayFeeRule[]): { condition: string; size: string } {
  const list = (values: readonly string[]): string => `[${values.join(',')}]`;
  const decimals = (values: readonly string[]): string =>
    `CAST(${literal(list(values))}, 'Array(Decimal(76, 6))')[transform(d.payment_gateway, ${gateways}, ${numbers}, 0)]`;
  const gateways = list(rules.map((rule) => literal(gatewayKey(rule.payment_gateway))));
  const numbers = list(rules.map((_, i) => String(i + 1)));
  const percent = decimals(rules.map((rule) => rule.percent));
  const fixed = decimals(rules.map((rule) => rule.fixed));
  return {
    condition: `d.orders = 1 AND NOT d.has_gateway_fee AND d.payment_gateway IN ${gateways}`,
    size: `${percent} * toDecimal256(d.revenue, 6) * toDecimal256('0.01', 2) + ${fixed}`,
  };
}

/** Fees of `days AS d` that the rules estimate. */
export function estimates(rules: readonly GatewayFeeRule[]): string {
  const { condition, size } = feeEstimate(rules);
  const columns = { ...ORDER, part: partNumber('fee_estimate'), size, facts: '[d.payment_gateway]' };
  return select(columns, `days AS d WHERE ${condition}`);
}

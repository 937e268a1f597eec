import { gatewayKey } from '../../domain/costs/gateway-keys.js';
import { partNumber } from '../../domain/metrics/contributions.js';
import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import { literal } from '../sql.js';
import { ORDER, select } from './contribution-columns.js';

/** Which gateways have a rule, and what it makes of the revenue of an order, by two columns of it. */
export function feeEstimate(
  rules: readonly GatewayFeeRule[],
  { gateway, revenue }: { gateway: string; revenue: string },
): { hasRule: string; size: string } {
  const list = (values: readonly string[]): string => `[${values.join(',')}]`;
  const decimals = (values: readonly string[]): string =>
    `CAST(${literal(list(values))}, 'Array(Decimal(76, 6))')[transform(${gateway}, ${gateways}, ${numbers}, 0)]`;
  const gateways = list(rules.map((rule) => literal(gatewayKey(rule.payment_gateway))));
  const numbers = list(rules.map((_, i) => String(i + 1)));
  const percent = decimals(rules.map((rule) => rule.percent));
  const fixed = decimals(rules.map((rule) => rule.fixed));
  return {
    hasRule: `${gateway} IN ${gateways}`,
    size: `${percent} * toDecimal256(${revenue}, 6) * toDecimal256('0.01', 2) + ${fixed}`,
  };
}

/** Fees of `days AS d` that the rules estimate. */
export function estimates(rules: readonly GatewayFeeRule[]): string {
  const { hasRule, size } = feeEstimate(rules, { gateway: 'd.payment_gateway', revenue: 'd.revenue' });
  const gateways = rules.map((rule) => literal(gatewayKey(rule.payment_gateway)));
  const facts = (['payment_gateway', 'percent', 'fixed'] as const).map(
    (name) =>
      `transform(d.payment_gateway, [${gateways.join()}], [${rules.map((rule) => literal(rule[name])).join()}], '')`,
  );
  const columns = { ...ORDER, part: partNumber('fee_estimate'), size, facts: `[${facts.join(', ')}]` };
  return select(columns, `days AS d WHERE d.orders = 1 AND NOT d.has_gateway_fee AND ${hasRule}`);
}

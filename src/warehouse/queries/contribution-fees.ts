import { gatewayKey } from '../../domain/costs/gateway-keys.js';
import { partNumber } from '../../domain/metrics/contributions.js';
import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import { literal } from '../sql.js';
import { ORDER, rounded, select } from './contribution-columns.js';
import { EXACT_DECIMALS } from './order-profits.js';

const list = (values: readonly string[]): string => `[${values.join(',')}]`;
const gatewaysOf = (rules: readonly GatewayFeeRule[]): string =>
  list(rules.map((rule) => literal(gatewayKey(rule.payment_gateway))));

/** The value of the rule of a gateway, of one value a rule. */
const ofRule = (rules: readonly GatewayFeeRule[], gateway: string, values: readonly string[], none: string): string =>
  `transform(${gateway}, ${gatewaysOf(rules)}, ${list(values)}, ${none})`;

/** Which gateways have a rule, and what it makes of the revenue of an order, by two columns of it. */
export function feeEstimate(
  rules: readonly GatewayFeeRule[],
  { gateway, revenue }: { gateway: string; revenue: string },
): { hasRule: string; size: string } {
  const number = ofRule(
    rules,
    gateway,
    rules.map((_, i) => String(i + 1)),
    '0',
  );
  const decimals = (values: readonly string[]): string =>
    `CAST(${literal(list(values))}, 'Array(Decimal(76, 6))')[${number}]`;
  const percent = decimals(rules.map((rule) => rule.percent));
  const fixed = decimals(rules.map((rule) => rule.fixed));
  return {
    hasRule: `${gateway} IN ${gatewaysOf(rules)}`,
    size: `${percent} * toDecimal256(${revenue}, 6) * toDecimal256('0.01', 2) + ${fixed}`,
  };
}

/** The actual fee of an order of `days AS d`, of which refunds are entries of their own. */
export const ACTUAL = {
  amount: 'd.gateway_fees + arraySum(d.refunded_fees)',
  isThere: 'd.orders = 1 AND d.has_gateway_fee',
};

/**
 * Fees of `days AS d`, actual ones and those that the rules estimate. An order has one of the two at most, so one look gives both: a page
 * by amount of 10^6 orders takes 480 ms of CPU so, and 800 ms by a look for each.
 */
export function fees(rules: readonly GatewayFeeRule[]): string {
  const gateway = 'd.payment_gateway';
  const { hasRule, size } = feeEstimate(rules, { gateway, revenue: 'd.revenue' });
  const facts = (['payment_gateway', 'percent', 'fixed'] as const).map((name) =>
    ofRule(
      rules,
      gateway,
      rules.map((rule) => literal(rule[name])),
      "''",
    ),
  );
  const either = (actual: string, estimate: string): string => `if(d.has_gateway_fee, ${actual}, ${estimate})`;
  const columns = {
    ...ORDER,
    part: either(partNumber('fee_actual'), partNumber('fee_estimate')),
    size: either(`toDecimal256(${ACTUAL.amount}, ${EXACT_DECIMALS})`, size),
    amount: either(`toDecimal256(${ACTUAL.amount}, 6)`, rounded(size)),
    facts: either('emptyArrayString()', list(facts)),
  };
  return select(columns, `days AS d WHERE d.orders = 1 AND (d.has_gateway_fee OR ${hasRule})`);
}

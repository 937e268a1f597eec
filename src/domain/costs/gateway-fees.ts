import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import { fraction, plus, sum, times, whole, ZERO, type Fraction } from '../money.js';
import { gatewayKey } from './gateway-keys.js';

/** Orders of a period without an actual fee, by payment gateway. */
export interface GatewayVolume {
  /** A {@link gatewayKey}. */
  gateway: string;
  orders: number;
  revenue: Fraction;
}

const HUNDREDTH = fraction('0.01');

/** The estimated fees of orders without an actual one, or of parts of orders, through a gateway. */
export type FeeEstimate = (gateway: string, orders: Fraction, revenue: Fraction) => Fraction;

/** A gateway without a rule costs nothing. */
export function feeEstimate(rules: readonly GatewayFeeRule[]): FeeEstimate {
  const byKey = rulesByKey(rules);
  return (gateway, orders, revenue) => {
    const rule = byKey.get(gateway);
    if (rule === undefined) return ZERO;
    const share = times(times(fraction(rule.percent), HUNDREDTH), revenue);
    return plus(share, times(fraction(rule.fixed), orders));
  };
}

export function estimateFees(rules: readonly GatewayFeeRule[], volumes: readonly GatewayVolume[]): Fraction {
  if (rules.length === 0) return ZERO;
  const estimate = feeEstimate(rules);
  return sum(volumes.map(({ gateway, orders, revenue }) => estimate(gateway, whole(orders), revenue)));
}

/** How many of those orders have an estimate. */
export function estimatedOrders(rules: readonly GatewayFeeRule[], volumes: readonly GatewayVolume[]): number {
  const byKey = rulesByKey(rules);
  return volumes.reduce((count, { gateway, orders }) => count + (byKey.has(gateway) ? orders : 0), 0);
}

function rulesByKey(rules: readonly GatewayFeeRule[]): ReadonlyMap<string, GatewayFeeRule> {
  return new Map(rules.map((rule) => [gatewayKey(rule.payment_gateway), rule]));
}

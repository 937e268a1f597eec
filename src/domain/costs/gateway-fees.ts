import { echo, type ErrorDetail } from '../../errors.js';
import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import { BLANKS, trimBlanks } from '../blanks.js';
import { fieldsOf } from '../fields.js';
import { fraction, plus, sum, times, whole, ZERO, type Fraction } from '../money.js';

/** Orders of a period without an actual fee, by payment gateway. */
export interface GatewayVolume {
  /** A {@link gatewayKey}. */
  gateway: string;
  orders: number;
  revenue: Fraction;
}

// eslint-disable-next-line no-control-regex -- all of ASCII
const IS_ASCII = /^[\x00-\x7f]*$/;

const GAPS = new RegExp(`[${BLANKS}_-]+`, 'gu');
const PLAIN_KEY = /^[a-z0-9]*(?:_[a-z0-9]+)*$/;

/**
 * The form by which spellings of a payment gateway are compared: lower case, no blanks at the ends, and one `_` for each run of
 * blanks, `_` and `-` (`Shopify Payments` is `shopify_payments`). Upper case comes first because some letters have several
 * lower-case forms (ς and σ, ſ and s) or none of one letter (ß).
 */
export function gatewayKey(name: string): string {
  if (PLAIN_KEY.test(name)) return name;
  const lower = IS_ASCII.test(name) ? name.toLowerCase() : name.normalize('NFC').toUpperCase().toLowerCase();
  return trimBlanks(lower).replace(GAPS, '_');
}

const HUNDREDTH: Fraction = { num: 1n, den: 100n };

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

/** A gateway may appear once in the `rules` of a body, whatever its spelling. */
export function checkGatewayFeeRules(body: unknown): ErrorDetail[] {
  const { rules } = fieldsOf(body);
  if (!Array.isArray(rules)) return [];
  const seen = new Set<string>();
  return rules.flatMap((rule, i): ErrorDetail[] => {
    const { payment_gateway: name } = fieldsOf(rule);
    if (typeof name !== 'string') return [];
    const key = gatewayKey(name);
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    const field = `rules[${i}].payment_gateway`;
    const message = `${field} "${echo(name)}" appears twice; case, blanks, underscores and hyphens make no difference.`;
    return [{ code: 'invalid_value', message, field }];
  });
}

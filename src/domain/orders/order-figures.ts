import { estimateFees } from '../costs/gateway-fees.js';
import { gatewayKey } from '../costs/gateway-keys.js';
import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import { formatDecimal, fraction, minus, plus, ZERO, type Fraction } from '../money.js';
import type { OrderInput } from './orders.js';

/** What orders bring in the figures, exact and unrounded. */
export type OrderAmounts = typeof NO_AMOUNTS;

export const NO_AMOUNTS = {
  revenue: ZERO,
  refunds: ZERO,
  cogs: ZERO,
  fees: ZERO,
  /** Tax minus refunded tax. */
  taxes: ZERO,
  fulfillment: ZERO,
};

/** The same as they go out, each rounded once. */
export function toOrderFigures({ revenue, refunds, cogs, fees, taxes, fulfillment }: OrderAmounts) {
  const profit = minus(revenue, plus(refunds, plus(cogs, fees)));
  return {
    revenue: formatDecimal(revenue),
    refunds: formatDecimal(refunds),
    cogs: formatDecimal(cogs),
    gateway_fees: formatDecimal(fees),
    profit: formatDecimal(profit),
    taxes: formatDecimal(taxes),
    earnings: formatDecimal(minus(profit, plus(taxes, fulfillment))),
  };
}

/** The first reason for which an order does not count; undefined when it does (contract: "Orders"). */
export function whyNotCounted({ status, is_test, deleted }: Pick<OrderInput, 'status' | 'is_test' | 'deleted'>) {
  if (deleted === true) return 'deleted';
  if (status === 'voided' || status === 'pending') return status;
  return is_test === true ? 'test' : undefined;
}

/** The fee of a counted order before refunded fees, and where it comes from; `gateway` is a {@link gatewayKey}. */
export function feeOf(
  { total, gateway_fee, gateway }: Pick<OrderInput, 'total' | 'gateway_fee'> & { gateway: string },
  rules: readonly GatewayFeeRule[],
): { fee: Fraction; source: 'actual' | 'estimated' | 'none' } {
  if (gateway_fee !== undefined) return { fee: fraction(gateway_fee), source: 'actual' };
  const own = gateway === '' ? [] : rules.filter((rule) => gatewayKey(rule.payment_gateway) === gateway);
  if (own.length === 0) return { fee: ZERO, source: 'none' };
  return { fee: estimateFees(own, [{ gateway, orders: 1, revenue: fraction(total) }]), source: 'estimated' };
}

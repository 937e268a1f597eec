import type { FeeEstimate } from '../costs/gateway-fees.js';
import type { Evidence } from '../events/channel.js';
import { fraction, plus, ratio, whole, ZERO, type Fraction } from '../money.js';

/** Orders and their money in a period, exact and unrounded. */
export interface Credit {
  orders: Fraction;
  revenue: Fraction;
  refunds: Fraction;
}

/** What a channel is credited with, and the part of it that rests on visits of each evidence. */
export interface ChannelCredit extends Credit {
  cogs: Fraction;
  gatewayFees: Fraction;
  by: Readonly<Record<Evidence, Credit>>;
}

/** Weighted sums of a rollup: amounts times the parts given, of orders in as many `parts`. */
export interface CreditPart {
  channel: string;
  evidence: string;
  parts: number;
  /** Of orders whose fee is estimated; else empty. */
  payment_gateway: string;
  orders: string;
  revenue: string;
  refunds: string;
  gateway_fees: string;
  cogs: string;
}

const nothing: Credit = { orders: ZERO, revenue: ZERO, refunds: ZERO };

export const NO_CREDIT: ChannelCredit = {
  ...nothing,
  cogs: ZERO,
  gatewayFees: ZERO,
  by: { proved: nothing, claimed: nothing, ambiguous: nothing },
};

/** By channel. */
export function creditsOf(parts: readonly CreditPart[], estimate: FeeEstimate): Map<string, ChannelCredit> {
  const credits = new Map<string, ChannelCredit>();
  for (const part of parts) {
    credits.set(part.channel, sumOf(credits.get(part.channel) ?? NO_CREDIT, creditOf(part, estimate)));
  }
  return credits;
}

function creditOf({ evidence, parts, payment_gateway, ...sums }: CreditPart, estimate: FeeEstimate): ChannelCredit {
  const partOf = (amount: string): Fraction => ratio(fraction(amount), whole(parts)) ?? ZERO;
  const own = { orders: partOf(sums.orders), revenue: partOf(sums.revenue), refunds: partOf(sums.refunds) };
  return {
    ...own,
    cogs: partOf(sums.cogs),
    gatewayFees: plus(partOf(sums.gateway_fees), estimate(payment_gateway, own.orders, own.revenue)),
    by: { ...NO_CREDIT.by, [evidence]: own },
  };
}

export function sumOf(a: ChannelCredit, b: ChannelCredit): ChannelCredit {
  return {
    ...sumOfOrders(a, b),
    cogs: plus(a.cogs, b.cogs),
    gatewayFees: plus(a.gatewayFees, b.gatewayFees),
    by: {
      proved: sumOfOrders(a.by.proved, b.by.proved),
      claimed: sumOfOrders(a.by.claimed, b.by.claimed),
      ambiguous: sumOfOrders(a.by.ambiguous, b.by.ambiguous),
    },
  };
}

function sumOfOrders(a: Credit, b: Credit): Credit {
  return {
    orders: plus(a.orders, b.orders),
    revenue: plus(a.revenue, b.revenue),
    refunds: plus(a.refunds, b.refunds),
  };
}

import { apportion, formatMicros } from './apportion.js';
import { unattributedChannel } from './attribution.js';
import { formatOptional, fraction, plus, ratio, whole, ZERO, type Fraction } from './money.js';
import { spendChannel } from './spend-channel.js';

/** What a channel is credited with in a period, exact and unrounded. */
export interface ChannelCredit {
  orders: Fraction;
  revenue: Fraction;
  refunds: Fraction;
}

/** A row of `GET /v1/attribution`. */
export interface ChannelRow {
  channel: string;
  /** Whole with `last_touch` and `first_touch`; with `linear` at most six decimals. */
  orders: number;
  revenue: string;
  refunds: string;
  net_revenue: string;
  ad_spend: string;
  roas: string | null;
}

/**
 * The rows of a period: channels by falling revenue, then spend, then name; `unattributed` last and always there. Every
 * column adds up exactly to the figure of the metrics object.
 *
 * @param credits by channel
 * @param spend ad spend by its own channel (`custom:<slug>`); see {@link spendChannel} for how it finds its orders
 */
export function channelRows(
  credits: ReadonlyMap<string, ChannelCredit>,
  spend: ReadonlyMap<string, Fraction>,
): ChannelRow[] {
  const none: ChannelCredit = { orders: ZERO, revenue: ZERO, refunds: ZERO };
  const spent = spendByChannel(spend);
  const names = [...new Set([...credits.keys(), ...spent.keys(), unattributedChannel])].sort();
  const entries = names.map((channel) => ({ ...none, ...credits.get(channel), adSpend: spent.get(channel) ?? ZERO }));
  const columns = {
    orders: apportion(entries.map((entry) => entry.orders)),
    revenue: apportion(entries.map((entry) => entry.revenue)),
    refunds: apportion(entries.map((entry) => entry.refunds)),
    adSpend: apportion(entries.map((entry) => entry.adSpend)),
  };
  const rows = names.map((channel, at) => {
    const revenue = columns.revenue[at] ?? 0n;
    const refunds = columns.refunds[at] ?? 0n;
    const adSpend = columns.adSpend[at] ?? 0n;
    const row: ChannelRow = {
      channel,
      orders: Number(columns.orders[at] ?? 0n) / 1e6,
      revenue: formatMicros(revenue),
      refunds: formatMicros(refunds),
      net_revenue: formatMicros(revenue - refunds),
      ad_spend: formatMicros(adSpend),
      roas: formatOptional(ratio(entries[at]?.revenue ?? ZERO, entries[at]?.adSpend ?? ZERO)),
    };
    return { row, revenue, adSpend };
  });
  return rows
    .sort(
      (a, b) =>
        Number(a.row.channel === unattributedChannel) - Number(b.row.channel === unattributedChannel) ||
        Number(b.revenue > a.revenue) - Number(a.revenue > b.revenue) ||
        Number(b.adSpend > a.adSpend) - Number(a.adSpend > b.adSpend),
    )
    .map(({ row }) => row);
}

function spendByChannel(spend: ReadonlyMap<string, Fraction>): Map<string, Fraction> {
  const byChannel = new Map<string, Fraction>();
  for (const [name, amount] of spend) {
    const channel = spendChannel(name);
    byChannel.set(channel, plus(byChannel.get(channel) ?? ZERO, amount));
  }
  return byChannel;
}

/** A weighted sum of a rollup (`amount` × parts given ÷ parts of the order) added to what is known of its channel. */
export function addCredit(
  credit: ChannelCredit | undefined,
  part: { parts: number; orders: string; revenue: string; refunds: string },
): ChannelCredit {
  const share = (amount: string): Fraction => ratio(fraction(amount), whole(part.parts)) ?? ZERO;
  return {
    orders: plus(credit?.orders ?? ZERO, share(part.orders)),
    revenue: plus(credit?.revenue ?? ZERO, share(part.revenue)),
    refunds: plus(credit?.refunds ?? ZERO, share(part.refunds)),
  };
}

import type { ChannelRow } from '../../schemas/attribution.js';
import { compare } from '../compare.js';
import { apportion, formatMicros } from './apportion.js';
import { OTHER_CHANNEL } from '../events/campaign.js';
import { UNATTRIBUTED_CHANNEL } from './attribution.js';
import { formatOptional, fraction, plus, ratio, whole, ZERO, type Fraction } from '../money.js';
import { spendChannel } from '../costs/spend-channel.js';

/** Orders and their money in a period, exact and unrounded. */
interface Credit {
  orders: Fraction;
  revenue: Fraction;
  refunds: Fraction;
}

/** What a channel is credited with, and the part of it that rests on proved touches. */
export interface ChannelCredit extends Credit {
  proved: Credit;
}

/** Weighted sums of a rollup: amounts times the parts given, of orders in as many `parts`. */
export interface CreditPart {
  parts: number;
  orders: string;
  revenue: string;
  refunds: string;
  proved_orders: string;
  proved_revenue: string;
  proved_refunds: string;
}

const nothing: Credit = { orders: ZERO, revenue: ZERO, refunds: ZERO };
const none: ChannelCredit = { ...nothing, proved: nothing };

/**
 * The rows of a period, at most 1,002: channels by falling revenue, then spend, then name; `unattributed` last and always there. Every
 * column adds up exactly to the figure of the metrics object.
 *
 * @param credits by channel
 * @param spend ad spend by its own channel (`custom:<slug>`); see {@link spendChannel} for how it finds its orders
 */
export function channelRows(
  credits: ReadonlyMap<string, ChannelCredit>,
  spend: ReadonlyMap<string, Fraction>,
): ChannelRow[] {
  const entries = joinLeast(entriesOf(credits, spendByChannel(spend)));
  const columns = {
    orders: apportion(entries.map((entry) => entry.orders)),
    revenue: apportion(entries.map((entry) => entry.revenue)),
    refunds: apportion(entries.map((entry) => entry.refunds)),
    adSpend: apportion(entries.map((entry) => entry.adSpend)),
  };
  const rows = entries.map(({ channel, proved, ...exact }, at) => {
    const orders = columns.orders[at] ?? 0n;
    const revenue = columns.revenue[at] ?? 0n;
    const refunds = columns.refunds[at] ?? 0n;
    const adSpend = columns.adSpend[at] ?? 0n;
    const provedRevenue = partOf(revenue, proved.revenue, exact.revenue);
    const provedRefunds = partOf(refunds, proved.refunds, exact.refunds);
    const row: ChannelRow = {
      channel,
      orders: Number(orders) / 1e6,
      revenue: formatMicros(revenue),
      refunds: formatMicros(refunds),
      net_revenue: formatMicros(revenue - refunds),
      ad_spend: formatMicros(adSpend),
      roas: formatOptional(ratio(exact.revenue, exact.adSpend)),
      proved: {
        orders: Number(partOf(orders, proved.orders, exact.orders)) / 1e6,
        revenue: formatMicros(provedRevenue),
        net_revenue: formatMicros(provedRevenue - provedRefunds),
      },
    };
    return { row, revenue, adSpend };
  });
  return rows
    .sort(
      (a, b) =>
        Number(a.row.channel === UNATTRIBUTED_CHANNEL) - Number(b.row.channel === UNATTRIBUTED_CHANNEL) ||
        compare(b.revenue, a.revenue) ||
        compare(b.adSpend, a.adSpend),
    )
    .map(({ row }) => row);
}

interface Entry extends ChannelCredit {
  channel: string;
  adSpend: Fraction;
}

function entriesOf(credits: ReadonlyMap<string, ChannelCredit>, spent: ReadonlyMap<string, Fraction>): Entry[] {
  const names = [...new Set([...credits.keys(), ...spent.keys(), UNATTRIBUTED_CHANNEL])].sort();
  return names.map((channel) => ({ channel, ...none, ...credits.get(channel), adSpend: spent.get(channel) ?? ZERO }));
}

/** Channels of a report beside the two that stand for many; the least of more are told together as {@link OTHER_CHANNEL}. */
const MOST_CHANNELS = 1_000;

function joinLeast(entries: Entry[]): Entry[] {
  const named = entries.filter(({ channel }) => channel !== UNATTRIBUTED_CHANNEL && channel !== OTHER_CHANNEL);
  if (named.length <= MOST_CHANNELS) return entries;
  named.sort((a, b) => descending(a.revenue, b.revenue) || descending(a.adSpend, b.adSpend));
  const rest = named.splice(MOST_CHANNELS);
  const other = entries.find(({ channel }) => channel === OTHER_CHANNEL);
  const joined = [...rest, ...(other === undefined ? [] : [other])].reduce((all, entry) => ({
    channel: OTHER_CHANNEL,
    ...sumOf(all, entry),
    proved: sumOf(all.proved, entry.proved),
    adSpend: plus(all.adSpend, entry.adSpend),
  }));
  const unattributed = entries.filter(({ channel }) => channel === UNATTRIBUTED_CHANNEL);
  return [...named, joined, ...unattributed].sort((a, b) => compare(a.channel, b.channel));
}

function sumOf(a: Credit, b: Credit): Credit {
  return {
    orders: plus(a.orders, b.orders),
    revenue: plus(a.revenue, b.revenue),
    refunds: plus(a.refunds, b.refunds),
  };
}

function descending(a: Fraction, b: Fraction): number {
  return compare(b.num * a.den, a.num * b.den);
}

/**
 * An exact part of an amount in micro units: the whole of it where the part is all, else rounded half-up and never more, so
 * that no part looks larger than what it is of.
 */
function partOf(whole: bigint, part: Fraction, of: Fraction): bigint {
  if (part.num * of.den === of.num * part.den) return whole;
  const rounded = (2_000_000n * part.num + part.den) / (2n * part.den);
  return rounded > whole ? whole : rounded;
}

function spendByChannel(spend: ReadonlyMap<string, Fraction>): Map<string, Fraction> {
  const byChannel = new Map<string, Fraction>();
  for (const [name, amount] of spend) {
    const channel = spendChannel(name);
    byChannel.set(channel, plus(byChannel.get(channel) ?? ZERO, amount));
  }
  return byChannel;
}

/** Weighted sums added to what is known of their channel. */
export function addCredit(credit: ChannelCredit = none, { parts, ...part }: CreditPart): ChannelCredit {
  const add = (sum: Fraction, amount: string): Fraction => plus(sum, ratio(fraction(amount), whole(parts)) ?? ZERO);
  return {
    orders: add(credit.orders, part.orders),
    revenue: add(credit.revenue, part.revenue),
    refunds: add(credit.refunds, part.refunds),
    proved: {
      orders: add(credit.proved.orders, part.proved_orders),
      revenue: add(credit.proved.revenue, part.proved_revenue),
      refunds: add(credit.proved.refunds, part.proved_refunds),
    },
  };
}

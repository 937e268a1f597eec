import type { ChannelRow } from '../../schemas/attribution.js';
import { compare } from '../compare.js';
import type { FeeEstimate } from '../costs/gateway-fees.js';
import { spendChannel } from '../costs/spend-channel.js';
import { OTHER_CHANNEL } from '../events/campaign.js';
import { formatOptional, minus, plus, ratio, ZERO, type Fraction } from '../money.js';
import { apportion, formatMicros } from './apportion.js';
import { UNATTRIBUTED_CHANNEL } from './attribution.js';
import { creditsOf, NO_CREDIT, sumOf, type ChannelCredit, type CreditPart } from './channel-credit.js';

interface Entry extends ChannelCredit {
  channel: string;
  adSpend: Fraction;
}

/** An amount of a channel in micro units, and the exact one. */
interface Rounded {
  micros: bigint;
  exact: Fraction;
}

/**
 * The rows of a period, at most 1,002: channels by falling revenue, then spend, then name; `unattributed` last and always there. Every
 * column adds up exactly to the figure of the metrics object.
 *
 * @param spend ad spend by its own channel (`custom:<slug>`); see {@link spendChannel} for how it finds its orders
 */
export function channelRows(
  parts: readonly CreditPart[],
  spend: ReadonlyMap<string, Fraction>,
  estimateFees: FeeEstimate,
): ChannelRow[] {
  const entries = joinLeast(entriesOf(creditsOf(parts, estimateFees), spendByChannel(spend)));
  const column = (of: (entry: Entry) => Fraction): Rounded[] => {
    const exact = entries.map(of);
    return apportion(exact).map((micros, at) => ({ micros, exact: exact[at] ?? ZERO }));
  };
  const columns = {
    orders: column(({ orders }) => orders),
    revenue: column(({ revenue }) => revenue),
    refunds: column(({ refunds }) => refunds),
    cogs: column(({ cogs }) => cogs),
    gatewayFees: column(({ gatewayFees }) => gatewayFees),
    adSpend: column(({ adSpend }) => adSpend),
    profit: column(profitOf),
  };
  const rows = entries.map((entry, at) => {
    const own = (name: keyof typeof columns): Rounded => columns[name][at] ?? { micros: 0n, exact: ZERO };
    const [revenue, refunds, adSpend] = [own('revenue'), own('refunds'), own('adSpend')];
    const row: ChannelRow = {
      channel: entry.channel,
      orders: Number(own('orders').micros) / 1e6,
      revenue: formatMicros(revenue.micros),
      refunds: formatMicros(refunds.micros),
      net_revenue: formatMicros(revenue.micros - refunds.micros),
      cogs: formatMicros(own('cogs').micros),
      gateway_fees: formatMicros(own('gatewayFees').micros),
      ad_spend: formatMicros(adSpend.micros),
      profit: formatMicros(own('profit').micros),
      roas: formatOptional(ratio(entry.revenue, entry.adSpend)),
      ...evidenceOf(entry, own('orders'), revenue, refunds),
    };
    return { row, revenue: revenue.micros, adSpend: adSpend.micros };
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

function profitOf({ revenue, refunds, cogs, gatewayFees, adSpend }: Entry): Fraction {
  return minus(revenue, [refunds, cogs, gatewayFees, adSpend].reduce(plus));
}

/** The three parts of each amount, which add up to it. */
function evidenceOf(
  { by }: Entry,
  orders: Rounded,
  revenue: Rounded,
  refunds: Rounded,
): Pick<ChannelRow, 'proved' | 'claimed' | 'ambiguous'> {
  const [ofOrders, ofRevenue, ofRefunds] = [
    split(orders, by.proved.orders, by.claimed.orders),
    split(revenue, by.proved.revenue, by.claimed.revenue),
    split(refunds, by.proved.refunds, by.claimed.refunds),
  ];
  const part = (name: keyof Split): ChannelRow['proved'] => ({
    orders: Number(ofOrders[name]) / 1e6,
    revenue: formatMicros(ofRevenue[name]),
    net_revenue: formatMicros(ofRevenue[name] - ofRefunds[name]),
  });
  return { proved: part('proved'), claimed: part('claimed'), ambiguous: part('ambiguous') };
}

interface Split {
  proved: bigint;
  claimed: bigint;
  ambiguous: bigint;
}

function split(amount: Rounded, proved: Fraction, claimed: Fraction): Split {
  const first = partOf(amount, proved);
  const second = partOf(amount, plus(proved, claimed));
  return { proved: first, claimed: second - first, ambiguous: amount.micros - second };
}

/**
 * An exact part of an amount in micro units: the whole of it where the part is all, else rounded half-up and never more, so
 * that no part looks larger than what it is of.
 */
function partOf({ micros, exact }: Rounded, part: Fraction): bigint {
  if (part.num * exact.den === exact.num * part.den) return micros;
  const rounded = (2_000_000n * part.num + part.den) / (2n * part.den);
  return rounded > micros ? micros : rounded;
}

function entriesOf(credits: ReadonlyMap<string, ChannelCredit>, spent: ReadonlyMap<string, Fraction>): Entry[] {
  const names = [...new Set([...credits.keys(), ...spent.keys(), UNATTRIBUTED_CHANNEL])].sort();
  return names.map((channel) => ({
    channel,
    ...NO_CREDIT,
    ...credits.get(channel),
    adSpend: spent.get(channel) ?? ZERO,
  }));
}

/** Channels of a report without the two that combine several; the least of more are reported together as {@link OTHER_CHANNEL}. */
const MAX_CHANNELS = 1_000;

function joinLeast(entries: Entry[]): Entry[] {
  const named = entries.filter(({ channel }) => channel !== UNATTRIBUTED_CHANNEL && channel !== OTHER_CHANNEL);
  if (named.length <= MAX_CHANNELS) return entries;
  named.sort((a, b) => descending(a.revenue, b.revenue) || descending(a.adSpend, b.adSpend));
  const rest = named.splice(MAX_CHANNELS);
  const other = entries.find(({ channel }) => channel === OTHER_CHANNEL);
  const joined = [...rest, ...(other === undefined ? [] : [other])].reduce((all, entry) => ({
    channel: OTHER_CHANNEL,
    ...sumOf(all, entry),
    adSpend: plus(all.adSpend, entry.adSpend),
  }));
  const unattributed = entries.filter(({ channel }) => channel === UNATTRIBUTED_CHANNEL);
  return [...named, joined, ...unattributed].sort((a, b) => compare(a.channel, b.channel));
}

function descending(a: Fraction, b: Fraction): number {
  return compare(b.num * a.den, a.num * b.den);
}

function spendByChannel(spend: ReadonlyMap<string, Fraction>): Map<string, Fraction> {
  const byChannel = new Map<string, Fraction>();
  for (const [name, amount] of spend) {
    const channel = spendChannel(name);
    byChannel.set(channel, plus(byChannel.get(channel) ?? ZERO, amount));
  }
  return byChannel;
}

import type { ChannelRow } from '../../schemas/attribution.js';
import { compare } from '../compare.js';
import type { FeeEstimate } from '../costs/gateway-fees.js';
import { spendChannel } from '../costs/spend-channel.js';
import { OTHER_CHANNEL } from '../events/campaign.js';
import {
  compareFractions,
  formatExact,
  formatOptional,
  minus,
  plus,
  ratio,
  rounded,
  ZERO,
  type Big,
  type Fraction,
} from '../money.js';
import { apportion } from './apportion.js';
import { UNATTRIBUTED_CHANNEL } from './attribution.js';
import { creditsOf, NO_CREDIT, sumOf, type ChannelCredit, type CreditPart } from './channel-credit.js';

interface Entry extends ChannelCredit {
  channel: string;
  adSpend: Fraction;
}

/** An amount of a channel of at most six decimals, and the exact one. */
interface Rounded {
  amount: Big;
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
    return apportion(exact).map((amount, at) => ({ amount, exact: exact[at] ?? ZERO }));
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
    const own = (name: keyof typeof columns): Rounded => columns[name][at] ?? { amount: ZERO.num, exact: ZERO };
    const [revenue, refunds, adSpend] = [own('revenue'), own('refunds'), own('adSpend')];
    const row: ChannelRow = {
      channel: entry.channel,
      orders: toNumber(own('orders').amount),
      revenue: formatExact(revenue.amount),
      refunds: formatExact(refunds.amount),
      net_revenue: formatExact(revenue.amount.minus(refunds.amount)),
      cogs: formatExact(own('cogs').amount),
      gateway_fees: formatExact(own('gatewayFees').amount),
      ad_spend: formatExact(adSpend.amount),
      profit: formatExact(own('profit').amount),
      roas: formatOptional(ratio(entry.revenue, entry.adSpend)),
      ...evidenceOf(entry, own('orders'), revenue, refunds),
    };
    return { row, revenue: revenue.amount, adSpend: adSpend.amount };
  });
  return rows
    .sort(
      (a, b) =>
        Number(a.row.channel === UNATTRIBUTED_CHANNEL) - Number(b.row.channel === UNATTRIBUTED_CHANNEL) ||
        b.revenue.cmp(a.revenue) ||
        b.adSpend.cmp(a.adSpend),
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
    orders: toNumber(ofOrders[name]),
    revenue: formatExact(ofRevenue[name]),
    net_revenue: formatExact(ofRevenue[name].minus(ofRefunds[name])),
  });
  return { proved: part('proved'), claimed: part('claimed'), ambiguous: part('ambiguous') };
}

interface Split {
  proved: Big;
  claimed: Big;
  ambiguous: Big;
}

function split(all: Rounded, proved: Fraction, claimed: Fraction): Split {
  const first = partOf(all, proved);
  const second = partOf(all, plus(proved, claimed));
  return { proved: first, claimed: second.minus(first), ambiguous: all.amount.minus(second) };
}

/**
 * An exact part of an amount: the whole of it where the part is all, else rounded and never more, so that no part looks
 * larger than what it is of.
 */
function partOf({ amount, exact }: Rounded, part: Fraction): Big {
  if (compareFractions(part, exact) === 0) return amount;
  const own = rounded(part);
  return own.gt(amount) ? amount : own;
}

/** A count of orders, of which several channels may share one: a number on the wire. */
function toNumber(orders: Big): number {
  return Number(orders.toFixed());
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
  named.sort((a, b) => compareFractions(b.revenue, a.revenue) || compareFractions(b.adSpend, a.adSpend));
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

function spendByChannel(spend: ReadonlyMap<string, Fraction>): Map<string, Fraction> {
  const byChannel = new Map<string, Fraction>();
  for (const [name, amount] of spend) {
    const channel = spendChannel(name);
    byChannel.set(channel, plus(byChannel.get(channel) ?? ZERO, amount));
  }
  return byChannel;
}

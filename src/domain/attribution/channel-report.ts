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

/** What a row says, exact. */
export interface Entry extends ChannelCredit {
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
  const entries = channelEntries(parts, spend, estimateFees);
  const columns = columnsOf(entries);
  return inOrder(entries.map((entry, at) => rowOf(entry, columns[at])));
}

/** What the rows of a period are made of, by name. */
export function channelEntries(
  parts: readonly CreditPart[],
  spend: ReadonlyMap<string, Fraction>,
  estimateFees: FeeEstimate,
): Entry[] {
  return joinLeast(entriesOf(creditsOf(parts, estimateFees), spendByChannel(spend)));
}

const COLUMNS = {
  orders: ({ orders }: Entry) => orders,
  revenue: ({ revenue }: Entry) => revenue,
  refunds: ({ refunds }: Entry) => refunds,
  cogs: ({ cogs }: Entry) => cogs,
  gatewayFees: ({ gatewayFees }: Entry) => gatewayFees,
  adSpend: ({ adSpend }: Entry) => adSpend,
  profit: profitOf,
};
type ColumnName = keyof typeof COLUMNS;
/** The amounts of an entry. */
export type Columns = Readonly<Record<ColumnName, Rounded>>;

/** The amounts of entries, of which each column adds up to that of `whole`; absent: to their sum. */
export function columnsOf(entries: readonly Entry[], whole?: Columns): Columns[] {
  const column = (name: ColumnName): Rounded[] => {
    const exact = entries.map(COLUMNS[name]);
    return apportion(exact, whole?.[name].amount).map((amount, at) => ({ amount, exact: exact[at] ?? ZERO }));
  };
  const columns = {
    orders: column('orders'),
    revenue: column('revenue'),
    refunds: column('refunds'),
    cogs: column('cogs'),
    gatewayFees: column('gatewayFees'),
    adSpend: column('adSpend'),
    profit: column('profit'),
  };
  return entries.map((_, at) => {
    const own = (name: ColumnName): Rounded => columns[name][at] ?? NOTHING;
    return {
      orders: own('orders'),
      revenue: own('revenue'),
      refunds: own('refunds'),
      cogs: own('cogs'),
      gatewayFees: own('gatewayFees'),
      adSpend: own('adSpend'),
      profit: own('profit'),
    };
  });
}

const NOTHING: Rounded = { amount: ZERO.num, exact: ZERO };
const NO_COLUMNS: Columns = {
  orders: NOTHING,
  revenue: NOTHING,
  refunds: NOTHING,
  cogs: NOTHING,
  gatewayFees: NOTHING,
  adSpend: NOTHING,
  profit: NOTHING,
};

/** A row, and what it is put in its place by. */
export interface PlacedRow<Row> {
  row: Row;
  revenue: Big;
  adSpend: Big;
}

export function rowOf(entry: Entry, columns: Columns = NO_COLUMNS): PlacedRow<ChannelRow> {
  const { orders, revenue, refunds, adSpend } = columns;
  const row = {
    channel: entry.channel,
    orders: toNumber(orders.amount),
    revenue: formatExact(revenue.amount),
    refunds: formatExact(refunds.amount),
    net_revenue: formatExact(revenue.amount.minus(refunds.amount)),
    cogs: formatExact(columns.cogs.amount),
    gateway_fees: formatExact(columns.gatewayFees.amount),
    ad_spend: formatExact(adSpend.amount),
    profit: formatExact(columns.profit.amount),
    roas: formatOptional(ratio(entry.revenue, entry.adSpend)),
    ...evidenceOf(entry, orders, revenue, refunds),
  };
  return { row, revenue: revenue.amount, adSpend: adSpend.amount };
}

/** By falling revenue, then spend; `unattributed` last. */
export function inOrder<Row extends { channel: string }>(rows: readonly PlacedRow<Row>[]): Row[] {
  return rows
    .toSorted(
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

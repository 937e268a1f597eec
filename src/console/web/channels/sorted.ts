import type { ChannelRow } from '../../../schemas/attribution.js';
import { addMoney, micros } from '../shared/money.js';

const SORTS = ['revenue', 'orders', 'ad_spend', 'profit'] as const;

/** Channels by one of their figures, the largest first, or with `isUp` the smallest. */
export function sorted(channels: readonly ChannelRow[], sort: string | null, isUp: boolean): ChannelRow[] {
  const key = SORTS.find((known) => known === sort) ?? 'revenue';
  const by = new Map(channels.map((row) => [row.channel, micros(String(row[key]))]));
  const of = ({ channel }: ChannelRow): bigint => by.get(channel) ?? 0n;
  const sign = isUp ? -1 : 1;
  return [...channels].sort((a, b) => (of(a) === of(b) ? 0 : of(a) < of(b) ? sign : -sign));
}

/** All channels as one: each of its figures is their sum. */
export function allOf(channels: readonly ChannelRow[]) {
  const sum = (amountOf: (row: ChannelRow) => string): string => addMoney(...channels.map(amountOf));
  return {
    orders: sum(({ orders }) => String(orders)),
    proved: sum(({ proved }) => proved.revenue),
    claimed: sum(({ claimed }) => claimed.revenue),
    unclear: sum(({ ambiguous }) => ambiguous.revenue),
    revenue: sum(({ revenue }) => revenue),
    ad_spend: sum(({ ad_spend }) => ad_spend),
    profit: sum(({ profit }) => profit),
  };
}

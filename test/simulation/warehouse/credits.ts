import { ATTRIBUTION_MODELS } from '../../../src/schemas/attribution.js';
import { keyOf } from './replacing-table.js';
import type { Row } from './row-reader.js';
import type { Tables } from './tables.js';

/** What a channel gets of a day, times its touches of each order; amounts in millionths. */
export interface ChannelSums {
  orders: bigint;
  revenue: bigint;
  refunds: bigint;
  provedOrders: bigint;
  provedRevenue: bigint;
  provedRefunds: bigint;
}

/** By model, channel and the number of touches that an order is divided by. */
export type Credits = Map<string, ChannelSums>;

interface Part {
  model: string;
  channel: string;
  parts: number;
  touches: number;
  proved: number;
}

/** The clause `days` of `daily_channels_rebuild`. */
export const daysOfChannels = ({ orderDays, ofDay }: Tables, shopId: string, day: number): Row[] =>
  Array.from(ofDay.get(keyOf(shopId, day)) ?? [], (key) => orderDays.final(key)).filter((row) => row !== undefined);

/** The rest of it: the credit of each of these orders, as it stands now. */
export function channelsOfDay({ orderAttribution }: Tables, days: readonly Row[]): Credits {
  const sums: Credits = new Map();
  for (const day of days) {
    const credit = orderAttribution.final(keyOf(day.shop_id, day.placed_day, day.order_id));
    for (const part of credit === undefined ? UNATTRIBUTED : partsOf(credit)) addPart(sums, day, part);
  }
  for (const [key, { orders, revenue, refunds }] of sums) {
    if (orders === 0n && revenue === 0n && refunds === 0n) sums.delete(key);
  }
  return sums;
}

const UNATTRIBUTED = ATTRIBUTION_MODELS.map((model): Part => {
  return { model, channel: 'unattributed', parts: 1, touches: 1, proved: 0 };
});

function partsOf(credit: Row): Part[] {
  const whole = { parts: 1, touches: 1 };
  const [touches, proved] = [credit['linear.touches'] as number[], credit['linear.proved'] as number[]];
  return [
    { ...whole, model: 'last_touch', channel: String(credit.last_touch), proved: Number(credit.last_proved) },
    { ...whole, model: 'first_touch', channel: String(credit.first_touch), proved: Number(credit.first_proved) },
    ...(credit['linear.channel'] as string[]).map((channel, i) => ({
      model: 'linear',
      channel,
      parts: Number(credit.touches),
      touches: touches[i] ?? 0,
      proved: proved[i] ?? 0,
    })),
  ];
}

function addPart(sums: Credits, day: Row, { model, channel, parts, touches, proved }: Part): void {
  const key = keyOf(model, channel, parts);
  const known = sums.get(key);
  const [orders, revenue, refunds] = [BigInt(day.orders as number), day.revenue as bigint, day.refunds as bigint];
  const [times, timesProved] = [BigInt(touches), BigInt(proved)];
  sums.set(key, {
    orders: (known?.orders ?? 0n) + orders * times,
    revenue: (known?.revenue ?? 0n) + revenue * times,
    refunds: (known?.refunds ?? 0n) + refunds * times,
    provedOrders: (known?.provedOrders ?? 0n) + orders * timesProved,
    provedRevenue: (known?.provedRevenue ?? 0n) + revenue * timesProved,
    provedRefunds: (known?.provedRefunds ?? 0n) + refunds * timesProved,
  });
}

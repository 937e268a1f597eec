import { ATTRIBUTION_MODELS } from '../../../src/schemas/attribution.js';
import type { CostedDay } from './rebuild.js';
import { keyOf } from './replacing-table.js';
import type { Row } from './row-reader.js';
import type { Tables } from './tables.js';

/** What a channel gets of a day, times its touches of each order; amounts in millionths, costs in the square of them. */
export interface ChannelSums {
  orders: bigint;
  revenue: bigint;
  refunds: bigint;
  gatewayFees: bigint;
  cogs: bigint;
}

/** By model, channel, evidence and the number of touches that an order is divided by. No order of the simulation has a gateway. */
export type Credits = Map<string, ChannelSums>;

interface Part {
  model: string;
  channel: string;
  parts: number;
  touches: number;
  evidence: string;
}

/** The clause `days` of `daily_channels_rebuild`. */
export const daysOfChannels = ({ orderDays, ofDay }: Tables, shopId: string, day: number): Row[] =>
  Array.from(ofDay.get(keyOf(shopId, day)) ?? [], (key) => orderDays.final(key)).filter((row) => row !== undefined);

/** The rest of it: the credit of each of these orders, as it is now. */
export function channelsOfDay(tables: Tables, days: readonly Row[], catalog: CostedDay['catalog']): Credits {
  const sums: Credits = new Map();
  for (const day of days) {
    const credit = tables.orderAttribution.final(keyOf(day.shop_id, day.placed_day, day.order_id));
    const own = amountsOf(day, catalog);
    for (const part of credit === undefined ? UNATTRIBUTED : partsOf(credit)) addPart(sums, own, part);
  }
  for (const [key, own] of sums) if (Object.values(own).every((amount) => amount === 0n)) sums.delete(key);
  return sums;
}

function amountsOf(day: Row, catalog: CostedDay['catalog']): ChannelSums {
  const [quantities, costs] = [day['lines.quantity'] as bigint[], day['lines.unit_cost'] as (bigint | null)[]];
  const restocks = day['lines.restock'] as number[];
  const cogs = (day['lines.sku'] as string[]).reduce((sum, sku, i) => {
    const cost = costs[i] ?? catalog.get(keyOf(sku, Number(day.placed_day))) ?? 0n;
    return sum + (restocks[i] === 1 ? -1n : 1n) * (quantities[i] ?? 0n) * cost;
  }, 0n);
  return {
    orders: BigInt(day.orders as number),
    revenue: day.revenue as bigint,
    refunds: day.refunds as bigint,
    gatewayFees: day.gateway_fees as bigint,
    cogs,
  };
}

const UNATTRIBUTED = ATTRIBUTION_MODELS.map((model): Part => {
  return { model, channel: 'unattributed', parts: 1, touches: 1, evidence: 'ambiguous' };
});

function partsOf(credit: Row): Part[] {
  const whole = { parts: 1, touches: 1 };
  const [touches, evidence] = [credit['linear.touches'] as number[], credit['linear.evidence'] as string[]];
  return [
    { ...whole, model: 'last_touch', channel: String(credit.last_touch), evidence: String(credit.last_evidence) },
    { ...whole, model: 'first_touch', channel: String(credit.first_touch), evidence: String(credit.first_evidence) },
    ...(credit['linear.channel'] as string[]).map((channel, i) => ({
      model: 'linear',
      channel,
      parts: Number(credit.touches),
      touches: touches[i] ?? 0,
      evidence: evidence[i] ?? '',
    })),
  ];
}

function addPart(sums: Credits, own: ChannelSums, { model, channel, evidence, parts, touches }: Part): void {
  const key = keyOf(model, channel, evidence, parts);
  const known = sums.get(key);
  const times = BigInt(touches);
  sums.set(key, {
    orders: (known?.orders ?? 0n) + own.orders * times,
    revenue: (known?.revenue ?? 0n) + own.revenue * times,
    refunds: (known?.refunds ?? 0n) + own.refunds * times,
    gatewayFees: (known?.gatewayFees ?? 0n) + own.gatewayFees * times,
    cogs: (known?.cogs ?? 0n) + own.cogs * times,
  });
}

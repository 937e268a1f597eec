import { toMicros } from '../../../src/domain/micros.js';
import { toScaled } from './facts.js';
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

/** A row of `daily_orders` as checks read it: amounts in millionths, COGS in the square of them. */
export function readFigures({ sumsRead }: Tables, { sums: named, ...row }: Row): Row {
  const sums = named as Partial<Record<string, string>>;
  const micros = (name: string): bigint => toMicros(sums[name] ?? '0');
  const count = (name: string): number => Number(sums[name] ?? 0);
  return {
    ...row,
    sums,
    orders: count('orders'),
    revenue: micros('revenue'),
    refunds: micros('refunds'),
    gatewayFees: micros('gateway_fees'),
    cogs: toScaled(sums.cogs ?? '0'),
    uncosted: count('orders') - count('orders_costed'),
    credits: readCredits(row),
    seen: sumsRead.get(keyOf(row.shop_id, row.day)) ?? new Map<string, bigint>(),
  };
}

/** Its credits by channel. */
function readCredits(row: Row): Credits {
  const column = <Item>(name: string): Item[] => (row[`credits.${name}`] ?? []) as Item[];
  const credits: Credits = new Map();
  column<string>('model').forEach((model, i) => {
    if (model === 'losses') return;
    const at = (name: string): string => column<string>(name)[i] ?? '0';
    credits.set(keyOf(model, at('channel'), at('evidence'), column<number>('parts')[i]), {
      orders: BigInt(at('orders')),
      revenue: toMicros(at('revenue')),
      refunds: toMicros(at('refunds')),
      gatewayFees: toMicros(at('gateway_fees')),
      cogs: toScaled(at('cogs')),
    });
  });
  return credits;
}

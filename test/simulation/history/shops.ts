import type { Random } from '../world/random.js';

/** A zone without clock changes, whose days the generator knows by itself. */
export interface Shop {
  id: string;
  timezone: string;
  offsetMinutes: number;
}

const ZONES = [
  { timezone: 'UTC', offsetMinutes: 0 },
  { timezone: 'Pacific/Kiritimati', offsetMinutes: 840 },
  { timezone: 'America/Phoenix', offsetMinutes: -420 },
  { timezone: 'Asia/Kathmandu', offsetMinutes: 345 },
] as const;

export const shopOf = (random: Random, index: number): Shop => ({ id: `shop-${index}`, ...random.pick(ZONES) });

/** From what items are made. */
export interface ItemOptions {
  random: Random;
  shop: Shop;
  /** Days that items may fall on, before the day of the history. */
  days: number;
  orders: number;
  newTag: () => number;
}

import type { Redis } from 'ioredis';

/** Counts the bytes of a shop's rejected items in one hour; gives the count before. */
export type SpendRejectionBudget = (shopId: string, hour: number, bytes: number) => Promise<number>;

const HOUR_SECONDS = 3_600;

export function createRejectionBudget(redis: Redis): SpendRejectionBudget {
  return async (shopId, hour, bytes) => {
    const key = `rejections:${hour}:${shopId}`;
    const [first] = (await redis
      .multi()
      .incrby(key, bytes)
      .expire(key, 2 * HOUR_SECONDS)
      .exec()) ?? [[null, 0]];
    return Number(first?.[1]) - bytes;
  };
}

import type { Redis } from 'ioredis';

const KEY = 'alerts:looked';
/** Longer than any wait between two looks. */
const KEPT_SECONDS = 24 * 60 * 60;

/** When the alerts of each shop were last looked at. Forgetting it costs one look more. */
export interface AlertTurns {
  /** Milliseconds, in the order of the shops; 0: not known. */
  lastLooks(shopIds: readonly string[]): Promise<number[]>;
  looked(shopId: string, nowMs: number): Promise<void>;
}

export function createAlertTurns(redis: Redis): AlertTurns {
  return {
    lastLooks: async (shopIds) =>
      shopIds.length === 0 ? [] : (await redis.hmget(KEY, ...shopIds)).map((at) => Number(at ?? 0)),
    async looked(shopId, nowMs) {
      await redis.multi().hset(KEY, shopId, nowMs).expire(KEY, KEPT_SECONDS).exec();
    },
  };
}

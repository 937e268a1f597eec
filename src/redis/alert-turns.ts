import type { Redis } from 'ioredis';

/** Longer than any wait between two turns. */
const KEPT_SECONDS = 24 * 60 * 60;

/** When each shop last had its turn. Forgetting it costs one turn more. */
export interface AlertTurns {
  /** Milliseconds, in the order of the shops; 0: not known. */
  last(shopIds: readonly string[]): Promise<number[]>;
  note(shopId: string, nowMs: number): Promise<void>;
}

/** @param of `looked`: at the figures of the shop; `sent`: its messages */
export function createAlertTurns(redis: Redis, of: 'looked' | 'sent'): AlertTurns {
  const key = `alerts:${of}`;
  return {
    last: async (shopIds) =>
      shopIds.length === 0 ? [] : (await redis.hmget(key, ...shopIds)).map((at) => Number(at ?? 0)),
    async note(shopId, nowMs) {
      await redis.multi().hset(key, shopId, nowMs).expire(key, KEPT_SECONDS).exec();
    },
  };
}

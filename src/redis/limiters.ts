import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';

/**
 * A limit of tries that a success takes back, across all processes; while Redis is away each process counts for itself. Each try is a
 * write to Redis, whose clock the limit has: one that is kept in the process would last for longer where that clock is put back. Limits of
 * requests are leased instead, see `limit-leases.ts`.
 */
export function createLimiter(redis: Redis, name: string, points: number, seconds: number): RateLimiterRedis {
  const duration = { points, duration: seconds };
  return new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `limit:${name}`,
    ...duration,
    rejectIfRedisNotReady: true,
    insuranceLimiter: new RateLimiterMemory(duration),
  });
}

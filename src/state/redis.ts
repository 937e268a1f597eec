import { Redis } from 'ioredis';

/** A connection for state: commands fail fast while Redis is away, so that a request is answered and not parked. */
export function connectState(url: string): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: true,
    commandTimeout: 5_000,
    enableAutoPipelining: true,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 6), 2_000),
  });
  redis.on('error', () => undefined); // each failed command reports itself
  return redis;
}

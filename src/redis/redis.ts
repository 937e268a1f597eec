import { Redis } from 'ioredis';
import { boundWaits } from './bounds.js';

/** A connection for state: commands fail fast while Redis is away, so that a request is answered and not parked. */
export function connectState(url: string): Redis {
  const redis = new Redis(url, {
    // What a lost connection leaves open is the caller's to repeat.
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectTimeout: 2_000,
    enableAutoPipelining: true,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 6), 2_000),
  });
  redis.on('error', () => undefined); // each failed command reports itself
  return boundWaits(redis);
}

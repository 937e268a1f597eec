import { Redis } from 'ioredis';
import { sentinelOptions, type RedisServer } from './redis.js';

/**
 * Asks a Redis on a connection of its own, which is closed afterwards.
 * Throws if no one listens, if the password is refused, and after `ms`.
 */
export async function askRedis<T>(server: RedisServer, question: (redis: Redis) => Promise<T>, ms: number): Promise<T> {
  const redis = new Redis(server.url, {
    ...sentinelOptions(server),
    lazyConnect: true,
    // A Redis that still loads its file answers too, with an error that says so.
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
  });
  let cause: Error | undefined;
  redis.on('error', (error) => (cause = error));
  const timer = setTimeout(() => {
    cause = new Error(`no answer from Redis within ${ms} ms`);
    redis.disconnect();
  }, ms);
  try {
    await redis.connect();
    return await question(redis);
  } catch (error) {
    throw cause ?? error;
  } finally {
    clearTimeout(timer);
    redis.disconnect();
  }
}

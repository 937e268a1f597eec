import { Redis } from 'ioredis';

/**
 * Asks a Redis on a connection of its own, which does not stay open.
 * Throws when nobody listens, when the password is refused, and after `ms`.
 */
export async function askRedis<T>(url: string, question: (redis: Redis) => Promise<T>, ms: number): Promise<T> {
  const redis = new Redis(url, {
    lazyConnect: true,
    // One that still reads its file back answers too, and says so.
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
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

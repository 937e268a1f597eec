import { Redis } from 'ioredis';

/** A connection for BullMQ: it never gives up on a command by itself, and waits while Redis restarts. */
export function queueConnection(url: string, options: { failFast: boolean }): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    enableReadyCheck: true,
    // A producer must tell its caller at once that the queue is away; a worker waits for it.
    enableOfflineQueue: !options.failFast,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 6), 2_000),
  });
  redis.on('error', () => undefined); // the queue or worker on top reports it
  return redis;
}

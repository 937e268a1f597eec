import { Redis } from 'ioredis';

/** A producer must tell its caller at once that the queue is away; a worker waits for it. */
const FAIL_FAST = {
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  enableOfflineQueue: false,
  connectTimeout: 2_000,
} as const;
const WAITING = { maxRetriesPerRequest: null } as const;

/** A connection for BullMQ. Where it doesn't fail fast, it never gives up on a command, and waits while Redis restarts. */
export function queueConnection(url: string, { failFast }: { failFast: boolean }): Redis {
  const redis = new Redis(url, {
    ...(failFast ? FAIL_FAST : WAITING),
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 6), 2_000),
  });
  redis.on('error', () => undefined); // the queue or worker on top reports it
  return redis;
}

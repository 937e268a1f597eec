import type { Redis } from 'ioredis';
import { unavailable } from '../errors.js';

export interface Capacity {
  /** Throws `queue_unavailable` while the queue holds more than its budget. */
  require(): void;
  /** False while writes are refused. */
  ok(): boolean;
  stop(): void;
}

const INTERVAL_MS = 1_000;

/**
 * Backpressure: while workers are behind, accepted pushes pile up in Redis. Over the budget writes are refused with
 * `Retry-After`, long before Redis runs out of memory.
 */
export function watchCapacity(redis: Redis, maxBytes: number): Capacity {
  let full = false;
  const check = async (): Promise<void> => {
    const info = await redis.info('memory');
    const used = Number(/^used_memory:(\d+)/m.exec(info)?.[1] ?? 0);
    // Writes are taken again only well below the budget, so that the state does not flip with every job.
    full = used > (full ? maxBytes * 0.9 : maxBytes);
  };
  const timer = setInterval(() => void check().catch(() => undefined), INTERVAL_MS);
  timer.unref();
  return {
    require() {
      if (full)
        throw unavailable('queue_unavailable', 'The queue is full; nothing was taken. Send the request again later.');
    },
    ok: () => !full,
    stop: () => clearInterval(timer),
  };
}

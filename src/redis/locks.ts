import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { unavailable } from '../errors.js';
import { script } from './script.js';

/**
 * Runs the work while no other process runs any under the same name. Throws `store_unavailable` when others have held the
 * lock all the time that a request may wait.
 */
export type WithLock = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** The lock of a process that died expires after this. */
const HELD_MS = 15_000;
const WAIT_MS = 5_000;
const RETRY_MS = 15;

const BUSY = 'Other changes are under way; try again shortly.';

const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;

export const lockKey = (name: string): string => `lock:${name}`;

export function createLocks(redis: Redis): WithLock {
  const release = script(redis, RELEASE);
  return async (name, work) => {
    const key = lockKey(name);
    const token = randomUUID();
    const until = Date.now() + WAIT_MS;
    while ((await redis.set(key, token, 'PX', HELD_MS, 'NX')) === null) {
      if (Date.now() > until) throw unavailable('store_unavailable', BUSY, new Error(`${name} stayed locked`));
      await sleep(RETRY_MS * (1 + Math.random()));
    }
    try {
      return await work();
    } finally {
      await release([key], [token]).catch(() => undefined); // else it comes free by itself
    }
  };
}

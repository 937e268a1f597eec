import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { unavailable } from '../errors.js';
import { scriptFile } from './script.js';

/**
 * Runs the work while no other process runs work under the same name. Throws `store_unavailable` when others have held the lock for
 * as long as a request may wait.
 */
export type WithLock = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** The lock of a process that died expires after this. */
export const HELD_MS = 15_000;
const WAIT_MS = 5_000;
const RETRY_MS = 15;

const BUSY = 'Other changes are under way; try again shortly.';

export const lockKey = (name: string): string => `lock:${name}`;

interface LockTimes {
  heldMs: number;
  waitMs: number;
  retryMs: () => number;
}

/** Takes a lock and gives the token that proves it; null when others held it for the whole wait. */
export async function takeLock(redis: Redis, name: string, times: LockTimes): Promise<string | null> {
  const token = randomUUID();
  const until = performance.now() + times.waitMs; // not by a clock that may be put back
  while ((await redis.set(lockKey(name), token, 'PX', times.heldMs, 'NX')) === null) {
    if (performance.now() > until) return null;
    await sleep(times.retryMs());
  }
  return token;
}

/** Gives a lock back, unless another process has it by now. Where Redis is away it expires. */
export function createRelease(redis: Redis): (name: string, token: string) => Promise<void> {
  const release = scriptFile(redis, 'release-lock');
  return async (name, token) => {
    await release([lockKey(name)], { token }).catch(() => undefined);
  };
}

export function createLocks(redis: Redis): WithLock {
  const release = createRelease(redis);
  const times = { heldMs: HELD_MS, waitMs: WAIT_MS, retryMs: () => RETRY_MS * (1 + Math.random()) };
  return async (name, work) => {
    const token = await takeLock(redis, name, times);
    if (token === null) throw unavailable('store_unavailable', BUSY, new Error(`${name} stayed locked`));
    try {
      return await work();
    } finally {
      await release(name, token);
    }
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { withLastingLock } from './lasting-lock.js';
import { lockKey } from './locks.js';

const NAME = 'flushes';
/** Workers go on this soon after the holder died. */
const HELD_MS = 5_000;
const RETRY_MS = 20;

/**
 * While a hold is on, no worker begins to write jobs, so that what is stored and what is queued can be looked at together:
 * a job that is there after the hold began and not in the queue is stored as a whole, and one that came later not at all.
 */
export interface FlushHold {
  /** Resolves when no hold is on. Whoever calls this before a write knows the jobs of that write already. */
  over(): Promise<void>;
}

export function createFlushHold(redis: Redis): FlushHold {
  return {
    async over() {
      while ((await redis.exists(lockKey(NAME))) === 1) await sleep(RETRY_MS);
    },
  };
}

/** Runs the work under a hold. It calls `requireHold` at its end, which throws a LockError if the hold was lost meanwhile. */
export function whileHeld<T>(redis: Redis, work: (requireHold: () => Promise<void>) => Promise<T>): Promise<T> {
  return withLastingLock(redis, { name: NAME, waitMs: HELD_MS, heldMs: HELD_MS }, work);
}

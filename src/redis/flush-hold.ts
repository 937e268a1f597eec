import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { withLastingLock } from './lasting-lock.js';
import { lockKey } from './locks.js';

const NAME = 'flushes';
/** Workers continue this long after the holder has died. */
const HELD_MS = 5_000;
const RETRY_MS = 20;

/**
 * While a hold is on, no worker begins to write jobs, so that tables and queues can be read together: a job from before the hold that is
 * no longer in the queue is stored completely, and a later job is not stored at all.
 */
export interface FlushHold {
  /** Resolves when no hold is on. Called before each write, after its jobs were taken. */
  over(): Promise<void>;
}

export function createFlushHold(redis: Redis): FlushHold {
  return {
    async over() {
      while ((await redis.exists(lockKey(NAME))) === 1) await sleep(RETRY_MS);
    },
  };
}

/** Runs the work under a hold. The work calls `requireHold` at its end, which throws a LockError if the hold was lost. */
export function whileHeld<T>(redis: Redis, work: (requireHold: () => Promise<void>) => Promise<T>): Promise<T> {
  return withLastingLock(redis, { name: NAME, waitMs: HELD_MS, heldMs: HELD_MS }, work);
}

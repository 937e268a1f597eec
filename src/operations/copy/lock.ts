import type { LastingLockOptions } from '../../redis/lasting-lock.js';

/** The lock of a process that was killed expires after this. */
const HELD_MS = 5_000;

/** One backup or restore of a database at a time. The wait is long enough for the lock of a killed one to expire. */
export const backupLock = (database: string): LastingLockOptions => ({
  name: `backup:${database}`,
  waitMs: 2 * HELD_MS,
  heldMs: HELD_MS,
});

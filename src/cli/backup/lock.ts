import type { LastingLockOptions } from '../../redis/lasting-lock.js';

/** One that was killed is over after this. */
const HELD_MS = 5_000;

/** Of two backups or restores of a database the second waits for the end of one that was killed, and else gives up. */
export const backupLock = (database: string): LastingLockOptions => ({
  name: `backup:${database}`,
  waitMs: 2 * HELD_MS,
  heldMs: HELD_MS,
});

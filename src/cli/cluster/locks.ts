import type { Config } from '../../config.js';
import { withLastingLock } from '../../redis/lasting-lock.js';
import type { Stores } from '../../composition/stores.js';
import { backupLock } from '../backup/lock.js';
import { migrateLock } from '../commands/migrate.js';

export interface LockOptions extends Pick<Stores, 'redis'> {
  config: Config;
  signal: AbortSignal;
}

/** The locks of a process that was killed expire after this. */
const HELD_MS = 5_000;

/** Runs the work while no other process moves, backs up or migrates the warehouse. The work calls `requireLock` before each step. */
export const withMoveLocks = <T>(
  { config, redis, signal }: LockOptions,
  work: (requireLock: () => Promise<void>) => Promise<T>,
): Promise<T> =>
  withLastingLock(redis, backupLock(config.clickhouseDatabase), (requireFirst) =>
    withLastingLock(redis, { ...migrateLock(config), heldMs: HELD_MS }, (requireSecond) =>
      work(async () => {
        signal.throwIfAborted();
        await requireFirst();
        await requireSecond();
      }),
    ),
  );

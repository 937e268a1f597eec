import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { unavailable } from '../errors.js';
import { LockError, withLastingLock } from './lasting-lock.js';
import { lockKey } from './locks.js';
import { scriptFile } from './script.js';

/**
 * While writes are held, no process writes to the warehouse, so that tables and queues can be read together. A statement that was under
 * way when the hold began counts as failed: its caller does not acknowledge it, and repeats it later. After `profit move` only processes
 * of the warehouse that has the rows then may write.
 */
export interface WriteFence {
  /** Resolves when writes are allowed, and gives a token for {@link confirm}. Throws `store_unavailable` after the wait of the caller. */
  enter(): Promise<string>;
  /** Throws `store_unavailable` unless no hold has begun since `enter` gave the token. */
  confirm(token: string): Promise<void>;
  /** Runs the work of the process that holds writes: it may write. */
  pass(work: () => Promise<void>): Promise<void>;
}

const HOLD = 'flushes';
/** Counts the holds. */
const GENERATION = 'warehouse:holds';
/** Id of the warehouse that has the rows, after they were moved. */
const HOME = 'warehouse:home';
/** The id that a process of that warehouse has found there. */
const CLAIMED = 'warehouse:claimed';
/** Writes go on this long after the holder has died. */
const HELD_MS = 5_000;
const RETRY_MS = 50;
/** The token of the process that holds writes. */
const HOLDER = 'holder';

export interface WriteFenceOptions {
  /** Longest wait of a write. */
  waitMs: number;
  /** Id of the warehouse of this process; throws if that does not answer. */
  ownId: () => Promise<string>;
}

export function createWriteFence(redis: Redis, { waitMs, ownId }: WriteFenceOptions): WriteFence {
  const claim = scriptFile(redis, 'claim-warehouse');
  let claimed: string | undefined;
  let passing = 0;
  const read = async (): Promise<{ isHeld: boolean; holds: string; home: string | null }> => {
    const [lock, holds, home] = await redis.mget(lockKey(HOLD), GENERATION, HOME);
    return { isHeld: lock != null, holds: holds ?? '0', home: home ?? null };
  };
  /** Rows may not be given back to the warehouse before after this one has written any. */
  const isHome = async (home: string | null): Promise<boolean> => {
    if (home === null || home === claimed) return true;
    if (home !== (await ownId())) return false;
    if ((await claim([HOME, CLAIMED], { id: home })) !== 1) return false;
    claimed = home;
    return true;
  };
  return {
    async enter() {
      if (passing > 0) return HOLDER;
      const until = performance.now() + waitMs;
      for (;;) {
        const { isHeld, holds, home } = await read();
        if (!isHeld && (await isHome(home))) return `${holds} ${home ?? ''}`;
        if (performance.now() > until)
          throw unavailable('store_unavailable', 'The rows are being copied or were moved; try again shortly.');
        await sleep(RETRY_MS);
      }
    },
    async confirm(token) {
      if (token === HOLDER) return;
      const { isHeld, holds, home } = await read();
      if (!isHeld && `${holds} ${home ?? ''}` === token) return;
      throw unavailable('store_unavailable', 'The rows were being copied meanwhile; try again shortly.');
    },
    async pass(work) {
      passing++;
      await work().finally(() => passing--);
    },
  };
}

/** What the process that holds writes can do. */
export interface Hold {
  /** Called at the end of the work; throws a {@link LockError} if the hold was lost. */
  require(): Promise<void>;
  /** Lets processes of this warehouse alone write. Throws a {@link LockError} if the hold was lost: others may have written. */
  setHome(id: string): Promise<void>;
}

/** Runs the work while writes are held. */
export function whileHeld<T>(redis: Redis, work: (hold: Hold) => Promise<T>): Promise<T> {
  const options = { name: HOLD, waitMs: HELD_MS, heldMs: HELD_MS };
  const runSetHome = scriptFile(redis, 'set-home');
  return withLastingLock(redis, options, async (requireHold, token) => {
    await redis.incr(GENERATION);
    return work({
      require: requireHold,
      async setHome(id) {
        if ((await runSetHome([lockKey(HOLD), HOME, CLAIMED], { token, id })) === 1) return;
        throw new LockError('writes went on meanwhile; start again');
      },
    });
  });
}

/** Id of the warehouse that the rows were moved to last; null: they never were. */
export const readHome = (redis: Redis): Promise<string | null> => redis.get(HOME);

/** Whether the rows were moved to this warehouse and a process of it may have written there. */
export async function isClaimed(redis: Redis, id: string): Promise<boolean> {
  const [home, claimed] = await redis.mget(HOME, CLAIMED);
  return home === id && claimed === id;
}

/** Lets processes of the earlier warehouse write again; false if one of the new warehouse may have written there. */
export async function giveBack(redis: Redis, id: string): Promise<boolean> {
  return (await scriptFile(redis, 'give-back-warehouse')([HOME, CLAIMED], { id })) === 1;
}

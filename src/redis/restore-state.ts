import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { connectState, type RedisServer } from './redis.js';

/** How far a restore has come that is not over: `tables` may be loaded again, and later nothing is taken away any more. */
export interface RestoreState {
  /** Of the backup. */
  id: string;
  step: 'tables' | 'queues';
}

const KEY = 'restore';

/** Null: none is under way. */
export async function readRestoreState(redis: Redis): Promise<RestoreState | null> {
  const [id, step] = await redis.hmget(KEY, 'id', 'step');
  return id == null ? null : { id, step: step === 'queues' ? 'queues' : 'tables' };
}

export async function writeRestoreState(redis: Redis, state: RestoreState | null): Promise<void> {
  if (state === null) await redis.del(KEY);
  else await redis.hset(KEY, { ...state });
}

/** What is stored is a part of a backup. */
export class RestoreUnderWayError extends Error {
  constructor(id: string) {
    super(
      `the backup ${id} is being restored, or its restore was cut off: end it with profit restore, then start again`,
    );
    this.name = 'RestoreUnderWayError';
  }
}

const RETRY_MS = 5_000;

/** Asks until Redis has answered once. Throws a {@link RestoreUnderWayError} unless all that was restored is whole. */
export async function guardRestore(server: RedisServer): Promise<void> {
  const redis = connectState(server);
  try {
    for (;;) {
      const state = await readRestoreState(redis).catch(() => undefined);
      if (state === null) return;
      if (state !== undefined) throw new RestoreUnderWayError(state.id);
      await sleep(RETRY_MS, undefined, { ref: false });
    }
  } finally {
    redis.disconnect();
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { connectState, type RedisServer } from './redis.js';

/** The step of an unfinished restore: in `tables` it may load the tables again; afterwards it deletes nothing. */
export interface RestoreState {
  /** Id of the backup. */
  id: string;
  step: 'tables' | 'queues';
}

const KEY = 'restore';

/** Null: no restore is under way. */
export async function readRestoreState(redis: Redis): Promise<RestoreState | null> {
  const [id, step] = await redis.hmget(KEY, 'id', 'step');
  return id == null ? null : { id, step: step === 'queues' ? 'queues' : 'tables' };
}

export async function writeRestoreState(redis: Redis, state: RestoreState | null): Promise<void> {
  if (state === null) await redis.del(KEY);
  else await redis.hset(KEY, { ...state });
}

/** The tables have only a part of a backup. */
export class RestoreUnderWayError extends Error {
  override readonly name = 'RestoreUnderWayError';
  constructor(id: string) {
    super(
      `the backup ${id} is being restored, or its restore was cut off: end it with profit restore, then start again`,
    );
  }
}

const RETRY_MS = 5_000;

/** Asks until Redis has answered once. Throws a {@link RestoreUnderWayError} if a restore is not finished. */
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

import type { Redis } from 'ioredis';

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

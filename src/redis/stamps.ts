import type { Redis } from 'ioredis';
import { scriptFile } from './script.js';

/**
 * The arrival stamp: Redis `TIME` in microseconds, made strictly increasing. It orders writes with the same version. Stamps do not go
 * back even if Redis loses its data, because the clock does not.
 */
export const STAMP_KEY = 'stamp';

/** Reserves `count` consecutive stamps and gives the first. */
export type TakeStamps = (count?: number) => Promise<number>;

export function createStamps(redis: Redis): TakeStamps {
  const run = scriptFile(redis, 'reserve-stamps');
  return async (count = 1) => Number(await run([STAMP_KEY], { count }));
}

/** Makes every later stamp greater than this one, whatever the clock says. */
export async function raiseStamps(redis: Redis, stamp: number): Promise<void> {
  await scriptFile(redis, 'raise-stamps')([STAMP_KEY], { stamp });
}

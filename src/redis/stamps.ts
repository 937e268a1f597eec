import type { Redis } from 'ioredis';
import { script } from './script.js';

/**
 * The arrival stamp: Redis `TIME` in microseconds, made strictly increasing. It orders writes with the same version. Stamps do not go
 * back even if Redis loses its data, because the clock does not.
 */
export const STAMP_KEY = 'stamp';

/** Lua: reserves `n` stamps and leaves the first in `stamp`. Shared by the scripts that stamp what they reserve. */
export const TAKE_STAMPS = `
local function take_stamps(key, n)
  local time = redis.call('TIME')
  local stamp = time[1] * 1000000 + time[2]
  local last = tonumber(redis.call('GET', key) or '0')
  if stamp <= last then stamp = last + 1 end
  redis.call('SET', key, string.format('%.0f', stamp + n - 1))
  return stamp
end`;

const SCRIPT = `${TAKE_STAMPS}
return string.format('%.0f', take_stamps(KEYS[1], tonumber(ARGV[1])))`;

/** Reserves `count` consecutive stamps and gives the first. */
export type TakeStamps = (count?: number) => Promise<number>;

export function createStamps(redis: Redis): TakeStamps {
  const run = script(redis, SCRIPT);
  return async (count = 1) => Number(await run([STAMP_KEY], [count]));
}

const RAISE = `
local last = tonumber(redis.call('GET', KEYS[1]) or '0')
if tonumber(ARGV[1]) > last then redis.call('SET', KEYS[1], ARGV[1]) end
return 1`;

/** Makes every later stamp greater than this one, whatever the clock says. */
export async function raiseStamps(redis: Redis, stamp: number): Promise<void> {
  await script(redis, RAISE)([STAMP_KEY], [stamp]);
}

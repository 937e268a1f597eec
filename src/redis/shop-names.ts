import type { Redis } from 'ioredis';
import { script } from './script.js';

/** Unused for this long, the names of a shop are dropped, and read from the warehouse when they are needed again. */
const LIFE_SECONDS = 30 * 86_400;

/** The empty name marks a set that was filled from the warehouse, even if the shop had no names there. */
const ADMIT = `
if redis.call('SISMEMBER', KEYS[1], '') == 0 then return false end
local count = redis.call('SCARD', KEYS[1]) - 1
local refused = {}
for i = 3, #ARGV do
  if redis.call('SISMEMBER', KEYS[1], ARGV[i]) == 0 then
    if count >= tonumber(ARGV[2]) then
      refused[#refused + 1] = i - 3
    else
      count = count + 1
      if ARGV[1] == '0' then redis.call('SADD', KEYS[1], ARGV[i]) end
    end
  end
end
redis.call('EXPIRE', KEYS[1], ${LIFE_SECONDS})
return refused`;

/** Fills the set once: a second process that read the warehouse too adds nothing. */
const FILL = `
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('SADD', KEYS[1], '', unpack(ARGV))
redis.call('EXPIRE', KEYS[1], ${LIFE_SECONDS})
return 1`;

/** The names of one kind that a shop has used, such as those of its channels. */
export interface ShopNamesState {
  /** Adds names up to the bound, atomically for all processes; gives those that were refused. Null if the set must be filled first. */
  admit(shopId: string, names: readonly string[], options: { most: number; dryRun: boolean }): Promise<string[] | null>;
  fill(shopId: string, names: readonly string[]): Promise<void>;
}

export function createShopNamesState(redis: Redis, kind: string): ShopNamesState {
  const runAdmit = script(redis, ADMIT);
  const runFill = script(redis, FILL);
  const key = (shopId: string): string => `names:{${shopId}}:${kind}`;
  return {
    async admit(shopId, names, { most, dryRun }) {
      const refused = (await runAdmit([key(shopId)], [dryRun ? '1' : '0', most, ...names])) as number[] | null;
      return refused === null ? null : refused.flatMap((i) => names[i] ?? []);
    },
    async fill(shopId, names) {
      await runFill([key(shopId)], names);
    },
  };
}

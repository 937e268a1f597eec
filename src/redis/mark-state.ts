import type { Redis } from 'ioredis';

/** Numbers of marks of one kind, see `marks.ts`. */
export interface MarkState {
  /** All marks. */
  marks: number;
  /** Marks that workers have claimed. */
  leased: number;
  /** Marks whose own work failed. */
  apart: number;
  /** Age of the oldest mark among the first marks of the shops whose turn is next; 0 if there is none. */
  oldestMs: number;
}

/** Number of shops that are looked at. */
const SHOPS = 20;

/** KEYS: shops, tokens, leases, apart, as `marks-scripts.ts` has them. A token begins with the stamp of its mark. */
const SCRIPT = `
local shops, tokens, leases, apart = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local time = redis.call('TIME')
local now, oldest = time[1] * 1000000 + time[2], 0
for _, shop in ipairs(redis.call('ZRANGE', shops, 0, tonumber(ARGV[2]) - 1)) do
  for _, id in ipairs(redis.call('ZRANGE', ARGV[1] .. ':of:' .. shop, 0, 0)) do
    local token = redis.call('HGET', tokens, shop .. '\\n' .. id)
    local stamp = token and tonumber(string.match(token, '^%d+'))
    if stamp then oldest = math.max(oldest, now - stamp) end
  end
end
return {
  redis.call('HLEN', tokens), redis.call('ZCARD', leases), redis.call('ZCARD', apart), math.floor(oldest / 1000)
}`;

/** Reads the state in one call, whose cost is bounded for any number of marks. */
export async function readMarkState(redis: Redis, name: string): Promise<MarkState> {
  const keys = ['shops', 'tokens', 'leases', 'apart'].map((part) => `${name}:${part}`);
  const [marks = 0, leased = 0, apart = 0, oldestMs = 0] = (await redis.eval(
    SCRIPT,
    keys.length,
    ...keys,
    name,
    SHOPS,
  )) as number[];
  return { marks, leased, apart, oldestMs };
}

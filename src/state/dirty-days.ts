import type { Redis } from 'ioredis';
import { script } from './script.js';
import { STAMP_KEY, TAKE_STAMPS } from './stamps.js';

/**
 * Days whose rollups are behind their rows. Two sorted sets, so that restating history never delays fresh days: `fresh`
 * holds what pushes have touched, `restate` what a change of costs has. Member `shop\nday`, score an arrival stamp; a day
 * leaves only when its score is still the one that was read before the rebuild.
 */
export type DirtyLane = 'fresh' | 'restate';

export interface DirtyDay {
  shopId: string;
  /** `YYYY-MM-DD`. */
  day: string;
  /** Score of the mark. */
  stamp: number;
}

export interface DirtyDays {
  mark(lane: DirtyLane, shopId: string, days: readonly string[]): Promise<void>;
  /** Marks to work on, `fresh` ones in the order of arrival, `restate` ones newest day first. */
  peek(lane: DirtyLane, limit: number): Promise<DirtyDay[]>;
  /** Removes the marks that nothing has renewed since they were read. */
  clear(lane: DirtyLane, days: readonly DirtyDay[]): Promise<void>;
  count(lane: DirtyLane): Promise<number>;
}

const key = (lane: DirtyLane): string => `dirty:${lane}`;

const MARK = `${TAKE_STAMPS}
local stamp = take_stamps(KEYS[2], 1)
local args = {}
for i = 1, #ARGV do
  args[#args + 1] = string.format('%.0f', stamp)
  args[#args + 1] = ARGV[i]
end
redis.call('ZADD', KEYS[1], unpack(args))
return #ARGV`;

const CLEAR = `
local removed = 0
for i = 1, #ARGV, 2 do
  if redis.call('ZSCORE', KEYS[1], ARGV[i]) == ARGV[i + 1] then removed = removed + redis.call('ZREM', KEYS[1], ARGV[i]) end
end
return removed`;

const CHUNK = 1_000;

export function createDirtyDays(redis: Redis): DirtyDays {
  const mark = script(redis, 'markDirtyDays', MARK);
  const clear = script(redis, 'clearDirtyDays', CLEAR);
  return {
    async mark(lane, shopId, days) {
      for (let i = 0; i < days.length; i += CHUNK) {
        await mark(
          [key(lane), STAMP_KEY],
          days.slice(i, i + CHUNK).map((day) => `${shopId}\n${day}`),
        );
      }
    },
    async peek(lane, limit) {
      const found = await redis.zrange(key(lane), 0, String(lane === 'fresh' ? limit - 1 : -1), 'WITHSCORES');
      const flat = found.flat() as unknown as (string | number)[];
      const days: DirtyDay[] = [];
      for (let i = 0; i + 1 < flat.length; i += 2) {
        const [shopId = '', day = ''] = String(flat[i]).split('\n');
        days.push({ shopId, day, stamp: Number(flat[i + 1]) });
      }
      if (lane === 'restate') days.sort((a, b) => (a.day < b.day ? 1 : -1));
      return days.slice(0, limit);
    },
    async clear(lane, days) {
      for (let i = 0; i < days.length; i += CHUNK) {
        const chunk = days.slice(i, i + CHUNK);
        await clear(
          [key(lane)],
          chunk.flatMap(({ shopId, day, stamp }) => [`${shopId}\n${day}`, stamp]),
        );
      }
    },
    count: (lane) => redis.zcard(key(lane)),
  };
}

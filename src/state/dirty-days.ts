import type { Redis } from 'ioredis';
import { parseDay } from '../domain/time.js';
import { script } from './script.js';
import { STAMP_KEY, TAKE_STAMPS } from './stamps.js';

/**
 * Days whose rollups are behind their rows, in two lanes so that restating history never delays fresh days: `fresh` holds
 * what pushes have touched, `restate` what a change of costs has. A lane is a sorted set of members `shop\nday`, in the
 * order in which they are worked on, beside a hash of the arrival stamps of their last marks: a day leaves only when its
 * stamp is still the one that was read before the rebuild.
 */
export type DirtyLane = 'fresh' | 'restate';

export interface DirtyDay {
  shopId: string;
  /** `YYYY-MM-DD`. */
  day: string;
  /** Arrival stamp of the last mark. */
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

const queueKey = (lane: DirtyLane): string => `dirty:${lane}`;
const stampsKey = (lane: DirtyLane): string => `dirty:${lane}:stamps`;

/** Arguments are pairs of score and member; the score `now` stands for the arrival stamp. */
const MARK = `${TAKE_STAMPS}
local stamp = string.format('%.0f', take_stamps(KEYS[3], 1))
local scores, stamps = {}, {}
for i = 1, #ARGV, 2 do
  scores[i] = ARGV[i] == 'now' and stamp or ARGV[i]
  scores[i + 1] = ARGV[i + 1]
  stamps[i] = ARGV[i + 1]
  stamps[i + 1] = stamp
end
redis.call('ZADD', KEYS[1], unpack(scores))
redis.call('HSET', KEYS[2], unpack(stamps))
return #ARGV / 2`;

const PEEK = `
local days = redis.call('ZRANGE', KEYS[1], 0, ARGV[1])
if #days == 0 then return {} end
return {days, redis.call('HMGET', KEYS[2], unpack(days))}`;

const CLEAR = `
local removed = 0
for i = 1, #ARGV, 2 do
  if redis.call('HGET', KEYS[2], ARGV[i]) == ARGV[i + 1] then
    redis.call('HDEL', KEYS[2], ARGV[i])
    removed = removed + redis.call('ZREM', KEYS[1], ARGV[i])
  end
end
return removed`;

const CHUNK = 1_000;

export function createDirtyDays(redis: Redis): DirtyDays {
  const mark = script(redis, 'markDirtyDays', MARK);
  const peek = script(redis, 'peekDirtyDays', PEEK);
  const clear = script(redis, 'clearDirtyDays', CLEAR);
  const score = (lane: DirtyLane, day: string): string | number => (lane === 'fresh' ? 'now' : -(parseDay(day) ?? 0));

  return {
    async mark(lane, shopId, days) {
      for (let i = 0; i < days.length; i += CHUNK) {
        await mark(
          [queueKey(lane), stampsKey(lane), STAMP_KEY],
          days.slice(i, i + CHUNK).flatMap((day) => [score(lane, day), `${shopId}\n${day}`]),
        );
      }
    },
    async peek(lane, limit) {
      const reply = await peek([queueKey(lane), stampsKey(lane)], [limit - 1]);
      const [members = [], stamps = []] = reply as [string[]?, string[]?];
      return members.map((member, i) => {
        const [shopId = '', day = ''] = member.split('\n');
        return { shopId, day, stamp: Number(stamps[i]) };
      });
    },
    async clear(lane, days) {
      for (let i = 0; i < days.length; i += CHUNK) {
        const chunk = days.slice(i, i + CHUNK);
        await clear(
          [queueKey(lane), stampsKey(lane)],
          chunk.flatMap(({ shopId, day, stamp }) => [`${shopId}\n${day}`, stamp]),
        );
      }
    },
    count: (lane) => redis.zcard(queueKey(lane)),
  };
}

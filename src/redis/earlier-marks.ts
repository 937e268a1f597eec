import type { Redis } from 'ioredis';
import type { DirtyDays } from './dirty-days.js';
import { byShop } from '../domain/by-shop.js';
import { toMark, type Marks } from './marks.js';
import { pairsOf } from './scan.js';
import { script } from './script.js';

/** Sorted sets in which the first release kept its marks, members `shop\nid`. */
const EARLIER = ['dirty:fresh', 'dirty:restate', 'dirty:orders'] as const;
const CHUNK = 1_000;

/** ARGV: member, score and stamp of each mark. One that was set again since they were read stays. */
const REMOVE = `
for i = 1, #ARGV, 3 do
  local member = ARGV[i]
  local stamp = redis.call('HGET', KEYS[2], member) or ''
  if redis.call('ZSCORE', KEYS[1], member) == ARGV[i + 1] and stamp == ARGV[i + 2] then
    redis.call('ZREM', KEYS[1], member)
    redis.call('HDEL', KEYS[2], member)
  end
end`;

/**
 * Moves marks of the first release to today's keys: a worker of that release may set or leave some during an upgrade. True if there may
 * be more. Each mark is set here before it is removed there, so that none is lost.
 */
export async function adoptEarlierMarks(redis: Redis, dirtyDays: DirtyDays, dirtyOrders: Marks): Promise<boolean> {
  const remove = script(redis, REMOVE);
  let more = false;
  for (const key of EARLIER) {
    const marks = pairsOf(await redis.zrange(key, '0', String(CHUNK - 1), 'WITHSCORES'));
    if (marks.length === 0) continue;
    more ||= marks.length === CHUNK;
    const stamps = await redis.hmget(`${key}:stamps`, ...marks.map(([member]) => member));
    const found = marks.map(([member]) => toMark(member));
    if (key === 'dirty:orders') await dirtyOrders.mark(found);
    else await dirtyDays.mark(key === 'dirty:fresh' ? 'fresh' : 'history', byShop(found));
    await remove(
      [key, `${key}:stamps`],
      marks.flatMap(([member, score], i) => [member, score, stamps[i] ?? '']),
    );
  }
  return more;
}

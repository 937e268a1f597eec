import type { Redis } from 'ioredis';
import type { DirtyDays } from './dirty-days.js';
import { addIds, idLists } from '../domain/by-shop.js';
import type { Marks } from './marks.js';

/** Sorted sets in which the first release kept its marks, members `shop\nid`. */
const EARLIER = ['dirty:fresh', 'dirty:restate', 'dirty:orders'] as const;
const CHUNK = 1_000;

/**
 * Moves marks of the first release to today's keys: a worker of that release may set or leave some during an upgrade. True if there may
 * be more. Each mark is set here before it is removed there, so that none is lost.
 */
export async function adoptEarlierMarks(redis: Redis, dirtyDays: DirtyDays, dirtyOrders: Marks): Promise<boolean> {
  let more = false;
  for (const key of EARLIER) {
    const members = await redis.zrange(key, '0', String(CHUNK - 1));
    if (members.length === 0) continue;
    more ||= members.length === CHUNK;
    const ids = new Map<string, Set<string>>();
    for (const member of members) {
      const [shopId = '', id = ''] = member.split('\n');
      addIds(ids, shopId, [id]);
    }
    if (key === 'dirty:orders') {
      await dirtyOrders.mark([...idLists(ids)].flatMap(([shopId, own]) => own.map((id) => ({ shopId, id }))));
    } else {
      await dirtyDays.mark(key === 'dirty:fresh' ? 'fresh' : 'history', idLists(ids));
      await redis.hdel(`${key}:stamps`, ...members);
    }
    await redis.zrem(key, ...members);
  }
  return more;
}

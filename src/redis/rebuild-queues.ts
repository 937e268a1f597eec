import type { Redis } from 'ioredis';
import type { IdsByShop } from '../domain/by-shop.js';
import { compare } from '../domain/compare.js';
import { parseDay } from '../domain/time.js';
import { MAX_FAILED_DAYS, type FailedDay } from '../schemas/ingest-status.js';
import { createRebuildQueue, type QueueEntry, type RebuildQueue } from './rebuild-queue.js';

/**
 * Days whose rollups must be rebuilt, in lanes so that history never delays fresh days: `fresh` has the days that pushes touched,
 * `history` those that an import touched, `costs` those whose catalog changed and whose orders are computed. The latter two are worked
 * on from the newest day to the oldest.
 */
export const REBUILD_LANES = ['fresh', 'history', 'costs'] as const;
export type RebuildLane = (typeof REBUILD_LANES)[number];

export interface RebuildQueues {
  /**
   * Queues days of each shop, `YYYY-MM-DD`; `orders` are those that touched them, if any did. Fresh days go to `history` if the shop
   * touches more days or orders at once than a live store does. Gives the lane of each shop's days.
   */
  add(lane: RebuildLane, days: IdsByShop, orders?: IdsByShop): Promise<Map<string, RebuildLane>>;
  lanes: Readonly<Record<RebuildLane, RebuildQueue>>;
  /** Days of a shop whose own rebuild failed, the earliest first. */
  failures(shopId: string): Promise<FailedDay[]>;
}

/**
 * A live store touches few days with few orders at a time; a shop that touches more imports its history. During an import of 60,000
 * orders in pushes of 250, another shop's order showed after 1.3 s (median) this way, and after 2.1 s when only days were counted.
 */
const FRESH_DAYS = 100;
const FRESH_ORDERS = 100;

export function createRebuildQueues(redis: Redis): RebuildQueues {
  const lanes = {
    fresh: createRebuildQueue(redis, 'rebuild:fresh'),
    history: createRebuildQueue(redis, 'rebuild:history'),
    costs: createRebuildQueue(redis, 'rebuild:costs'),
  };
  return {
    lanes,
    async failures(shopId) {
      const failed = await Promise.all(REBUILD_LANES.map((lane) => lanes[lane].failures(shopId, MAX_FAILED_DAYS)));
      const days = new Map(failed.flat().map((entry) => [entry.id, entry]));
      return [...days.values()]
        .sort((a, b) => compare(a.id, b.id))
        .slice(0, MAX_FAILED_DAYS)
        .map(({ id, reason, since, tries }) => ({ date: id, reason, since: new Date(since).toISOString(), tries }));
    },
    async add(lane, days, orders) {
      const entries: Record<RebuildLane, QueueEntry[]> = { fresh: [], history: [], costs: [] };
      const taken = new Map<string, RebuildLane>();
      for (const [shopId, ids] of days) {
        const isHistory = ids.length > FRESH_DAYS || (orders?.get(shopId)?.length ?? 0) > FRESH_ORDERS;
        const into = lane === 'fresh' && isHistory ? 'history' : lane;
        taken.set(shopId, into);
        for (const id of ids) {
          entries[into].push(into === 'fresh' ? { shopId, id } : { shopId, id, place: -(parseDay(id) ?? 0) });
        }
      }
      await Promise.all(REBUILD_LANES.map((each) => lanes[each].add(entries[each])));
      return taken;
    },
  };
}

import { unpackSegments, type EventsJob } from '../src/queue/jobs.js';
import type { DirtyOrders } from '../src/state/dirty-orders.js';
import { clockSlackMs } from '../src/domain/attribution.js';
import type { Warehouse } from '../src/warehouse/client.js';
import { ordersOfVisitors } from '../src/warehouse/event-links.js';
import { INSERT_EVENTS } from '../src/warehouse/events.js';
import { writeIngestLog } from '../src/warehouse/ingest-log.js';

export interface EventFlushDeps {
  warehouse: Warehouse;
  dirtyOrders: DirtyOrders;
}

/** Visitors of one query at most. */
const VISITORS_PER_QUERY = 5_000;

/**
 * Writes the events of many jobs as one insert, marks the orders that they may explain, and logs the batches. An event is
 * stored by its id and a mark is a mark, so a repeat after a crash between any two steps changes nothing. Orders that come
 * later are marked by the writer of orders, which looks for events after its own insert, as this one looks for orders.
 */
export function createEventFlush({ warehouse, dirtyOrders }: EventFlushDeps) {
  return async (jobs: readonly EventsJob[]): Promise<void> => {
    const rows = jobs.flatMap((job) => unpackSegments(job.rows, 1)).filter((segment) => segment.length > 0);
    if (rows.length > 0) await warehouse.insertBytes(INSERT_EVENTS, Buffer.concat(rows));
    for (const [shopId, { visitors, since }] of newsByShop(jobs)) {
      const all = [...visitors];
      for (let i = 0; i < all.length; i += VISITORS_PER_QUERY) {
        const some = { shopId, visitors: all.slice(i, i + VISITORS_PER_QUERY), since };
        await dirtyOrders.mark(shopId, await ordersOfVisitors(warehouse, some, clockSlackMs));
      }
    }
    await writeIngestLog(
      warehouse,
      jobs.flatMap((job) => job.shops.map(({ header }) => header)),
    );
  };
}

function newsByShop(jobs: readonly EventsJob[]): Map<string, { visitors: Set<string>; since: number }> {
  const news = new Map<string, { visitors: Set<string>; since: number }>();
  for (const { header, visitors, since } of jobs.flatMap((job) => job.shops)) {
    if (visitors.length === 0) continue;
    const shop = news.get(header.shop_id) ?? { visitors: new Set(), since };
    for (const visitor of visitors) shop.visitors.add(visitor);
    shop.since = Math.min(shop.since, since);
    news.set(header.shop_id, shop);
  }
  return news;
}

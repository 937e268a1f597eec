import { clockSlackMs } from '../src/domain/attribution.js';
import { unpackSegments, type EventsJob } from '../src/queue/jobs.js';
import type { DirtyOrders } from '../src/state/dirty-orders.js';
import type { Warehouse } from '../src/warehouse/client.js';
import { ordersOfEvents } from '../src/warehouse/event-links.js';
import { INSERT_EVENTS } from '../src/warehouse/events.js';
import { writeIngestLog } from '../src/warehouse/ingest-log.js';

export interface EventFlushDeps {
  warehouse: Warehouse;
  dirtyOrders: DirtyOrders;
}

/** Visitors of one query at most. */
const VISITORS_PER_QUERY = 5_000;

/**
 * Writes the events of many jobs as one insert, marks the orders whose credit they may change, and logs the batches. An
 * event is stored by its id and a mark is a mark, so a repeat after a crash between any two steps changes nothing. Both
 * sides look for the other after their own insert, this one for orders and the writer of orders for events: whichever comes
 * last finds the other.
 */
export function createEventFlush({ warehouse, dirtyOrders }: EventFlushDeps) {
  return async (jobs: readonly EventsJob[]): Promise<void> => {
    const rows = jobs.flatMap((job) => unpackSegments(job.rows, 1)).filter((segment) => segment.length > 0);
    if (rows.length > 0) await warehouse.insertBytes(INSERT_EVENTS, Buffer.concat(rows));
    const log = writeIngestLog(
      warehouse,
      jobs.flatMap((job) => job.shops.map(({ header }) => header)),
    );
    await Promise.all([log, ...[...newsByShop(jobs)].map(([shopId, news]) => markOrders(shopId, news))]);
  };

  async function markOrders(shopId: string, news: ShopNews): Promise<void> {
    const visitors = [...news.visitors];
    const orders = [...news.orders];
    const checkouts = [...news.checkouts];
    const { since } = news;
    for (let i = 0; i < visitors.length; i += VISITORS_PER_QUERY) {
      const chunk = { shopId, visitors: visitors.slice(i, i + VISITORS_PER_QUERY), orders, checkouts, since };
      await dirtyOrders.mark(shopId, await ordersOfEvents(warehouse, chunk, clockSlackMs));
    }
  }
}

interface ShopNews {
  visitors: Set<string>;
  orders: Set<string>;
  checkouts: Set<string>;
  since: number;
}

function newsByShop(jobs: readonly EventsJob[]): Map<string, ShopNews> {
  const news = new Map<string, ShopNews>();
  for (const { header, visitors, orders, checkouts, since } of jobs.flatMap((job) => job.shops)) {
    const shop = news.get(header.shop_id) ?? { visitors: new Set(), orders: new Set(), checkouts: new Set(), since };
    for (const visitor of visitors) shop.visitors.add(visitor);
    for (const order of orders) shop.orders.add(order);
    for (const checkout of checkouts) shop.checkouts.add(checkout);
    shop.since = Math.min(shop.since, since);
    news.set(header.shop_id, shop);
  }
  return news;
}

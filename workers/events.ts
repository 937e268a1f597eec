import { REACH_MS } from '../src/domain/attribution/order-visits.js';
import type { EventsPush, GroupJob } from '../src/queue/jobs.js';
import type { RebuildQueue } from '../src/redis/rebuild-queue.js';
import { ordersOfEvents, type EventNews } from '../src/warehouse/queries/event-links.js';
import { writeIngestLog } from '../src/warehouse/queries/ingest-log.js';
import type { PushCountDeps } from '../src/warehouse/queries/push-hours.js';
import { insertJobs } from './insert-jobs.js';

export interface EventFlushDeps extends PushCountDeps {
  attributionQueue: RebuildQueue;
}

/**
 * Jobs of the collector hold the events of a moment: few, where it isn't busy. A flush takes ClickHouse as long with one as with a
 * hundred. While a collector ran at half of what it can take, 99 % of the orders of another shop showed within 2.0 s (half of them
 * within 0.7 s) this way, and within 2.3 s (0.9 s) where flushes followed each other at once.
 */
export const EVENT_FLUSHES = { maxJobs: 120, gatherMs: 500 };

/** Visitors and checkouts of one query at most. */
const MAX_IDS = 10_000;

/**
 * Writes the events of many jobs as one insert, queues the orders whose credit they may change, and logs the batches. An
 * event is stored by its id and a queue holds an entry once, so a repeat after a crash between any two steps changes nothing. Both
 * sides look for the other after their own insert, this one for orders and the writer of orders for events: whichever comes
 * last finds the other.
 */
export function createEventFlush(deps: EventFlushDeps) {
  const { warehouse, attributionQueue } = deps;
  return async (jobs: readonly GroupJob<EventsPush>[]): Promise<void> => {
    await insertJobs(warehouse, 'events', jobs);
    const log = writeIngestLog(
      deps,
      jobs.flatMap((job) => job.pushes.map(({ header }) => header)),
    );
    const queued = newsOf(jobs).map(async (news) =>
      attributionQueue.add(await ordersOfEvents(warehouse, news, REACH_MS)),
    );
    await Promise.all([log, ...queued]);
  };
}

/** What the jobs say of each shop, in parts that one query can take. */
function newsOf(jobs: readonly GroupJob<EventsPush>[]): Map<string, EventNews>[] {
  const parts: Map<string, EventNews>[] = [];
  let part = new Map<string, EventNews>();
  let ids = 0;
  for (const { header, visitors, orders, checkouts, since } of jobs.flatMap((job) => job.pushes)) {
    if (part.size === 0 || ids + visitors.length + checkouts.length > MAX_IDS) {
      part = new Map<string, EventNews>();
      parts.push(part);
      ids = 0;
    }
    const shop = part.get(header.shop_id) ?? {
      visitors: new Set(),
      orders: new Set(),
      checkouts: new Set(),
      since,
      arrived: { from: header.received_at, to: header.received_at },
    };
    for (const visitor of visitors) shop.visitors.add(visitor);
    for (const order of orders) shop.orders.add(order);
    for (const checkout of checkouts) shop.checkouts.add(checkout);
    shop.since = Math.min(shop.since, since);
    shop.arrived.from = Math.min(shop.arrived.from, header.received_at);
    shop.arrived.to = Math.max(shop.arrived.to, header.received_at);
    part.set(header.shop_id, shop);
    ids += visitors.length + checkouts.length;
  }
  return parts;
}

import { addIds, idLists, type IdsByShop } from '../src/domain/by-shop.js';
import type { GroupJob, OrderCostsPush } from '../src/queue/jobs.js';
import type { RebuildQueues } from '../src/redis/rebuild-queues.js';
import type { Receipts } from '../src/redis/receipts.js';
import { writeOrderCostCauses } from '../src/warehouse/queries/day-causes.js';
import type { PushCountDeps } from '../src/warehouse/queries/push-hours.js';
import { daysOfOrders } from '../src/warehouse/queries/settle-orders.js';
import { joinNamedCosts } from '../src/warehouse/queries/waiting-costs.js';
import { chunks } from '../src/warehouse/sql.js';
import { refreshFacts } from '../src/warehouse/queries/write-facts.js';
import { insertJobs } from './insert-jobs.js';
import { endPushes } from './stored-pushes.js';

export interface OrderCostFlushDeps extends PushCountDeps {
  rebuildQueues: RebuildQueues;
  receipts: Receipts;
}

/** Ids of one query at most. */
const DAYS_OF_IDS = 10_000;

/**
 * Writes the costs of many jobs as one insert, queues the days of their orders, and logs the pushes. An order that comes later, or
 * at the same time, queues its days itself once it is stored, and takes the costs that wait under its name. A repeat after a crash between any two steps changes nothing.
 */
export function createOrderCostFlush(deps: OrderCostFlushDeps) {
  const { warehouse, rebuildQueues, takeStamps } = deps;
  const refresh = (orders: IdsByShop): Promise<void> => refreshFacts(warehouse, orders, takeStamps);
  return async (jobs: readonly GroupJob<OrderCostsPush>[]): Promise<void> => {
    const pushes = jobs.flatMap((job) => job.pushes);
    const orders = new Map<string, Set<string>>();
    for (const { header, order_ids } of pushes) if (order_ids.length > 0) addIds(orders, header.shop_id, order_ids);

    await insertJobs(warehouse, 'order-costs', jobs);
    for (const part of chunks(idLists(orders), DAYS_OF_IDS)) {
      for (const [shopId, ids] of await joinNamedCosts(warehouse, part, 'names', refresh)) addIds(orders, shopId, ids);
    }
    for (const part of chunks(idLists(orders), DAYS_OF_IDS)) await refresh(part);
    // What is computed under a later entry than this has read all of it.
    const stamp = await takeStamps();
    const touched = new Map<string, Set<string>>();
    for (const part of chunks(idLists(orders), DAYS_OF_IDS)) {
      for (const [shopId, own] of await daysOfOrders(warehouse, part)) addIds(touched, shopId, own);
    }
    const days = idLists(touched);
    await writeOrderCostCauses(warehouse, { days, pushes, storedAt: stamp });
    const lanes = await rebuildQueues.add('fresh', days, idLists(orders));
    await endPushes(deps, jobs, { stamp, days, lanes });
  };
}

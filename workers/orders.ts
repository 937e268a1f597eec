import { addIds, idLists, type IdsByShop } from '../src/domain/by-shop.js';
import type { GroupJob, OrdersPush } from '../src/queue/jobs.js';
import type { DirtyDays } from '../src/redis/dirty-days.js';
import type { Marks } from '../src/redis/marks.js';
import type { OrderVersions } from '../src/redis/order-versions.js';
import type { Receipts } from '../src/redis/receipts.js';
import type { TakeStamps } from '../src/redis/stamps.js';
import type { Warehouse } from '../src/warehouse/client.js';
import { linkedOrders, type ShopOrder } from '../src/warehouse/queries/event-links.js';
import { writeIngestLog } from '../src/warehouse/queries/ingest-log.js';
import { settleOrderDays } from '../src/warehouse/queries/settle-orders.js';
import { chunks } from '../src/warehouse/sql.js';
import { insertJobs } from './insert-jobs.js';
import { storedPushes } from './stored-pushes.js';

export interface OrderFlushDeps {
  warehouse: Warehouse;
  dirtyDays: DirtyDays;
  dirtyOrders: Marks;
  versions: OrderVersions;
  receipts: Receipts;
  takeStamps: TakeStamps;
  now: () => number;
}

/** Ids of one settling query at most. */
const SETTLE_IDS = 10_000;

/**
 * Writes the pushes of many jobs as one insert a table, outdates the days that replaced orders left, marks every touched
 * day for its rollup, and logs the pushes. What it asks, it asks once for all shops. Every step is keyed by natural key and
 * version, so a repeat after a crash between any two of them changes nothing.
 */
export function createOrderFlush(deps: OrderFlushDeps) {
  const { warehouse, dirtyDays, dirtyOrders, versions, receipts, takeStamps, now } = deps;

  return async (jobs: readonly GroupJob<OrdersPush>[]): Promise<void> => {
    const written = new Map<string, Set<string>>();
    const pushes = jobs.flatMap((job) => job.pushes);
    for (const { header, order_ids } of pushes) if (order_ids.length > 0) addIds(written, header.shop_id, order_ids);
    await insertJobs(warehouse, 'orders', jobs);
    // All of them read what was just written, or stand beside it: none waits for another.
    const log = writeIngestLog(
      deps,
      pushes.map(({ header }) => header),
    );
    const days = new Map<string, Set<string>>();
    const linked: ShopOrder[] = [];
    const settle = async (ids: IdsByShop): Promise<void> => {
      const [found, named] = await Promise.all([settleOrderDays(warehouse, ids), linkedOrders(warehouse, ids)]);
      for (const [shopId, own] of found) addIds(days, shopId, own);
      linked.push(...named);
    };
    await Promise.all([log, ...[...chunks(idLists(written), SETTLE_IDS)].map(settle)]);

    // What is computed under a later mark than this has read all of it.
    const stamp = await takeStamps();
    const [lanes] = await Promise.all([
      dirtyDays.mark('fresh', idLists(days), idLists(written)),
      dirtyOrders.mark(linked),
    ]);
    const accepted = pushes.filter(({ order_ids }) => order_ids.length > 0).map(({ header }) => header);
    await receipts.store(stamp, storedPushes(accepted, { days, lanes, orders: linked }));
    await versions.settle(
      accepted.map(({ batch_id }) => batch_id),
      now(),
    );
  };
}

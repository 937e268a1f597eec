import { unpackSegments, type OrdersJob } from '../src/queue/jobs.js';
import type { SourceRegistry } from '../src/registry/sources.js';
import type { DirtyDays } from '../src/state/dirty-days.js';
import type { OrderVersions } from '../src/state/order-versions.js';
import type { DirtyOrders } from '../src/state/dirty-orders.js';
import type { Warehouse } from '../src/warehouse/client.js';
import { linkedOrders } from '../src/warehouse/event-links.js';
import { writeIngestLog } from '../src/warehouse/ingest-log.js';
import { INSERT_ORDER_DAYS, INSERT_ORDERS, settleOrderDays } from '../src/warehouse/orders.js';

export interface OrderFlushDeps {
  warehouse: Warehouse;
  dirtyDays: DirtyDays;
  dirtyOrders: DirtyOrders;
  sources: SourceRegistry;
  versions: OrderVersions;
  now: () => number;
}

/** Ids of one settling query at most. */
const SETTLE_IDS = 5_000;

/**
 * Writes the pushes of many jobs as one insert a table, outdates the days that replaced orders left, marks every touched
 * day for its rollup, and logs the pushes. Every step is keyed by natural key and version, so a repeat after a crash
 * between any two of them changes nothing.
 */
export function createOrderFlush({ warehouse, dirtyDays, dirtyOrders, sources, versions, now }: OrderFlushDeps) {
  const persisted = new Set<string>();

  async function settleShop(shopId: string, ids: readonly string[]): Promise<void> {
    for (let i = 0; i < ids.length; i += SETTLE_IDS) {
      const orderIds = ids.slice(i, i + SETTLE_IDS);
      const [days, linked] = await Promise.all([
        settleOrderDays(warehouse, { shopId, orderIds }),
        linkedOrders(warehouse, shopId, orderIds),
      ]);
      await dirtyDays.mark('fresh', shopId, days);
      await dirtyOrders.mark(shopId, linked);
    }
    if (persisted.has(shopId)) return;
    await sources.persist(shopId);
    persisted.add(shopId);
  }

  return async (jobs: readonly OrdersJob[]): Promise<void> => {
    const idsByShop = new Map<string, Set<string>>();
    const orders: Buffer[] = [];
    const orderDays: Buffer[] = [];
    for (const { header, order_ids, rows } of jobs) {
      if (order_ids.length === 0) continue;
      const [orderRows, dayRows] = unpackSegments(rows, 2);
      if (orderRows === undefined || dayRows === undefined)
        throw new RangeError('a payload of orders has two segments');
      orders.push(orderRows);
      orderDays.push(dayRows);
      const ids = idsByShop.get(header.shop_id) ?? new Set();
      for (const id of order_ids) ids.add(id);
      idsByShop.set(header.shop_id, ids);
    }

    if (orders.length > 0) {
      await Promise.all([
        warehouse.insertBytes(INSERT_ORDERS, Buffer.concat(orders)),
        warehouse.insertBytes(INSERT_ORDER_DAYS, Buffer.concat(orderDays)),
      ]);
    }
    // All of them read what was just written, or stand beside it: none waits for another.
    const log = writeIngestLog(
      warehouse,
      jobs.map((job) => job.header),
    );
    await Promise.all([log, ...[...idsByShop].map(([shopId, ids]) => settleShop(shopId, [...ids]))]);
    await versions.settle(
      jobs.filter((job) => job.order_ids.length > 0).map((job) => job.header.batch_id),
      now(),
    );
  };
}

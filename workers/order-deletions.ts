import { setTimeout as sleep } from 'node:timers/promises';
import { inChunks } from '../src/domain/in-chunks.js';
import type { OrderDeletion, OrdersPush } from '../src/queue/jobs.js';
import type { Warehouse } from '../src/warehouse/client.js';
import { ORDER_DAYS_HEAD, ORDERS_HEAD } from '../src/warehouse/columns/orders.js';
import { deletedOrders } from '../src/warehouse/columns/restored-order.js';
import { insertRows } from '../src/warehouse/insert-rows.js';
import { newestOrders } from '../src/warehouse/queries/order-detail.js';

/** Orders that are read at once: each may have thousands of lines. */
const CHUNK = 100;

/** How long in all, and how often, it is looked for rows of orders that another flush is about to write. */
const WAIT_MS = 2_000;
const LOOK_MS = 100;

/**
 * Writes the orders that pushes delete. After the rows of these pushes, which may hold the orders themselves. A repeat writes the
 * same version once more. Rows that do not come in time are older: of such an order what is stored is kept, or nothing.
 */
export async function writeDeletions(
  warehouse: Warehouse,
  pushes: readonly Pick<OrdersPush, 'header' | 'deletions'>[],
): Promise<void> {
  const shops = new Map<string, OrderDeletion[]>();
  for (const { header, deletions = [] } of pushes) {
    const known = shops.get(header.shop_id);
    if (known !== undefined) known.push(...deletions);
    else if (deletions.length > 0) shops.set(header.shop_id, [...deletions]);
  }
  const until = performance.now() + WAIT_MS;
  for (const [shopId, deletions] of shops) {
    for (const chunk of inChunks(deletions, CHUNK)) await writeChunk(warehouse, shopId, chunk, until);
  }
}

async function writeChunk(
  warehouse: Warehouse,
  shopId: string,
  deletions: readonly OrderDeletion[],
  until: number,
): Promise<void> {
  // Of an order that is deleted twice here, the version before both.
  const replaced = new Map<string, number>();
  for (const { order_id: id, replaces = 0 } of deletions)
    replaced.set(id, Math.min(replaces, replaced.get(id) ?? replaces));
  const read = async () =>
    new Map((await newestOrders(warehouse, shopId, [...replaced.keys()])).map((order) => [order.order_id, order]));
  let stored = await read();
  const isBehind = ([id, version]: [string, number]): boolean => (stored.get(id)?.version ?? 0) < version;
  while (performance.now() < until && [...replaced].some(isBehind)) {
    await sleep(LOOK_MS);
    stored = await read();
  }
  const { orders, orderDays } = deletedOrders(
    shopId,
    deletions.map(({ order_id: orderId, updated_at: updatedAt, stamp }) => ({
      orderId,
      updatedAt,
      stamp,
      order: stored.get(orderId),
    })),
  );
  await insertRows(warehouse, 'orders', [{ head: ORDERS_HEAD, rows: orders }]);
  await insertRows(warehouse, 'order_days', [{ head: ORDER_DAYS_HEAD, rows: orderDays }]);
}

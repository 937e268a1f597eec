import { addIds, idLists, type IdsByShop } from '../src/domain/by-shop.js';
import { OCCASION } from '../src/domain/orders/orders.js';
import type { GroupJob, OrdersPush } from '../src/queue/jobs.js';
import type { RebuildQueues, RebuildLane } from '../src/redis/rebuild-queues.js';
import type { DroppedNames } from '../src/redis/dropped-names.js';
import type { RebuildQueue } from '../src/redis/rebuild-queue.js';
import type { OrderVersions } from '../src/redis/order-versions.js';
import type { Receipts } from '../src/redis/receipts.js';
import { unfinishedOrders } from '../src/figures/audit.js';
import type { Warehouse } from '../src/warehouse/client.js';
import { ORDER_DAYS_HEAD } from '../src/warehouse/columns/orders.js';
import { restoredOrderDays } from '../src/warehouse/columns/restored-order.js';
import { insertRows } from '../src/warehouse/insert-rows.js';
import type { AuditedDay, AuditReader } from '../src/warehouse/queries/audit.js';
import { linkedByCheckout, linkedOrders, type ShopOrder } from '../src/warehouse/queries/event-links.js';
import { writeClockMoves } from '../src/warehouse/queries/clock-moves.js';
import { writeIngestLog } from '../src/warehouse/queries/ingest-log.js';
import { ordersPlacedOn } from '../src/warehouse/queries/order-detail.js';
import type { PushCountDeps } from '../src/warehouse/queries/push-hours.js';
import { knownOrders, settleOrderDays } from '../src/warehouse/queries/settle-orders.js';
import { joinNamedCosts } from '../src/warehouse/queries/waiting-costs.js';
import { refreshFacts } from '../src/warehouse/queries/write-facts.js';
import { chunks } from '../src/warehouse/sql.js';
import { endDoubts } from './doubted-orders.js';
import { insertJobs } from './insert-jobs.js';
import { writeDeletions } from './order-deletions.js';
import { storedPushes } from './stored-pushes.js';

export interface OrderFinishDeps {
  warehouse: Warehouse;
  takeStamps: PushCountDeps['takeStamps'];
  rebuildQueues: RebuildQueues;
  attributionQueue: RebuildQueue;
  droppedNames: DroppedNames;
}

export interface OrderFlushDeps extends OrderFinishDeps, PushCountDeps {
  versions: OrderVersions;
  receipts: Receipts;
}

/** Ids of one settling query at most. */
const SETTLE_IDS = 10_000;

/**
 * Writes the pushes of many jobs as one insert a table, outdates the days that replaced orders left, queues every touched
 * day for its rollup, and logs the pushes. What it asks, it asks once for all shops. Every step is keyed by natural key and
 * version, so a repeat after a crash between any two of them changes nothing.
 */
export function createOrderFlush(deps: OrderFlushDeps) {
  const { warehouse, versions, receipts, takeStamps, now } = deps;

  return async (jobs: readonly GroupJob<OrdersPush>[]): Promise<void> => {
    const written = new Map<string, Set<string>>();
    const carried = new Map<string, Set<string>>();
    const pushes = jobs.flatMap((job) => job.pushes);
    for (const { header, order_ids } of pushes) if (order_ids.length > 0) addIds(written, header.shop_id, order_ids);
    for (const { header, checkouts } of pushes) if (checkouts.length > 0) addIds(carried, header.shop_id, checkouts);
    // Before the rows: the days that they leave are outdated because of it.
    await writeClockMoves(
      warehouse,
      pushes.flatMap(({ header, clock_move: move }) =>
        move === undefined ? [] : { shop_id: header.shop_id, ...move },
      ),
    );
    await insertJobs(warehouse, 'orders', await endDoubts(warehouse, jobs));
    await writeDeletions(warehouse, pushes);
    // Both read what was just written, or do not depend on it: none waits for the other.
    const log = writeIngestLog(
      deps,
      pushes.filter(({ clock_move }) => clock_move === undefined).map(({ header }) => header),
    );
    const [settled] = await Promise.all([settle(deps, idLists(written), idLists(carried)), log]);

    // Taken after the inserts: a rebuild with a later stamp has read these rows.
    const stamp = await takeStamps();
    const lanes = await add(deps, settled, idLists(written));
    const accepted = pushes.filter(({ order_ids }) => order_ids.length > 0).map(({ header }) => header);
    await receipts.store(stamp, storedPushes(accepted, { days: settled.days, lanes }));
    await versions.settle(
      accepted.map(({ batch_id }) => batch_id),
      now(),
    );
  };
}

/** What written orders touch. */
interface Settled {
  days: ReadonlyMap<string, Set<string>>;
  linked: readonly ShopOrder[];
}

async function settle(
  { warehouse, takeStamps }: Pick<OrderFinishDeps, 'warehouse' | 'takeStamps'>,
  written: IdsByShop,
  checkouts: IdsByShop,
): Promise<Settled> {
  const refresh = (orders: IdsByShop): Promise<void> => refreshFacts(warehouse, orders, takeStamps);
  const days = new Map<string, Set<string>>();
  const linked: ShopOrder[] = [];
  const settlePart = async (ids: IdsByShop): Promise<void> => {
    const [found, named] = await Promise.all([
      settleOrderDays(warehouse, ids),
      linkedOrders(warehouse, ids),
      joinNamedCosts(warehouse, ids, 'orders', refresh),
    ]);
    for (const [shopId, own] of found) addIds(days, shopId, own);
    linked.push(...named);
  };
  const linkPart = async (tokens: IdsByShop): Promise<void> => {
    linked.push(...(await linkedByCheckout(warehouse, tokens)));
  };
  await Promise.all([
    ...[...chunks(written, SETTLE_IDS)].map(settlePart),
    ...[...chunks(checkouts, SETTLE_IDS)].map(linkPart),
  ]);
  return { days, linked };
}

async function add(
  { rebuildQueues, attributionQueue, droppedNames }: OrderFinishDeps,
  { days, linked }: Settled,
  written: IdsByShop,
): Promise<Map<string, RebuildLane>> {
  const ids = [...written].flatMap(([shopId, own]) => own.map((id) => ({ shopId, id })));
  const dropped = await droppedNames.among(ids);
  const [lanes] = await Promise.all([
    rebuildQueues.add('fresh', idLists(days), written),
    attributionQueue.add([...linked, ...dropped]),
  ]);
  return lanes;
}

/**
 * Writes to the end what the newest rows of the orders of a day lack elsewhere: a push is one insert a table, and a Redis that
 * lost its job after the first leaves the order with a row in `orders` and none by day. Repeating it changes nothing.
 */
export async function finishOrders(deps: OrderFinishDeps, reader: AuditReader, of: AuditedDay): Promise<void> {
  const { warehouse } = deps;
  for await (const ids of unfinishedOrders(reader, of)) {
    if (ids.length === 0) continue;
    const written = new Map([[of.shopId, ids]]);
    const isKnown = await knownOrders(warehouse, written);
    const rows = restoredOrderDays(of.shopId, await ordersPlacedOn(warehouse, of, ids), (order) =>
      isKnown(of.shopId, order.order_id, order.received_at, order.received_at) ? OCCASION.known : OCCASION.new,
    );
    await insertRows(warehouse, 'order_days', [{ head: ORDER_DAYS_HEAD, rows }]);
    await add(deps, await settle(deps, written, new Map()), written);
  }
}

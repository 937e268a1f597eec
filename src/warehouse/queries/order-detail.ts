import { Type } from 'typebox';
import { creditedTouches, UNATTRIBUTED_CHANNEL, type Touch } from '../../domain/attribution/attribution.js';
import { visitsOf } from '../../domain/attribution/order-visits.js';
import { micros } from '../../domain/orders/orders.js';
import { formatDay, parseDay } from '../../domain/time.js';
import type { Warehouse } from '../client.js';
import { literal, ONE_THREAD } from '../sql.js';
import { ORDER_COLUMNS, ORDER_ROW, toStoredOrder, type OrderRow, type StoredOrder } from '../columns/stored-order.js';
import { readOrderCosts } from './order-costs.js';
import { evidenceOf } from './order-evidence.js';
import type { RollupDay } from './rollups.js';
import { defineQuery, nullable, texts, type Query, type RowOf } from '../query.js';

/** The version of a SKU's cost that holds on some day; `since` is its first day, null: from the beginning. */
export interface ListedCost {
  amount: string;
  since: number | null;
}

export interface FoundOrder {
  /** With the costs that are known apart from it in place of its own. */
  order: StoredOrder;
  /** By SKU, for its lines that say no cost. */
  catalog: Map<string, ListedCost>;
  channel: string;
  touches: Touch[];
  /** The push as the ingest log knows it; null where it was not kept. */
  written: RowOf<typeof PUSH> | null;
}

/** The newest state of an order and what is stored about it elsewhere; null when there is none. */
export type FindOrder = (shopId: string, orderId: string) => Promise<FoundOrder | null>;

const ORDER = defineQuery('an order', ORDER_ROW);
const ORDERS_OF_DAY = defineQuery('orders placed on a day', ORDER_ROW);
const NEWEST_ORDERS = defineQuery('newest states of orders', ORDER_ROW);
const CATALOG = defineQuery('unit costs of an order', texts('sku', 'amount', 'first_day'));
const PUSH = defineQuery('push of an order', {
  batchId: Type.String(),
  keyLast4: nullable(Type.String()),
  requestId: nullable(Type.String()),
});
const CHANNEL = defineQuery('channel of an order', texts('channel'));

/**
 * The row of the newest version, deleted or not: a tombstone of a day that the order left has no time. Without FINAL, which
 * would leave out a deleted one.
 */
function orderQuery(shopId: string, orderId: string): Query<OrderRow> {
  return ORDER(
    `SELECT ${ORDER_COLUMNS}
    FROM orders AS o
    WHERE o.shop_id = {shop:String} AND o.order_id = {order:String} AND toUnixTimestamp64Micro(o.placed_at) > 0
      AND o.placed_day IN (SELECT k.day FROM order_keys AS k WHERE k.shop_id = {shop:String} AND k.order_id = {order:String})
    ORDER BY o.version DESC LIMIT 1 ${ONE_THREAD}`,
    { shop: shopId, order: orderId },
  );
}

/** Orders that were placed on a day, deleted ones too, each by the newest of its rows there that is no tombstone. */
export async function ordersPlacedOn(
  warehouse: Warehouse,
  { shopId, day }: RollupDay,
  orderIds: readonly string[],
): Promise<StoredOrder[]> {
  const rows = await warehouse.ask(
    ORDERS_OF_DAY(
      `SELECT ${ORDER_COLUMNS}
    FROM orders AS o
    WHERE o.shop_id = {shop:String} AND o.placed_day = {day:Date} AND o.order_id IN (${orderIds.map(literal).join(',')})
      AND toUnixTimestamp64Micro(o.placed_at) > 0
    ORDER BY o.version DESC LIMIT 1 BY o.order_id`,
      { shop: shopId, day },
    ),
  );
  return rows.map(toStoredOrder);
}

/** The newest states of orders of a shop, deleted ones too. */
export async function newestOrders(
  warehouse: Warehouse,
  shopId: string,
  orderIds: readonly string[],
): Promise<StoredOrder[]> {
  const ids = orderIds.map(literal).join(',');
  const rows = await warehouse.ask(
    NEWEST_ORDERS(
      `SELECT ${ORDER_COLUMNS}
    FROM orders AS o
    WHERE o.shop_id = {shop:String} AND o.order_id IN (${ids}) AND toUnixTimestamp64Micro(o.placed_at) > 0
      AND o.placed_day IN (SELECT k.day FROM order_keys AS k WHERE k.shop_id = {shop:String} AND k.order_id IN (${ids}))
    ORDER BY o.version DESC LIMIT 1 BY o.order_id`,
      { shop: shopId },
    ),
  );
  return rows.map(toStoredOrder);
}

function catalogQuery(shopId: string, skus: readonly string[], day: number): Query<RowOf<typeof CATALOG>> {
  return CATALOG(
    `SELECT c.sku AS sku, argMax(c.unit_cost, c.since) AS amount, toString(max(c.since)) AS first_day
    FROM product_costs AS c FINAL
    WHERE c.shop_id = {shop:String} AND c.sku IN (${skus.map(literal).join(',')}) AND c.since <= {day:Date} GROUP BY c.sku ${ONE_THREAD}`,
    { shop: shopId, day: formatDay(day) },
  );
}

/** The push that took a stamp. Its log entry is within a day of it, whatever the clocks of API and Redis say. */
function pushQuery(shopId: string, stamp: number): Query<RowOf<typeof PUSH>> {
  return PUSH(
    `SELECT i.batch_id AS batchId, nullIf(i.key_last4, '') AS keyLast4, nullIf(i.request_id, '') AS requestId FROM ingest_log AS i
    WHERE i.shop_id = {shop:String} AND i.kind = 'orders'
      AND i.received_at BETWEEN fromUnixTimestamp64Micro({stamp:Int64}) - INTERVAL 1 DAY AND fromUnixTimestamp64Micro({stamp:Int64}) + INTERVAL 1 DAY
      AND i.first_stamp <= {stamp:Int64} AND i.last_stamp >= {stamp:Int64} LIMIT 1 ${ONE_THREAD}`,
    { shop: shopId, stamp },
  );
}

export function createOrderFinder(warehouse: Warehouse): FindOrder {
  const findCatalog = async (shopId: string, { line_items, day }: StoredOrder): Promise<Map<string, ListedCost>> => {
    const skus = new Set(
      line_items.flatMap(({ sku, unit_cost }) => (unit_cost === undefined && sku !== undefined ? [sku] : [])),
    );
    if (skus.size === 0) return new Map();
    const rows = await warehouse.ask(catalogQuery(shopId, [...skus], day));
    // The year 1900 means "from the beginning".
    return new Map(rows.map(({ sku, amount, first_day }) => [sku, { amount, since: parseDay(first_day) }]));
  };

  const findChannel = async (shopId: string, { order_id, day }: StoredOrder): Promise<string> => {
    const [row] = await warehouse.ask(
      CHANNEL(
        `SELECT toString(last_touch) AS channel FROM order_attribution FINAL
       WHERE shop_id = {shop:String} AND placed_day = {day:Date} AND order_id = {order:String} ${ONE_THREAD}`,
        { shop: shopId, order: order_id, day: formatDay(day) },
      ),
    );
    return row?.channel ?? UNATTRIBUTED_CHANNEL;
  };

  const findTouches = async (shopId: string, order: StoredOrder): Promise<Touch[]> => {
    const { order_id: orderId, checkout_token: checkout = '', placed_at, day, deleted } = order;
    const placedAt = Math.floor(micros(placed_at) / 1_000);
    const placed = { shopId, orderId, checkout, placedAt, placedDay: formatDay(day) };
    for await (const [evidence] of evidenceOf(warehouse, deleted ? [] : [placed])) {
      if (evidence === undefined) continue;
      const { touches, orderAt } = visitsOf(evidence);
      return creditedTouches(touches, orderAt);
    }
    return [];
  };

  const findPush = async (shopId: string, stamp: number): Promise<FoundOrder['written']> => {
    const [row] = await warehouse.ask(pushQuery(shopId, stamp));
    return row ?? null;
  };

  return async (shopId, orderId) => {
    const [[row], known] = await Promise.all([
      warehouse.ask(orderQuery(shopId, orderId)),
      readOrderCosts(warehouse, shopId, orderId),
    ]);
    if (row === undefined) return null;
    const order = { ...toStoredOrder(row), ...known };
    const [catalog, channel, touches, written] = await Promise.all([
      findCatalog(shopId, order),
      findChannel(shopId, order),
      findTouches(shopId, order),
      findPush(shopId, order.received_at),
    ]);
    return { order, catalog, channel, touches, written };
  };
}

import { Type } from 'typebox';
import { UNATTRIBUTED_CHANNEL, type Touch } from '../../domain/attribution/attribution.js';
import type { Evidence } from '../../domain/events/channel.js';
import { formatDay, parseDay } from '../../domain/time.js';
import type { Warehouse } from '../client.js';
import { literal, millisOf, ONE_THREAD } from '../sql.js';
import { ORDER_COLUMNS, ORDER_ROW, toStoredOrder, type OrderRow, type StoredOrder } from '../columns/stored-order.js';
import { readOrderCosts } from './order-costs.js';
import type { RollupDay } from './rollups.js';
import { defineQuery, nullable, textOf, texts, type Query, type RowOf } from '../query.js';

/** The version of a SKU's cost that holds on some day; `since` is its first day, null: from the beginning. */
export interface ListedCost {
  amount: string;
  since: number | null;
}

/** What led to an order: the visits that are credited, oldest first; the last one gives the channel. */
interface OrderCredit {
  channel: string;
  touches: Pick<Touch, 'at' | 'channel' | 'evidence'>[];
}

export interface FoundOrder extends OrderCredit {
  /** With the costs that are known apart from it in place of its own. */
  order: StoredOrder;
  /** By SKU, for its lines that say no cost. */
  catalog: Map<string, ListedCost>;
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
const CREDIT = defineQuery('credit of an order', {
  channel: Type.String(),
  touches: Type.Array(Type.Tuple([Type.Number(), Type.String(), textOf<Evidence>()])),
});

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

function creditQuery(shopId: string, orderId: string, day: number): Query<RowOf<typeof CREDIT>> {
  return CREDIT(
    `SELECT toString(a.last_touch) AS channel,
      arrayZip(arrayMap(at -> ${millisOf('at')}, a.path.at), a.path.channel, a.path.evidence) AS touches
    FROM order_attribution AS a FINAL
    WHERE a.shop_id = {shop:String} AND a.placed_day = {day:Date} AND a.order_id = {order:String} ${ONE_THREAD}`,
    { shop: shopId, order: orderId, day: formatDay(day) },
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

  /** As it was computed: the events may be gone since. A deleted order has none. */
  const findCredit = async (shopId: string, { order_id, day, deleted }: StoredOrder): Promise<OrderCredit> => {
    const [row] = deleted ? [] : await warehouse.ask(creditQuery(shopId, order_id, day));
    const { channel = UNATTRIBUTED_CHANNEL, touches = [] } = row ?? {};
    return { channel, touches: touches.map(([at, ...touch]) => ({ at, channel: touch[0], evidence: touch[1] })) };
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
    const [catalog, credit, written] = await Promise.all([
      findCatalog(shopId, order),
      findCredit(shopId, order),
      findPush(shopId, order.received_at),
    ]);
    return { order, catalog, ...credit, written };
  };
}

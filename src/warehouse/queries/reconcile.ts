import { Type } from 'typebox';
import type { DayEvidence, DaySums, KnownOrder } from '../../domain/reconcile.js';
import type { DayRange } from '../../domain/metrics/range.js';
import { formatDay, parseDay } from '../../domain/time.js';
import type { Warehouse } from '../client.js';
import { idChunks, literal, stampOf } from '../sql.js';
import { COUNTED } from './order-filter.js';
import { defineQuery, textOf, texts, type Query, type QueryParams, type RowOf } from '../query.js';

export interface ReconcileReader {
  /** The figures of days, as the metrics have them; days without any are absent. */
  days(shopId: string, days: readonly number[]): Promise<Map<number, DaySums>>;
  /** What may explain that days differ. */
  evidence(shopId: string, days: readonly number[]): Promise<Map<number, DayEvidence>>;
  /** Newest states by id, those of deleted orders too. */
  orders(shopId: string, orderIds: readonly string[]): Promise<Map<string, KnownOrder>>;
  /** At most `limit` orders of the range besides the listed ones, the earliest days first. */
  others(shopId: string, range: DayRange, listed: readonly string[], limit: number): Promise<KnownOrder[]>;
}

const list = (days: readonly number[]): string => days.map((day) => literal(formatDay(day))).join(',');

const TEXT = Type.String();
const DAYS = defineQuery('figures of days to reconcile', texts('day', 'orders', 'revenue', 'refunds'));
const UTC_SALES = defineQuery('sales by day of UTC', texts('utc_day', 'orders', 'revenue'));
const UTC_REFUNDS = defineQuery('refunds by day of UTC', texts('utc_day', 'refunds'));
const UNCOUNTED = defineQuery('orders that do not count', {
  local_day: TEXT,
  why: textOf<'test' | 'voided' | 'pending'>(),
  ...texts('orders', 'revenue'),
});
const STATE_ROW = { order_id: TEXT, state: Type.Tuple([TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT]) };
const KNOWN_ORDERS = defineQuery('orders to reconcile', STATE_ROW);
const OTHER_ORDERS = defineQuery('other orders of the range', STATE_ROW);
type OrderRow = RowOf<typeof KNOWN_ORDERS>;

function daysQuery(shopId: string, days: readonly number[]): Query<RowOf<typeof DAYS>> {
  return DAYS(
    `SELECT toString(d.day) AS day, toString(sum(d.sums['orders'])) AS orders, sum(d.sums['revenue']) AS revenue,
  sum(d.sums['refunds']) AS refunds
FROM daily_orders AS d FINAL WHERE d.shop_id = {shop:String} AND d.day IN (${list(days)}) GROUP BY d.day`,
    { shop: shopId },
  );
}

/** Sales and refunds of the days and their neighbours by days of UTC, and the orders that don't count. */
function evidenceQueries(shopId: string, days: readonly number[]) {
  const params: QueryParams = { shop: shopId };
  const near = list([...new Set(days.flatMap((day) => [Math.max(0, day - 1), day, day + 1]))]);
  return {
    sales: UTC_SALES(
      `SELECT toString(toDate(o.placed_at, 'UTC')) AS utc_day, toString(count()) AS orders, sum(o.total) AS revenue
FROM orders AS o FINAL WHERE o.shop_id = {shop:String} AND o.placed_day IN (${near}) AND ${COUNTED} GROUP BY utc_day`,
      params,
    ),
    refunds: UTC_REFUNDS(
      `SELECT toString(toDate(refunded_at, 'UTC')) AS utc_day, sum(refund) AS refunds
FROM order_days AS d FINAL ARRAY JOIN d.refund_list.refunded_at AS refunded_at, d.refund_list.total AS refund
WHERE d.shop_id = {shop:String} AND d.day IN (${near}) GROUP BY utc_day`,
      params,
    ),
    uncounted: UNCOUNTED(
      `SELECT toString(o.placed_day) AS local_day, if(o.status = 'paid', 'test', toString(o.status)) AS why,
  toString(count()) AS orders, sum(o.total) AS revenue
FROM orders AS o FINAL WHERE o.shop_id = {shop:String} AND o.placed_day IN (${list(days)}) AND NOT ${COUNTED}
GROUP BY local_day, why`,
      params,
    ),
  };
}

const STATE = `(toString(o.placed_day), toString(toUnixTimestamp64Micro(o.placed_at)),
  toString(toUnixTimestamp64Micro(o.updated_at)), ${stampOf('o.version')},
  toString(o.total), toString(o.status), toString(o.is_test), toString(o.is_deleted))`;

/** The row of the winning version: a tombstone on a day that an order left has no time, and is none. */
function ordersQuery(shopId: string, orderIds: readonly string[]): Query<OrderRow> {
  return KNOWN_ORDERS(
    `SELECT o.order_id AS order_id, argMax(${STATE}, o.version) AS state
FROM orders AS o
WHERE o.shop_id = {shop:String} AND toUnixTimestamp64Micro(o.placed_at) > 0 AND (o.placed_day, o.order_id) IN (
  SELECT k.day, k.order_id FROM order_keys AS k
  WHERE k.shop_id = {shop:String} AND k.order_id IN {ids:Array(String)}
)
GROUP BY o.order_id`,
    { shop: shopId, ids: [...orderIds] },
  );
}

function othersQuery(shopId: string, range: DayRange, limit: number): Query<OrderRow> {
  return OTHER_ORDERS(
    `SELECT o.order_id AS order_id, ${STATE} AS state
FROM orders AS o FINAL
WHERE o.shop_id = {shop:String} AND o.placed_day BETWEEN {from:Date} AND {to:Date}
ORDER BY o.placed_day, o.order_id LIMIT {limit:UInt32}`,
    { shop: shopId, from: formatDay(range.from), to: formatDay(range.to), limit },
  );
}

export function createReconcileReader(warehouse: Warehouse): ReconcileReader {
  return {
    async days(shopId, days) {
      const rows = await warehouse.ask(daysQuery(shopId, days));
      return new Map(
        rows.map(({ day, orders, revenue, refunds }) => [numberOf(day), { orders: Number(orders), revenue, refunds }]),
      );
    },
    async evidence(shopId, days) {
      const { sales, refunds, uncounted } = evidenceQueries(shopId, days);
      const [saleRows, refundRows, uncountedRows] = await Promise.all([
        warehouse.ask(sales),
        warehouse.ask(refunds),
        warehouse.ask(uncounted),
      ]);
      const salesOf = new Map(saleRows.map((row) => [numberOf(row.utc_day), row]));
      const refundsOf = new Map(refundRows.map((row) => [numberOf(row.utc_day), row.refunds]));
      return new Map(
        days.map((day): [number, DayEvidence] => {
          const sale = salesOf.get(day);
          const own = uncountedRows.filter((row) => numberOf(row.local_day) === day);
          return [
            day,
            {
              utc: {
                orders: Number(sale?.orders ?? 0),
                revenue: sale?.revenue ?? '0',
                refunds: refundsOf.get(day) ?? '0',
              },
              uncounted: Object.fromEntries(
                own.map(({ why, orders, revenue }) => [why, { orders: Number(orders), revenue }]),
              ),
            },
          ];
        }),
      );
    },
    async orders(shopId, orderIds) {
      const found = new Map<string, KnownOrder>();
      for (const chunk of idChunks(orderIds)) {
        for (const row of await warehouse.ask(ordersQuery(shopId, chunk))) found.set(row.order_id, toOrder(row));
      }
      return found;
    },
    async others(shopId, range, listed, limit) {
      const known = new Set(listed);
      const rows = await warehouse.ask(othersQuery(shopId, range, limit + listed.length));
      return rows
        .map(toOrder)
        .filter(({ orderId }) => !known.has(orderId))
        .slice(0, limit);
    },
  };
}

const numberOf = (day: string): number => parseDay(day) ?? 0;

function toOrder({
  order_id,
  state: [day, at, updated, stamp, total, status, isTest, isDeleted],
}: OrderRow): KnownOrder {
  return {
    orderId: order_id,
    day: numberOf(day),
    placedAt: Number(at),
    updatedAt: Number(updated),
    receivedAt: Number(stamp),
    total,
    status,
    isTest: isTest === 'true',
    isDeleted: isDeleted === '1',
  };
}

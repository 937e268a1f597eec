import { Type } from 'typebox';
import type { DayEvidence, DaySums, KnownOrder } from '../../domain/reconcile.js';
import type { DayRange } from '../../domain/metrics/range.js';
import type { OrderInput } from '../../domain/orders/orders.js';
import { formatDay } from '../../domain/time.js';
import type { Warehouse } from '../client.js';
import { idChunks, literal, microsOf, stampOf } from '../sql.js';
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

/** Days are day numbers. */
const DAYS = defineQuery('figures of days to reconcile', {
  day: Type.Number(),
  orders: Type.Number(),
  ...texts('revenue', 'refunds'),
});
const UTC_SALES = defineQuery('sales by day of UTC', {
  day: Type.Number(),
  orders: Type.Number(),
  revenue: Type.String(),
});
const UTC_REFUNDS = defineQuery('refunds by day of UTC', { day: Type.Number(), refunds: Type.String() });
const UNCOUNTED = defineQuery('orders that do not count', {
  day: Type.Number(),
  why: textOf<'test' | 'voided' | 'pending'>(),
  orders: Type.Number(),
  revenue: Type.String(),
});
const STATE_ROW = {
  ...texts('order_id', 'total', 'refunded'),
  status: textOf<OrderInput['status']>(),
  day: Type.Number(),
  placed_at: Type.Number(),
  updated_at: Type.Number(),
  received_at: Type.Number(),
  is_test: Type.Boolean(),
  deleted: Type.Boolean(),
};
const KNOWN_ORDERS = defineQuery('orders to reconcile', STATE_ROW);
const OTHER_ORDERS = defineQuery('other orders of the range', STATE_ROW);

function daysQuery(shopId: string, days: readonly number[]): Query<RowOf<typeof DAYS>> {
  return DAYS(
    `SELECT toInt32(d.day) AS day, toFloat64(sum(d.sums['orders'])) AS orders, sum(d.sums['revenue']) AS revenue,
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
      `SELECT toInt32(toDate(o.placed_at, 'UTC')) AS day, toUInt32(count()) AS orders, sum(o.total) AS revenue
FROM orders AS o FINAL WHERE o.shop_id = {shop:String} AND o.placed_day IN (${near}) AND ${COUNTED} GROUP BY day`,
      params,
    ),
    refunds: UTC_REFUNDS(
      `SELECT toInt32(toDate(refunded_at, 'UTC')) AS day, sum(refund) AS refunds
FROM order_days AS d FINAL ARRAY JOIN d.refund_list.refunded_at AS refunded_at, d.refund_list.total AS refund
WHERE d.shop_id = {shop:String} AND d.day IN (${near}) GROUP BY day`,
      params,
    ),
    uncounted: UNCOUNTED(
      `SELECT toInt32(o.placed_day) AS day, if(o.status = 'paid', 'test', toString(o.status)) AS why,
  toUInt32(count()) AS orders, sum(o.total) AS revenue
FROM orders AS o FINAL WHERE o.shop_id = {shop:String} AND o.placed_day IN (${list(days)}) AND NOT ${COUNTED}
GROUP BY day, why`,
      params,
    ),
  };
}

const STATE = `o.order_id AS order_id, o.total AS total, toString(arraySum(o.refunds.total)) AS refunded, toString(o.status) AS status, toInt32(o.placed_day) AS day,
  ${microsOf('o.placed_at')} AS placed_at, ${microsOf('o.updated_at')} AS updated_at, toFloat64(${stampOf('o.version')}) AS received_at,
  o.is_test AS is_test, toBool(o.is_deleted) AS deleted`;

/** The row of the winning version: a tombstone on a day that an order left has no time, and is none. */
function ordersQuery(shopId: string, orderIds: readonly string[]): Query<KnownOrder> {
  return KNOWN_ORDERS(
    `SELECT ${STATE} FROM orders AS o
WHERE o.shop_id = {shop:String} AND toUnixTimestamp64Micro(o.placed_at) > 0 AND (o.placed_day, o.order_id) IN (
  SELECT k.day, k.order_id FROM order_keys AS k
  WHERE k.shop_id = {shop:String} AND k.order_id IN {ids:Array(String)}
)
ORDER BY o.order_id, o.version DESC LIMIT 1 BY o.order_id`,
    { shop: shopId, ids: [...orderIds] },
  );
}

function othersQuery(shopId: string, range: DayRange, limit: number): Query<KnownOrder> {
  return OTHER_ORDERS(
    `SELECT ${STATE} FROM orders AS o FINAL
WHERE o.shop_id = {shop:String} AND o.placed_day BETWEEN {from:Date} AND {to:Date}
ORDER BY o.placed_day, o.order_id LIMIT {limit:UInt32}`,
    { shop: shopId, from: formatDay(range.from), to: formatDay(range.to), limit },
  );
}

export function createReconcileReader(warehouse: Warehouse): ReconcileReader {
  return {
    async days(shopId, days) {
      const rows = await warehouse.ask(daysQuery(shopId, days));
      return new Map(rows.map(({ day, ...sums }) => [day, sums]));
    },
    async evidence(shopId, days) {
      const { sales, refunds, uncounted } = evidenceQueries(shopId, days);
      const [saleRows, refundRows, uncountedRows] = await Promise.all([
        warehouse.ask(sales),
        warehouse.ask(refunds),
        warehouse.ask(uncounted),
      ]);
      const salesOf = new Map(saleRows.map(({ day, ...sales }) => [day, sales]));
      const refundsOf = new Map(refundRows.map((row) => [row.day, row.refunds]));
      return new Map(
        days.map((day): [number, DayEvidence] => {
          const utc = { orders: 0, revenue: '0', ...salesOf.get(day), refunds: refundsOf.get(day) ?? '0' };
          const own = uncountedRows.filter((row) => row.day === day);
          return [day, { utc, uncounted: Object.fromEntries(own.map((row) => [row.why, row])) }];
        }),
      );
    },
    async orders(shopId, orderIds) {
      const found = new Map<string, KnownOrder>();
      for (const chunk of idChunks(orderIds)) {
        for (const row of await warehouse.ask(ordersQuery(shopId, chunk))) found.set(row.order_id, row);
      }
      return found;
    },
    async others(shopId, range, listed, limit) {
      const known = new Set(listed);
      const rows = await warehouse.ask(othersQuery(shopId, range, limit + listed.length));
      return rows.filter(({ order_id }) => !known.has(order_id)).slice(0, limit);
    },
  };
}

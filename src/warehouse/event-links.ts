import type { Warehouse } from './client.js';
import { literal } from './orders.js';

/** What new events of a shop are about. */
export interface EventNews {
  shopId: string;
  visitors: readonly string[];
  /** Order ids and checkout tokens that the events name. */
  orders: readonly string[];
  checkouts: readonly string[];
  /** Time of the earliest event, in milliseconds since 1970. */
  since: number;
}

type Subject = 'v' | 'o' | 'c';

/** The conditions that select the links of these things; an empty list selects nothing. */
export function linksOf(shopId: string, kind: Subject, ids: readonly string[]): string {
  return `shop_id = ${literal(shopId)} AND subject IN (${ids.map((id) => literal(`${kind}:${id}`)).join(',') || 'NULL'})`;
}

/**
 * Orders whose credit new events may change: those that the events name; those that another event ties to a checkout token
 * that they name; and those tied to one of their visitors, unless placed so long before the events that these can be no
 * touches of theirs. Run after the events are stored. Ids of orders that are not stored yet may be among them.
 */
export async function ordersOfEvents(
  warehouse: Warehouse,
  { shopId, visitors, orders, checkouts, since }: EventNews,
  clockSlackMs: number,
): Promise<string[]> {
  const latest = `fromUnixTimestamp64Milli(${Math.max(0, since - clockSlackMs)}, 'UTC')`;
  const rows = await warehouse.query<{ order_id: string }>(
    `SELECT order_id FROM event_links WHERE ${linksOf(shopId, 'c', checkouts)} AND order_id != ''
     UNION DISTINCT
     SELECT order_id FROM orders WHERE shop_id = ${literal(shopId)} AND placed_day >= toDate(${latest}) - 1
       AND placed_at >= ${latest} AND order_id IN (
       WITH own AS (SELECT order_id, checkout_token FROM event_links WHERE ${linksOf(shopId, 'v', visitors)})
       SELECT order_id FROM own WHERE order_id != ''
       UNION DISTINCT
       SELECT order_id FROM event_links WHERE shop_id = ${literal(shopId)} AND order_id != ''
         AND subject IN (SELECT concat('c:', checkout_token) FROM own WHERE checkout_token != '')
     )`,
  );
  return [...new Set([...orders, ...rows.map((row) => row.order_id)])];
}

/** Those of the orders that any event names. */
export async function linkedOrders(
  warehouse: Warehouse,
  shopId: string,
  orderIds: readonly string[],
): Promise<string[]> {
  const rows = await warehouse.query<{ order_id: string }>(
    `SELECT DISTINCT order_id FROM event_links WHERE ${linksOf(shopId, 'o', orderIds)}`,
  );
  return rows.map((row) => row.order_id);
}

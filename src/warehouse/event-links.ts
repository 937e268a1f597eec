import type { Warehouse } from './client.js';
import { literal } from './orders.js';

/** Visitors of a shop and the time of the earliest of their new events, in milliseconds since 1970. */
export interface VisitorNews {
  shopId: string;
  visitors: readonly string[];
  since: number;
}

const subjects = (kind: 'v' | 'o' | 'c', ids: readonly string[]): string =>
  ids.map((id) => literal(`${kind}:${id}`)).join(',');

/**
 * Stored orders that new events of these visitors may explain: tied to a visitor by order id or checkout token, and not
 * placed so long before the events that these can't be touches of theirs.
 */
export async function ordersOfVisitors(
  warehouse: Warehouse,
  { shopId, visitors, since }: VisitorNews,
  clockSlackMs: number,
): Promise<string[]> {
  if (visitors.length === 0) return [];
  const shop = literal(shopId);
  const links = `SELECT order_id, checkout_token FROM event_links
    WHERE shop_id = ${shop} AND subject IN (${subjects('v', visitors)})`;
  const rows = await warehouse.query<{ order_id: string }>(
    `SELECT DISTINCT order_id FROM orders WHERE shop_id = ${shop}
       AND placed_at >= fromUnixTimestamp64Milli(${Math.max(0, since - clockSlackMs)}, 'UTC')
       AND order_id IN (
         WITH l AS (${links})
         SELECT order_id FROM l WHERE order_id != ''
         UNION DISTINCT
         SELECT order_id FROM event_links WHERE shop_id = ${shop} AND order_id != ''
           AND subject IN (SELECT concat('c:', checkout_token) FROM l WHERE checkout_token != '')
       )`,
  );
  return rows.map((row) => row.order_id);
}

/** Those of the orders that any event names. */
export async function linkedOrders(
  warehouse: Warehouse,
  shopId: string,
  orderIds: readonly string[],
): Promise<string[]> {
  const rows = await warehouse.query<{ order_id: string }>(
    `SELECT DISTINCT order_id FROM event_links
     WHERE shop_id = ${literal(shopId)} AND subject IN (${subjects('o', orderIds)})`,
  );
  return rows.map((row) => row.order_id);
}

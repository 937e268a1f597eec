import type { IdsByShop } from '../../domain/by-shop.js';
import type { Warehouse } from '../client.js';
import { pairs } from '../sql.js';

/** What new events of a shop are about. */
export interface EventNews {
  visitors: Set<string>;
  /** Order ids and checkout tokens that the events name. */
  orders: Set<string>;
  checkouts: Set<string>;
  /** Time of the earliest event, in milliseconds since 1970. */
  since: number;
}

export type NewsByShop = ReadonlyMap<string, EventNews>;

/** An order by shop and id. */
export interface ShopOrder {
  shopId: string;
  id: string;
}

type Subject = 'v' | 'o' | 'c';

/** Orders of a checkout, and links of a visitor, the newest: bounds for what made-up events can cost. */
const ORDERS_PER_CHECKOUT = 20;
const LINKS_PER_VISITOR = 1_000;
/** The newest orders that events tie to each checkout. */
const ofCheckouts = (condition: string): string =>
  `SELECT shop_id, order_id FROM event_links WHERE ${condition} AND order_id != ''
   GROUP BY shop_id, subject, order_id ORDER BY max(ts) DESC LIMIT ${ORDERS_PER_CHECKOUT} BY shop_id, subject`;

/** The condition that selects the links of these things. */
export function linksOf(kind: Subject, ids: IdsByShop): string {
  const subjects = new Map([...ids].map(([shopId, own]) => [shopId, own.map((id) => `${kind}:${id}`)]));
  return `(shop_id, subject) IN (${pairs(subjects)})`;
}

/**
 * Orders whose credit new events may change, by shop: those that the events name; those that another event ties to a
 * checkout token that they name; and those tied to one of their visitors, unless placed so long before the events that
 * these can be no touches of theirs. Run after the events are stored. Ids of orders that are not stored yet may be among
 * them.
 */
export async function ordersOfEvents(warehouse: Warehouse, news: NewsByShop, slackMs: number): Promise<ShopOrder[]> {
  const idsOf = (kind: 'visitors' | 'checkouts'): IdsByShop =>
    new Map([...news].map(([shopId, { [kind]: ids }]) => [shopId, [...ids]]));
  const latest = (shopId: string): number => Math.max(0, (news.get(shopId)?.since ?? 0) - slackMs);
  const earliest = `fromUnixTimestamp64Milli(${Math.min(...[...news.keys()].map(latest))}, 'UTC')`;
  const [byCheckout, byVisitor] = await Promise.all([
    warehouse.query<{ shop_id: string; order_id: string }>(ofCheckouts(linksOf('c', idsOf('checkouts')))),
    warehouse.query<{ shop_id: string; order_id: string; placed: string }>(
      `SELECT shop_id, order_id, toUnixTimestamp64Milli(placed_at) AS placed FROM orders
       WHERE placed_day >= toDate(${earliest}) - 1 AND (shop_id, placed_day, order_id) GLOBAL IN (
         SELECT shop_id, day, order_id FROM order_keys WHERE (shop_id, order_id) GLOBAL IN (
           WITH own AS (SELECT shop_id, order_id, checkout_token FROM event_links WHERE ${linksOf('v', idsOf('visitors'))}
             ORDER BY ts DESC LIMIT ${LINKS_PER_VISITOR} BY shop_id, subject)
           SELECT shop_id, order_id FROM own WHERE order_id != ''
           UNION DISTINCT
           SELECT shop_id, order_id FROM (${ofCheckouts(
             `(shop_id, subject) GLOBAL IN (SELECT shop_id, concat('c:', checkout_token) FROM own WHERE checkout_token != '')`,
           )})
         )
       )`,
    ),
  ]);
  return [
    ...[...news].flatMap(([shopId, { orders }]) => [...orders].map((id) => ({ shopId, id }))),
    ...byCheckout.map((row) => ({ shopId: row.shop_id, id: row.order_id })),
    ...byVisitor
      .filter((row) => Number(row.placed) >= latest(row.shop_id))
      .map((row) => ({ shopId: row.shop_id, id: row.order_id })),
  ];
}

/** Those of the orders that any event names. */
export async function linkedOrders(warehouse: Warehouse, orders: IdsByShop): Promise<ShopOrder[]> {
  const rows = await warehouse.query<{ shop_id: string; order_id: string }>(
    `SELECT DISTINCT shop_id, order_id FROM event_links WHERE ${linksOf('o', orders)}`,
  );
  return rows.map((row) => ({ shopId: row.shop_id, id: row.order_id }));
}

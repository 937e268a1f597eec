import { Type } from 'typebox';
import { MAX_ORDERS_PER_DAY } from '../../domain/attribution/busy-visitor.js';
import type { IdsByShop } from '../../domain/by-shop.js';
import type { Warehouse } from '../client.js';
import { millisOf, pairs } from '../sql.js';
import { defineQuery, texts } from '../query.js';

/** What new events of a shop are about. */
export interface EventNews {
  visitors: Set<string>;
  /** Order ids and checkout tokens that the events name. */
  orders: Set<string>;
  checkouts: Set<string>;
  /** Time of the earliest event, in milliseconds since 1970. */
  since: number;
  /** When the first and the last of them arrived, in milliseconds since 1970. */
  arrived: { from: number; to: number };
}

export type NewsByShop = ReadonlyMap<string, EventNews>;

/** An order by shop and id. */
export interface ShopOrder {
  shopId: string;
  id: string;
}

type Subject = 'v' | 'o' | 'c';

/** Visitors and orders that a checkout token may have: what more share is no token of one checkout. */
export const MAX_LINKS_PER_CHECKOUT = 20;
/** Links of a visitor, the newest: a bound for what made-up events can cost. */
const LINKS_PER_VISITOR = 1_000;
/** Of the names that a visitor gave in one hour: one more than leaves any of them counting. */
const NAMES_PER_HOUR = MAX_ORDERS_PER_DAY + 1;
/** A day, and an hour for pushes that were queued together. */
const NEAR_MS = 25 * 3_600_000;

/** The condition that selects the links of these things. */
export function linksOf(kind: Subject, ids: IdsByShop): string {
  const subjects = new Map([...ids].map(([shopId, own]) => [shopId, own.map((id) => `${kind}:${id}`)]));
  return `(shop_id, subject) IN (${pairs(subjects)})`;
}

/**
 * Orders whose credit new events may change, by shop: those that the events name; those that another event ties to a
 * checkout token that they name; those tied to one of their visitors, unless placed so long before the events that these
 * can't count for them; and those that one of their visitors named around the time of their arrival, since a visitor that
 * names too many counts for none. Run after the events are stored. Ids of orders that are not stored yet may be among them.
 */
export async function ordersOfEvents(warehouse: Warehouse, news: NewsByShop, slackMs: number): Promise<ShopOrder[]> {
  const idsOf = (kind: 'visitors' | 'checkouts' | 'orders'): IdsByShop =>
    new Map([...news].map(([shopId, { [kind]: ids }]) => [shopId, [...ids]]));
  const isNamed = [...news.values()].some(({ orders, checkouts }) => orders.size + checkouts.size > 0);
  const [byCheckout, byToken, byVisitor, byArrival] = await Promise.all([
    warehouse.ask(ORDERS_OF_CHECKOUTS(ofCheckouts(linksOf('c', idsOf('checkouts')), idsOf('orders')))),
    ordersWithCheckouts(warehouse, idsOf('checkouts')),
    ordersOfVisitors(warehouse, news, slackMs),
    isNamed ? namedAround(warehouse, news) : [],
  ]);
  return [
    ...[...news].flatMap(([shopId, { orders }]) => [...orders].map((id) => ({ shopId, id }))),
    ...byCheckout,
    ...byToken,
    ...byVisitor,
    ...byArrival,
  ];
}

const ORDER = texts('shopId', 'id');
const ORDERS_OF_CHECKOUTS = defineQuery('orders that events tie to checkouts', ORDER);
const ORDERS_WITH_CHECKOUTS = defineQuery('orders that carry checkouts', ORDER);
const ORDERS_OF_VISITORS = defineQuery('orders of visitors', { ...ORDER, placedAt: Type.Number() });
const ORDERS_NAMED_AROUND = defineQuery('orders that visitors named around', ORDER);
const LINKED_ORDERS = defineQuery('orders that events name', ORDER);
const LINKED_BY_CHECKOUT = defineQuery('orders whose checkouts events name', ORDER);

/** Orders that carry one of these checkout tokens; of a token that many carry, one more than leaves it a token. */
function ordersWithCheckouts(warehouse: Warehouse, tokens: IdsByShop): Promise<ShopOrder[]> | ShopOrder[] {
  if ([...tokens.values()].every((own) => own.length === 0)) return [];
  return warehouse.ask(ORDERS_WITH_CHECKOUTS(withCheckouts(`(shop_id, checkout_token) IN (${pairs(tokens)})`)));
}

const withCheckouts = (condition: string): string =>
  `SELECT shop_id AS shopId, order_id AS id FROM order_checkouts WHERE ${condition}
   GROUP BY shop_id, checkout_token, order_id ORDER BY min(version) LIMIT ${MAX_LINKS_PER_CHECKOUT + 1} BY shop_id, checkout_token`;

/** The newest orders that events tie to each checkout, but for those that are `known`. */
const ofCheckouts = (condition: string, known: IdsByShop): string =>
  `SELECT shop_id AS shopId, order_id AS id FROM event_links
   WHERE ${condition} AND order_id != '' AND (shop_id, order_id) NOT IN (${pairs(known)})
   GROUP BY shop_id, subject, order_id ORDER BY max(ts) DESC LIMIT ${MAX_LINKS_PER_CHECKOUT} BY shop_id, subject`;

async function ordersOfVisitors(warehouse: Warehouse, news: NewsByShop, slackMs: number): Promise<ShopOrder[]> {
  const latest = (shopId: string): number => Math.max(0, (news.get(shopId)?.since ?? 0) - slackMs);
  const earliest = `fromUnixTimestamp64Milli(${Math.min(...[...news.keys()].map(latest))}, 'UTC')`;
  const visitors = new Map([...news].map(([shopId, own]) => [shopId, [...own.visitors]]));
  const known = new Map([...news].map(([shopId, own]) => [shopId, [...own.orders]]));
  const rows = await warehouse.ask(
    ORDERS_OF_VISITORS(`SELECT shop_id AS shopId, order_id AS id, ${millisOf('placed_at')} AS placedAt FROM orders
     WHERE placed_day >= toDate(${earliest}) - 1 AND (shop_id, placed_day, order_id) IN (
       SELECT shop_id, day, order_id FROM order_keys WHERE (shop_id, order_id) IN (
         WITH own AS (SELECT shop_id, order_id, checkout_token FROM event_links WHERE ${linksOf('v', visitors)}
           ORDER BY ts DESC LIMIT ${LINKS_PER_VISITOR} BY shop_id, subject)
         SELECT shop_id, order_id FROM own WHERE order_id != ''
         UNION DISTINCT
         SELECT shopId, id FROM (${ofCheckouts(
           `(shop_id, subject) IN (SELECT shop_id, concat('c:', checkout_token) FROM own WHERE checkout_token != '')`,
           known,
         )})
         UNION DISTINCT
         SELECT shopId, id FROM (${withCheckouts(
           `(shop_id, checkout_token) IN (SELECT shop_id, checkout_token FROM own WHERE checkout_token != '')`,
         )})
       )
     )`),
  );
  return rows.filter(({ shopId, placedAt }) => placedAt >= latest(shopId));
}

/**
 * What the visitors of new events named within a day of their arrival, in other events. Of an hour in which a visitor named more
 * than {@link NAMES_PER_HOUR} others, nothing counted before, so no more are needed.
 */
function namedAround(warehouse: Warehouse, news: NewsByShop): Promise<ShopOrder[]> {
  const visitors = new Map([...news].map(([shopId, own]) => [shopId, [...own.visitors]]));
  const orders = new Map([...news].map(([shopId, own]) => [shopId, [...own.orders]]));
  const names = new Map(
    [...news].map(([shopId, own]) => [
      shopId,
      [...Array.from(own.orders, (id) => `o:${id}`), ...Array.from(own.checkouts, (token) => `c:${token}`)],
    ]),
  );
  const arrivals = [...news.values()].map(({ arrived }) => arrived);
  const from = Math.min(...arrivals.map((arrived) => arrived.from)) - NEAR_MS;
  const to = Math.max(...arrivals.map((arrived) => arrived.to)) + NEAR_MS;
  return warehouse.ask(
    ORDERS_NAMED_AROUND(`WITH around AS (
       SELECT shop_id, name FROM (
         SELECT shop_id, subject, name, min(received_at) AS first FROM event_links
         ARRAY JOIN [concat('o:', order_id), concat('c:', checkout_token)] AS name
         WHERE ${linksOf('v', visitors)} AND length(name) > 2 AND (shop_id, name) NOT IN (${pairs(names)})
         GROUP BY shop_id, subject, name
         HAVING first BETWEEN fromUnixTimestamp64Milli(${from}, 'UTC') AND fromUnixTimestamp64Milli(${to}, 'UTC')
         ORDER BY first LIMIT ${NAMES_PER_HOUR} BY shop_id, subject, left(name, 2), toStartOfHour(first)
       )
     )
     SELECT shop_id AS shopId, substring(name, 3) AS id FROM around WHERE startsWith(name, 'o:')
     UNION DISTINCT
     SELECT shopId, id FROM (${ofCheckouts(
       `(shop_id, subject) IN (SELECT shop_id, name FROM around WHERE startsWith(name, 'c:'))`,
       orders,
     )})
     UNION DISTINCT
     SELECT shopId, id FROM (${withCheckouts(
       `(shop_id, concat('c:', checkout_token)) IN (SELECT shop_id, name FROM around WHERE startsWith(name, 'c:'))`,
     )})`),
  );
}

/** Those of the orders that any event names. */
export const linkedOrders = (warehouse: Warehouse, orders: IdsByShop): Promise<ShopOrder[]> =>
  warehouse.ask(
    LINKED_ORDERS(`SELECT DISTINCT shop_id AS shopId, order_id AS id FROM event_links WHERE ${linksOf('o', orders)}`),
  );

/** Orders that carry one of these checkout tokens, if any event names it: those that were just written, and others with the same. */
export async function linkedByCheckout(warehouse: Warehouse, checkouts: IdsByShop): Promise<ShopOrder[]> {
  if (checkouts.size === 0) return [];
  return warehouse.ask(
    LINKED_BY_CHECKOUT(
      withCheckouts(
        `(shop_id, checkout_token) IN (${pairs(checkouts)}) AND (shop_id, concat('c:', checkout_token)) IN (
         SELECT shop_id, subject FROM event_links WHERE ${linksOf('c', checkouts)})`,
      ),
    ),
  );
}

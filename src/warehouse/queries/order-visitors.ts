import { Type } from 'typebox';
import { isBusy, MAX_ORDERS_PER_DAY, type OrdersByHour } from '../../domain/attribution/busy-visitor.js';
import type { OrderVisitor } from '../../domain/attribution/order-visits.js';
import { addIds, idLists, type IdsByShop } from '../../domain/by-shop.js';
import type { Warehouse } from '../client.js';
import { literal, ONE_THREAD, pairs } from '../sql.js';
import { linksOf, MAX_LINKS_PER_CHECKOUT } from './event-links.js';
import { defineQuery, nullable, texts, type RowOf } from '../query.js';

/** A stored order, as far as its visitors are found by it. */
export interface PlacedOrder {
  shopId: string;
  orderId: string;
  /** The checkout token that it carries; empty: none. */
  checkout: string;
  /** Milliseconds since 1970. */
  placedAt: number;
}

/** The visitors of an order, and the token that it carries if it is one of its own. */
export interface FoundVisitors {
  checkout: string;
  visitors: LinkedVisitor[];
}

/** A visitor of an order, before its events are read. */
export type LinkedVisitor = Omit<OrderVisitor, 'events'>;

/**
 * Bounds for what made-up events can cost. Of the visitors that name an order those count that named it nearest to its time:
 * of so many it is found out whether they name too many orders, and so many of the others count. A visitor has two checkout
 * tokens of an order at most.
 */
const VISITORS_CHECKED = 100;
const VISITORS_PER_ORDER = 20;
/** Of an order, token or visitor with more links nothing is read: 100 seconds of all that a pixel token may send. */
const MAX_LINKS = 50_000;

const SUBJECT = texts('shopId', 'subject');
const TIE = {
  ...SUBJECT,
  /** Of the visitor. */
  id: Type.String(),
  namedAt: Type.Number(),
  purchasedAt: nullable(Type.Number()),
  checkouts: Type.Array(Type.String()),
};
const VISITORS_OF_ORDERS = defineQuery('visitors of orders', TIE);
const VISITORS_OF_CHECKOUTS = defineQuery('visitors of checkouts', TIE);
const SHARED_CHECKOUTS = defineQuery('checkouts of many orders', texts('shopId', 'token'));
const NAMES_BY_HOUR = defineQuery('names of visitors by hour', {
  ...SUBJECT,
  hours: Type.Array(Type.Tuple([Type.Number(), Type.Number()])),
});
const LINKED = defineQuery('linked subjects', texts('shopId', 'id'));
type TieRow = RowOf<typeof VISITORS_OF_ORDERS>;

const key = (shopId: string, id: string): string => `${shopId}\n${id}`;

/**
 * The visitors that are tied to each of these orders: those whose events name it, and those whose events name a checkout token
 * that it carries or that is next to its id in an event. A visitor that names too many orders in a day is none of theirs, and a
 * token that many visitors or orders have is no token. The answer follows from what is stored, in whatever order it came.
 */
export async function readOrderVisitors(
  warehouse: Warehouse,
  orders: readonly PlacedOrder[],
): Promise<Map<PlacedOrder, FoundVisitors>> {
  if (orders.length === 0) return new Map();
  const byOrder = groupTies(await withoutBusy(warehouse, await readNamed(warehouse, orders), 'o'));
  const found = orders.map((order) => {
    const named = (byOrder.get(key(order.shopId, `o:${order.orderId}`)) ?? []).slice(0, VISITORS_PER_ORDER);
    return { order, named, beside: new Set(named.flatMap(({ checkouts }) => checkouts)) };
  });
  const tokens = new Map<string, Set<string>>();
  for (const { order, beside } of found) {
    const own = order.checkout === '' ? [...beside] : [order.checkout, ...beside];
    if (own.length > 0) addIds(tokens, order.shopId, own);
  }
  const [ties, carried] = await Promise.all([
    readTied(warehouse, idLists(tokens)),
    sharedCheckouts(warehouse, idLists(tokens)),
  ]);
  const single = new Set(
    ties.map(({ shopId, subject }) => key(shopId, subject.slice(2))).filter((id) => !carried.has(id)),
  );
  const tied = groupTies(await withoutBusy(warehouse, ties, 'c'));
  return new Map(
    found.map(({ order, named, beside }) => {
      const { shopId, checkout } = order;
      const isSingle = (token: string): boolean => single.has(key(shopId, token));
      const isShared = carried.has(key(shopId, checkout)) || (beside.has(checkout) && !isSingle(checkout));
      const joined = [...new Set([checkout, ...beside])].filter(isSingle);
      const others = joined.flatMap((token) => tied.get(key(shopId, `c:${token}`)) ?? []);
      const own = named.map((tie) => ({ ...tie, checkouts: tie.checkouts.filter(isSingle) }));
      return [order, { checkout: isShared ? '' : checkout, visitors: joinTies([...own, ...others]) }];
    }),
  );
}

/** Per order and visitor that names it, those nearest to the order first. */
async function readNamed(warehouse: Warehouse, orders: readonly PlacedOrder[]): Promise<TieRow[]> {
  const placed = orders.map(
    ({ shopId, orderId, placedAt }) => `(${literal(shopId)},${literal(`o:${orderId}`)},${Math.trunc(placedAt)})`,
  );
  const ids = new Map<string, Set<string>>();
  for (const { shopId, orderId } of orders) addIds(ids, shopId, [orderId]);
  const read = await withoutFlooded(warehouse, 'o', idLists(ids));
  if (read.size === 0) return [];
  return warehouse.ask(
    VISITORS_OF_ORDERS(`SELECT t.shop_id AS shopId, t.subject AS subject, t.anon_id AS id, toFloat64(t.named) AS namedAt,
       nullIf(toFloat64(t.purchased), 0) AS purchasedAt, t.checkouts AS checkouts
     FROM (
       SELECT shop_id, subject, anon_id, min(toUnixTimestamp64Milli(received_at)) AS named,
         minIf(toUnixTimestamp64Milli(ts), is_purchase) AS purchased,
         arrayDistinct(arrayFilter(token -> token != '', [
           minIf(checkout_token, checkout_token != ''), max(checkout_token)
         ])) AS checkouts
       FROM event_links FINAL WHERE ${linksOf('o', read)} GROUP BY shop_id, subject, anon_id
     ) AS t
     INNER JOIN (
       SELECT p.1 AS shop_id, p.2 AS subject, p.3 AS placed
       FROM (SELECT arrayJoin(CAST(${literal(`[${placed.join(',')}]`)}, 'Array(Tuple(String, String, Int64))')) AS p)
     ) AS o ON t.shop_id = o.shop_id AND t.subject = o.subject
     ORDER BY t.shop_id, t.subject, abs(t.named - o.placed), t.named, t.anon_id
     LIMIT ${VISITORS_CHECKED} BY t.shop_id, t.subject`),
  );
}

/** Per checkout token and visitor that names it; nothing of a token that many visitors or orders have. */
async function readTied(warehouse: Warehouse, tokens: IdsByShop): Promise<TieRow[]> {
  if (tokens.size === 0) return [];
  const read = await withoutFlooded(warehouse, 'c', tokens);
  if (read.size === 0) return [];
  return warehouse.ask(
    VISITORS_OF_CHECKOUTS(`SELECT t.shop_id AS shopId, t.subject AS subject, v.1 AS id, toFloat64(v.2) AS namedAt,
       nullIf(toFloat64(v.3), 0) AS purchasedAt, [substring(t.subject, 3)] AS checkouts
     FROM (
       SELECT shop_id, subject, groupArray(${MAX_LINKS_PER_CHECKOUT})((anon_id, named, purchased)) AS visitors,
         arrayUniq(arrayFlatten(groupArray(${MAX_LINKS_PER_CHECKOUT})(orders))) AS distinct_orders
       FROM (
         SELECT shop_id, subject, anon_id, min(toUnixTimestamp64Milli(received_at)) AS named,
           minIf(toUnixTimestamp64Milli(ts), is_purchase) AS purchased,
           groupUniqArrayIf(${MAX_LINKS_PER_CHECKOUT + 1})(order_id, order_id != '') AS orders
         FROM event_links FINAL WHERE ${linksOf('c', read)} GROUP BY shop_id, subject, anon_id
       ) GROUP BY shop_id, subject HAVING count() <= ${MAX_LINKS_PER_CHECKOUT} AND distinct_orders <= ${MAX_LINKS_PER_CHECKOUT}
     ) AS t ARRAY JOIN t.visitors AS v
     ORDER BY t.shop_id, t.subject, v.2, v.1`),
  );
}

/** Tokens that many orders carry. */
async function sharedCheckouts(warehouse: Warehouse, tokens: IdsByShop): Promise<Set<string>> {
  if (tokens.size === 0) return new Set();
  const rows = await warehouse.ask(
    SHARED_CHECKOUTS(`SELECT shop_id AS shopId, checkout_token AS token FROM order_checkouts WHERE (shop_id, checkout_token) IN (${pairs(tokens)})
     GROUP BY shop_id, checkout_token HAVING uniqExact(order_id) > ${MAX_LINKS_PER_CHECKOUT}`),
  );
  return new Set(rows.map(({ shopId, token }) => key(shopId, token)));
}

/** The ties without those of a visitor that names too many orders, or too many tokens, around the same time. */
async function withoutBusy(warehouse: Warehouse, ties: readonly TieRow[], kind: 'o' | 'c'): Promise<TieRow[]> {
  if (ties.length === 0) return [];
  const visitors = new Map<string, Set<string>>();
  for (const { shopId, id } of ties) addIds(visitors, shopId, [id]);
  const read = await withoutFlooded(warehouse, 'v', idLists(visitors));
  if (read.size === 0) return [];
  const readIds = new Set([...read].flatMap(([shopId, own]) => own.map((id) => key(shopId, id))));
  const rows = await warehouse.ask(
    NAMES_BY_HOUR(`SELECT shop_id AS shopId, subject, groupArray((toUInt32(hour), toUInt32(names))) AS hours
     FROM (
       SELECT shop_id, subject, hour, count() AS names
       FROM (
         SELECT shop_id, subject, toUInt32(intDiv(min(toUnixTimestamp64Milli(received_at)), 3600000)) AS hour
         FROM event_links FINAL
         WHERE ${linksOf('v', read)} AND ${NAME_OF[kind]} != ''
         GROUP BY shop_id, subject, ${NAME_OF[kind]}
       ) GROUP BY shop_id, subject, hour
     ) GROUP BY shop_id, subject HAVING sum(names) > ${MAX_ORDERS_PER_DAY}`),
  );
  const busy = new Map(
    rows.map(({ shopId, subject, hours }): [string, OrdersByHour] => [key(shopId, subject), new Map(hours)]),
  );
  return ties.filter(({ shopId, id, namedAt }) => {
    if (!readIds.has(key(shopId, id))) return false;
    const hours = busy.get(key(shopId, `v:${id}`));
    return hours === undefined || !isBusy(hours, namedAt);
  });
}

/**
 * Those that have links, and few enough. The count is that of distinct events, so repeats and merges change nothing. Most orders of
 * a shop have none, and nothing else is read of them: of a single one that is a fifth of the CPU time.
 */
async function withoutFlooded(warehouse: Warehouse, kind: 'o' | 'c' | 'v', ids: IdsByShop): Promise<IdsByShop> {
  const rows = await warehouse.ask(
    LINKED(`SELECT shop_id AS shopId, substring(subject, 3) AS id FROM event_links WHERE ${linksOf(kind, ids)}
     GROUP BY shop_id, subject HAVING uniqCombined(event_id) <= ${MAX_LINKS} ${ONE_THREAD}`),
  );
  const linked = new Map<string, Set<string>>();
  for (const { shopId, id } of rows) addIds(linked, shopId, [id]);
  return idLists(linked);
}

const NAME_OF = { o: 'order_id', c: 'checkout_token' };

function groupTies(ties: readonly TieRow[]): Map<string, TieRow[]> {
  const groups = new Map<string, TieRow[]>();
  for (const tie of ties) {
    const group = key(tie.shopId, tie.subject);
    const known = groups.get(group);
    if (known === undefined) groups.set(group, [tie]);
    else known.push(tie);
  }
  return groups;
}

/** One entry a visitor, however it is tied. */
function joinTies(ties: readonly TieRow[]): LinkedVisitor[] {
  const visitors = new Map<string, LinkedVisitor>();
  for (const { id, namedAt, purchasedAt: purchased, checkouts } of ties) {
    const known = visitors.get(id);
    const purchases = [known?.purchasedAt, purchased];
    const [purchasedAt = null] = purchases.filter((at) => typeof at === 'number').sort((a, b) => a - b);
    visitors.set(id, {
      id,
      checkouts: [...new Set([...(known?.checkouts ?? []), ...checkouts])],
      namedAt: Math.min(known?.namedAt ?? Infinity, namedAt),
      purchasedAt,
    });
  }
  return [...visitors.values()];
}

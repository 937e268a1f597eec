import type { Share } from '../domain/attribution.js';
import type { VisitorEvent } from '../domain/sessions.js';
import type { Warehouse } from './client.js';
import { linksOf } from './event-links.js';
import { literal } from './orders.js';

/** All that decides the credit of one order. Times are milliseconds since 1970. */
export interface OrderEvidence {
  orderId: string;
  placedAt: number;
  /** Local day, `YYYY-MM-DD`. */
  placedDay: string;
  /** Times of the purchase events tied to the order. */
  purchases: number[];
  /** Events of each visitor that is tied to the order. */
  visitors: VisitorEvent[][];
}

/** Credit of one order: a channel each, or the shares of `linear`. */
export interface OrderCredit {
  orderId: string;
  placedDay: string;
  lastTouch: string;
  firstTouch: string;
  linear: readonly Share[];
}

/** Bounds for what a flood of made-up events can cost; no customer comes near them. */
const LINKS_PER_ORDER = 100;
const EVENTS_PER_VISITOR = 10_000;

interface LinkRow {
  order_id: string;
  checkout_token: string;
  anon_id: string;
  at: string;
  is_purchase: boolean;
}

/**
 * What the events know of those orders that are stored and not deleted. An order is tied to the visitors whose events name
 * it, and to those whose events name a checkout token that stands beside its id in any event.
 */
export async function readEvidence(
  warehouse: Warehouse,
  shopId: string,
  orderIds: readonly string[],
): Promise<OrderEvidence[]> {
  const [orders, named] = await Promise.all([
    warehouse.query<{ order_id: string; at: string; day: string }>(
      `SELECT order_id, toUnixTimestamp64Milli(placed_at) AS at, toString(placed_day) AS day FROM orders FINAL
       WHERE shop_id = ${literal(shopId)} AND (placed_day, order_id) IN (
         SELECT day, order_id FROM order_keys
         WHERE shop_id = ${literal(shopId)} AND order_id IN (${orderIds.map(literal).join(',')})
       )`,
    ),
    readLinks(warehouse, linksOf(shopId, 'o', orderIds)),
  ]);
  const tokens = distinct(named.map((link) => link.checkout_token).filter((token) => token !== ''));
  const tied = tokens.length === 0 ? [] : await readLinks(warehouse, linksOf(shopId, 'c', tokens));
  const events = await readVisitors(warehouse, shopId, distinct([...named, ...tied].map((link) => link.anon_id)));

  return orders.map(({ order_id, at, day }) => {
    const own = named.filter((link) => link.order_id === order_id);
    const tokensOfOrder = new Set(own.map((link) => link.checkout_token));
    const links = [...own, ...tied.filter((link) => tokensOfOrder.has(link.checkout_token))];
    return {
      orderId: order_id,
      placedAt: Number(at),
      placedDay: day,
      purchases: links.filter((link) => link.is_purchase).map((link) => Number(link.at)),
      visitors: distinct(links.map((link) => link.anon_id)).map((visitor) => events.get(visitor) ?? []),
    };
  });
}

function readLinks(warehouse: Warehouse, where: string): Promise<LinkRow[]> {
  return warehouse.query<LinkRow>(
    `SELECT order_id, checkout_token, anon_id, toUnixTimestamp64Milli(ts) AS at, is_purchase FROM event_links FINAL
     WHERE ${where} ORDER BY subject, ts, event_id LIMIT ${LINKS_PER_ORDER} BY subject`,
  );
}

async function readVisitors(
  warehouse: Warehouse,
  shopId: string,
  visitors: readonly string[],
): Promise<Map<string, VisitorEvent[]>> {
  if (visitors.length === 0) return new Map();
  const rows = await warehouse.query<{ anon_id: string; events: [string, string, string][] }>(
    `SELECT anon_id, groupArray((toUnixTimestamp64Milli(ts), toString(channel), toString(arrival))) AS events FROM (
       SELECT anon_id, ts, channel, arrival FROM visitor_events FINAL
       WHERE shop_id = ${literal(shopId)} AND anon_id IN (${visitors.map(literal).join(',')})
       ORDER BY ts DESC LIMIT ${EVENTS_PER_VISITOR} BY anon_id
     ) GROUP BY anon_id`,
  );
  return new Map(
    rows.map(({ anon_id, events }) => [
      anon_id,
      events.map(([at, channel, arrival]) => ({ at: Number(at), channel, arrival })),
    ]),
  );
}

/** `version` is a stamp taken before the evidence was read, so that the later computation wins. */
export async function writeCredits(
  warehouse: Warehouse,
  shopId: string,
  credits: readonly OrderCredit[],
  version: number,
): Promise<void> {
  await warehouse.insert(
    'order_attribution',
    credits.map(({ orderId, placedDay, lastTouch, firstTouch, linear }) => ({
      shop_id: shopId,
      placed_day: placedDay,
      order_id: orderId,
      version,
      last_touch: lastTouch,
      first_touch: firstTouch,
      touches: Number(linear[0]?.denominator ?? 1n),
      'linear.channel': linear.map((share) => share.channel),
      'linear.touches': linear.map((share) => Number(share.numerator)),
    })),
  );
}

/** Every day that any version of the orders stands on. */
export async function daysOfOrders(
  warehouse: Warehouse,
  shopId: string,
  orderIds: readonly string[],
): Promise<string[]> {
  const rows = await warehouse.query<{ day: string }>(
    `SELECT DISTINCT toString(day) AS day FROM order_keys
     WHERE shop_id = ${literal(shopId)} AND order_id IN (${orderIds.map(literal).join(',')})`,
  );
  return rows.map((row) => row.day);
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

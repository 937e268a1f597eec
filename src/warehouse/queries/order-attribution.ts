import type { Share } from '../../domain/attribution/attribution.js';
import type { VisitorEvent } from '../../domain/attribution/sessions.js';
import type { Evidence } from '../../domain/events/channel.js';
import { addIds, idLists, type IdsByShop } from '../../domain/by-shop.js';
import type { Warehouse } from '../client.js';
import { pairs } from '../sql.js';
import { linksOf } from './event-links.js';

/** All that decides the credit of one order. Times are milliseconds since 1970. */
export interface OrderEvidence {
  shopId: string;
  orderId: string;
  placedAt: number;
  /** Local day, `YYYY-MM-DD`. */
  placedDay: string;
  /** Times of the purchase events tied to the order. */
  purchases: number[];
  /** Events of each visitor that is tied to the order. */
  visitors: VisitorEvent[][];
}

/** Credit of one order: the share of the one touch, or those of `linear`. */
export interface OrderCredit {
  shopId: string;
  orderId: string;
  placedDay: string;
  lastTouch: Share;
  firstTouch: Share;
  linear: readonly Share[];
}

/**
 * Bounds for what made-up events can cost; no customer comes near them. The first links of an order and of a checkout count, the
 * first checkouts and visitors of an order, and the newest events of a visitor.
 */
const LINKS = 100;
const CHECKOUTS_PER_ORDER = 10;
const VISITORS_PER_ORDER = 20;
const EVENTS_PER_VISITOR = 5_000;
/** Events in memory at the same time; those of one order may be more. */
const EVENTS_AT_ONCE = 100_000;

interface LinkRow {
  shop_id: string;
  order_id: string;
  checkout_token: string;
  anon_id: string;
  at: string;
  is_purchase: boolean;
}

/**
 * What the events know of those orders that are stored and not deleted, some orders at a time. An order is tied to the visitors
 * whose events name it, and to those whose events name a checkout token that stands beside its id in any event.
 */
export async function* readEvidence(warehouse: Warehouse, ids: IdsByShop): AsyncGenerator<OrderEvidence[]> {
  const [orders, named] = await Promise.all([
    warehouse.query<{ shop_id: string; order_id: string; at: string; day: string }>(
      `SELECT shop_id, order_id, toUnixTimestamp64Milli(placed_at) AS at, toString(placed_day) AS day FROM orders FINAL
       WHERE (shop_id, placed_day, order_id) GLOBAL IN (
         SELECT shop_id, day, order_id FROM order_keys WHERE (shop_id, order_id) IN (${pairs(ids)})
       )`,
    ),
    readLinks(warehouse, 'o', ids),
  ]);
  const namedBy = groupLinks(named, (link) => link.order_id);
  const tokens = new Map<string, Set<string>>();
  const seen = orders.map((order) => {
    const own = namedBy.get(key(order.shop_id, order.order_id)) ?? [];
    const checkouts = distinct(own.map((link) => link.checkout_token).filter((token) => token !== ''));
    const known = checkouts.slice(0, CHECKOUTS_PER_ORDER);
    if (known.length > 0) addIds(tokens, order.shop_id, known);
    return { ...order, own, checkouts: known };
  });
  const tied = await readLinks(warehouse, 'c', idLists(tokens));
  const tiedBy = groupLinks(tied, (link) => link.checkout_token);
  const linked = seen.map(({ shop_id, order_id, at, day, own, checkouts }): LinkedOrder => {
    const links = [...own, ...checkouts.flatMap((token) => tiedBy.get(key(shop_id, token)) ?? [])];
    return {
      shopId: shop_id,
      orderId: order_id,
      placedAt: Number(at),
      placedDay: day,
      purchases: links.filter((link) => link.is_purchase).map((link) => Number(link.at)),
      visitors: distinct(links.map((link) => link.anon_id)).slice(0, VISITORS_PER_ORDER),
    };
  });

  const counts = await countEvents(warehouse, visitorsOf(linked));
  for (const group of inGroups(linked, counts)) {
    const events = await readVisitors(warehouse, visitorsOf(group));
    yield group.map(({ visitors, ...order }) => ({
      ...order,
      visitors: visitors.map((visitor) => events.get(key(order.shopId, visitor)) ?? []),
    }));
  }
}

/** An order and the `anon_id` of its visitors. */
type LinkedOrder = Omit<OrderEvidence, 'visitors'> & { visitors: string[] };

function visitorsOf(orders: readonly LinkedOrder[]): IdsByShop {
  const visitors = new Map<string, Set<string>>();
  for (const { shopId, visitors: own } of orders) if (own.length > 0) addIds(visitors, shopId, own);
  return idLists(visitors);
}

/** Orders whose visitors have no more events than that together, or one order. */
function* inGroups(orders: readonly LinkedOrder[], counts: ReadonlyMap<string, number>): Generator<LinkedOrder[]> {
  let group: LinkedOrder[] = [];
  let events = 0;
  for (const order of orders) {
    const own = order.visitors.reduce((sum, visitor) => sum + (counts.get(key(order.shopId, visitor)) ?? 0), 0);
    if (group.length > 0 && events + own > EVENTS_AT_ONCE) {
      yield group;
      group = [];
      events = 0;
    }
    group.push(order);
    events += own;
  }
  if (group.length > 0) yield group;
}

const key = (shopId: string, id: string): string => `${shopId}\n${id}`;

function groupLinks(links: readonly LinkRow[], by: (link: LinkRow) => string): Map<string, LinkRow[]> {
  const groups = new Map<string, LinkRow[]>();
  for (const link of links) {
    const group = key(link.shop_id, by(link));
    const there = groups.get(group);
    if (there === undefined) groups.set(group, [link]);
    else there.push(link);
  }
  return groups;
}

async function readLinks(warehouse: Warehouse, kind: 'o' | 'c', ids: IdsByShop): Promise<LinkRow[]> {
  if (ids.size === 0) return [];
  return warehouse.query<LinkRow>(
    `SELECT shop_id, order_id, checkout_token, anon_id, toUnixTimestamp64Milli(ts) AS at, is_purchase
     FROM event_links FINAL WHERE ${linksOf(kind, ids)} ORDER BY shop_id, subject, ts, event_id LIMIT ${LINKS} BY shop_id, subject`,
  );
}

/** At most so many as are read of each. */
async function countEvents(warehouse: Warehouse, visitors: IdsByShop): Promise<Map<string, number>> {
  if (visitors.size === 0) return new Map();
  const rows = await warehouse.query<{ shop_id: string; anon_id: string; events: number }>(
    `SELECT shop_id, anon_id, toUInt32(least(count(), ${EVENTS_PER_VISITOR})) AS events FROM visitor_events
     WHERE (shop_id, anon_id) IN (${pairs(visitors)}) GROUP BY shop_id, anon_id`,
  );
  return new Map(rows.map(({ shop_id, anon_id, events }) => [key(shop_id, anon_id), events]));
}

async function readVisitors(warehouse: Warehouse, visitors: IdsByShop): Promise<Map<string, VisitorEvent[]>> {
  if (visitors.size === 0) return new Map();
  const rows = await warehouse.query<{
    shop_id: string;
    anon_id: string;
    events: [string, string, Evidence, string][];
  }>(
    `SELECT shop_id, anon_id,
       groupArray((toUnixTimestamp64Milli(ts), toString(channel), toString(evidence), toString(arrival))) AS events
     FROM (
       SELECT shop_id, anon_id, ts, channel, evidence, arrival FROM visitor_events FINAL
       WHERE (shop_id, anon_id) IN (${pairs(visitors)})
       ORDER BY ts DESC LIMIT ${EVENTS_PER_VISITOR} BY shop_id, anon_id
     ) GROUP BY shop_id, anon_id`,
  );
  return new Map(
    rows.map(({ shop_id, anon_id, events }) => [
      key(shop_id, anon_id),
      events.map(([at, channel, evidence, arrival]) => ({ at: Number(at), channel, evidence, arrival })),
    ]),
  );
}

/** `version` is a stamp taken before the evidence was read, so that the later computation wins. */
export async function writeCredits(
  warehouse: Warehouse,
  credits: readonly OrderCredit[],
  version: number,
): Promise<void> {
  await warehouse.insert(
    'order_attribution',
    credits.map(({ shopId, orderId, placedDay, lastTouch, firstTouch, linear }) => ({
      shop_id: shopId,
      placed_day: placedDay,
      order_id: orderId,
      version,
      last_touch: lastTouch.channel,
      last_proved: lastTouch.proved > 0n,
      first_touch: firstTouch.channel,
      first_proved: firstTouch.proved > 0n,
      touches: Number(linear[0]?.denominator ?? 1n),
      'linear.channel': linear.map((share) => share.channel),
      'linear.touches': linear.map((share) => Number(share.numerator)),
      'linear.proved': linear.map((share) => Number(share.proved)),
    })),
  );
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

import { Type } from 'typebox';
import type { OrderWithVisitors } from '../../domain/attribution/order-visits.js';
import type { VisitorEvent } from '../../domain/attribution/sessions.js';
import { campaignName } from '../../domain/events/campaign-name.js';
import type { Evidence } from '../../domain/events/channel.js';
import { addIds, idLists, type IdsByShop } from '../../domain/by-shop.js';
import type { Warehouse } from '../client.js';
import { millisOf, pairs } from '../sql.js';
import { readOrderVisitors, type LinkedVisitor, type PlacedOrder } from './order-visitors.js';
import { defineQuery, textOf, texts, type RowOf } from '../query.js';

/** All that decides the credit of one order. Times are milliseconds since 1970. */
export interface OrderEvidence extends OrderWithVisitors {
  shopId: string;
  orderId: string;
  /** Local day, `YYYY-MM-DD`. */
  placedDay: string;
}

/** Of a visitor the newest count; no customer has as many. */
const EVENTS_PER_VISITOR = 5_000;
/** Events in memory at the same time; those of one order may be more. */
const EVENTS_AT_ONCE = 100_000;

/** A stored order that is not deleted. */
type DatedOrder = PlacedOrder & Pick<OrderEvidence, 'placedDay'>;

/** An order and its visitors, before their events are read. */
interface LinkedOrder extends DatedOrder {
  visitors: readonly LinkedVisitor[];
}

const NOBODY = { checkout: '', visitors: [] };

const PLACED_ORDERS = defineQuery('placed orders', {
  ...texts('shopId', 'orderId', 'checkout', 'placedDay'),
  placedAt: Type.Number(),
});

/** What the events know of those orders that are stored and not deleted, some orders at a time. */
export async function* readEvidence(warehouse: Warehouse, ids: IdsByShop): AsyncGenerator<OrderEvidence[]> {
  const orders = await warehouse.ask(
    PLACED_ORDERS(`SELECT shop_id AS shopId, order_id AS orderId, checkout_token AS checkout, ${millisOf('placed_at')} AS placedAt,
       toString(placed_day) AS placedDay FROM orders FINAL
     WHERE (shop_id, placed_day, order_id) IN (
       SELECT shop_id, day, order_id FROM order_keys WHERE (shop_id, order_id) IN (${pairs(ids)})
     )`),
  );
  const found = await readOrderVisitors(warehouse, orders);
  const linked = orders.map((order): LinkedOrder => ({ ...order, ...(found.get(order) ?? NOBODY) }));

  const counts = await countEvents(warehouse, visitorsOf(linked));
  for (const group of inGroups(linked, counts)) {
    const events = await readVisitors(warehouse, visitorsOf(group));
    yield group.map(({ visitors: own, ...order }) => ({
      ...order,
      visitors: own.map((visitor) => ({ ...visitor, events: events.get(key(order.shopId, visitor.id)) ?? [] })),
    }));
  }
}

function visitorsOf(orders: readonly LinkedOrder[]): IdsByShop {
  const visitors = new Map<string, Set<string>>();
  for (const { shopId, visitors: own } of orders) {
    if (own.length > 0)
      addIds(
        visitors,
        shopId,
        own.map(({ id }) => id),
      );
  }
  return idLists(visitors);
}

/** Orders whose visitors have no more events than that together, or one order. */
function* inGroups(orders: readonly LinkedOrder[], counts: ReadonlyMap<string, number>): Generator<LinkedOrder[]> {
  let group: LinkedOrder[] = [];
  let events = 0;
  for (const order of orders) {
    const own = order.visitors.reduce((sum, { id }) => sum + (counts.get(key(order.shopId, id)) ?? 0), 0);
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

const EVENT_COUNTS = defineQuery('event counts of visitors', {
  ...texts('shop_id', 'anon_id'),
  events: Type.Number(),
});

/** At most so many as are read of each. */
async function countEvents(warehouse: Warehouse, visitors: IdsByShop): Promise<Map<string, number>> {
  if (visitors.size === 0) return new Map();
  const rows = await warehouse.ask(
    EVENT_COUNTS(`SELECT shop_id, anon_id, toUInt32(least(count(), ${EVENTS_PER_VISITOR})) AS events FROM visitor_events
     WHERE (shop_id, anon_id) IN (${pairs(visitors)}) GROUP BY shop_id, anon_id`),
  );
  return new Map(rows.map(({ shop_id, anon_id, events }) => [key(shop_id, anon_id), events]));
}

const TEXT = Type.String();
const VISITOR_EVENTS = defineQuery('events of visitors', {
  ...texts('shop_id', 'anon_id'),
  /** Time, arrival, channel, evidence, hash of the arrival; type, page, its host, bare referrer, whether that is a sign-in; event id, campaign, its id. */
  events: Type.Array(
    Type.Tuple([TEXT, TEXT, TEXT, textOf<Evidence>(), TEXT, TEXT, TEXT, TEXT, TEXT, Type.Boolean(), TEXT, TEXT, TEXT]),
  ),
});

async function readVisitors(warehouse: Warehouse, visitors: IdsByShop): Promise<Map<string, VisitorEvent[]>> {
  if (visitors.size === 0) return new Map();
  const rows = await warehouse.ask(
    VISITOR_EVENTS(`SELECT shop_id, anon_id,
       groupArray((
         toUnixTimestamp64Milli(ts), toUnixTimestamp64Milli(received_at), toString(channel), toString(evidence), toString(arrival),
         toString(type), toString(page), toString(url_host), toString(bare_referrer), is_sign_in, event_id,
         utm_campaign, campaign_id
       )) AS events
     FROM (
       SELECT shop_id, anon_id, ts, received_at, channel, evidence, arrival, type, page, url_host, bare_referrer, is_sign_in,
         event_id, utm_campaign, campaign_id
       FROM visitor_events FINAL
       WHERE (shop_id, anon_id) IN (${pairs(visitors)})
       ORDER BY ts DESC, event_id LIMIT ${EVENTS_PER_VISITOR} BY shop_id, anon_id
     ) GROUP BY shop_id, anon_id`),
  );
  return new Map(rows.map(({ shop_id, anon_id, events }) => [key(shop_id, anon_id), events.map(toEvent)]));
}

function toEvent(event: RowOf<typeof VISITOR_EVENTS>['events'][number]): VisitorEvent {
  const [at, receivedAt, channel, evidence, arrival, type, page, host, bareReferrer, isSignIn, eventId, ...named] =
    event;
  const times = { at: Number(at), receivedAt: Number(receivedAt) };
  const campaign = campaignName(...named);
  return { ...times, channel, evidence, arrival, type, page, host, bareReferrer, isSignIn, eventId, campaign };
}

import fc from 'fast-check';
import type { Evidence } from '../../src/domain/events/channel.js';

/** One way of coming to the shop, with what the service must make of it. */
export interface Way {
  url: string;
  referrer: string;
  /** Null: a page inside the shop. */
  channel: string | null;
  evidence: Evidence;
}

export const WAYS: readonly Way[] = [
  way('google_ads', 'proved', '/?gclid=first', 'https://www.google.com/'),
  way('google_ads', 'claimed', '/?utm_source=google&utm_medium=cpc', ''),
  way('email', 'claimed', '/?utm_source=news&utm_medium=email', ''),
  way('organic_search', 'proved', '/', 'https://www.bing.com/'),
  way('tiktok_ads', 'ambiguous', '/?utm_source=tiktok&utm_medium=cpc&gclid=old', ''),
  way('direct', 'ambiguous', '/', ''),
  way(null, 'ambiguous', '/cart', 'https://shop.example.com/'),
];

function way(channel: string | null, evidence: Evidence, path: string, referrer: string): Way {
  return { url: `https://shop.example.com${path}`, referrer, channel, evidence };
}

export interface HistoryEvent {
  id: string;
  visitor: number;
  /** Milliseconds after the start of the history; no two events have the same. */
  at: number;
  way: number;
  type: 'page_view' | 'begin_checkout' | 'purchase';
  order?: number;
  checkout?: number;
}

export interface HistoryOrder {
  id: number;
  placed: number;
  cents: number;
  refund?: { cents: number; at: number };
}

export interface History {
  events: HistoryEvent[];
  orders: HistoryOrder[];
}

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
/** Milliseconds of the look-back; a history is about as long. */
export const SPAN = 30 * DAY;
const SPAN_MINUTES = 30 * 1440;
const VISITORS = 6;
const ORDERS = 8;
const CHECKOUTS = 4;

/** Sessions of a few minutes with pauses around the half hour, because that is where the rule turns. */
const session = fc.record({
  visitor: fc.nat(VISITORS - 1),
  start: fc.integer({ min: 5, max: SPAN_MINUTES - 400 }),
  steps: fc.array(fc.record({ pause: fc.constantFrom(0, 1, 29, 30, 31, 45), way: fc.nat(WAYS.length - 1) }), {
    minLength: 1,
    maxLength: 5,
  }),
});

const link = fc.record({
  visitor: fc.nat(VISITORS - 1),
  at: fc.integer({ min: 5, max: SPAN_MINUTES - 100 }),
  way: fc.nat(WAYS.length - 1),
  order: fc.option(fc.nat(ORDERS - 1), { nil: undefined }),
  checkout: fc.option(fc.nat(CHECKOUTS - 1), { nil: undefined }),
  isPurchase: fc.boolean(),
});

const order = fc.record({
  placed: fc.integer({ min: 0, max: SPAN_MINUTES + 1200 }),
  cents: fc.nat(100_000),
  refund: fc.option(fc.record({ cents: fc.nat(5_000), at: fc.integer({ min: 0, max: SPAN_MINUTES }) }), {
    nil: undefined,
  }),
});

/** Random histories: visitors who come in all ways, orders, and events that tie some of them together. */
export const history: fc.Arbitrary<History> = fc
  .record({
    sessions: fc.array(session, { minLength: 5, maxLength: 30 }),
    links: fc.array(link, { minLength: 3, maxLength: 14 }),
    orders: fc.array(order, { minLength: ORDERS, maxLength: ORDERS }),
  })
  .map(({ sessions, links, orders }) => {
    const events: Omit<HistoryEvent, 'id'>[] = [];
    for (const { visitor, start, steps } of sessions) {
      let at = start;
      for (const { pause, way } of steps) {
        at += pause;
        events.push({ visitor, at, way, type: 'page_view' });
      }
    }
    for (const { visitor, at, way, order: orderId, checkout, isPurchase } of links) {
      if (orderId === undefined && checkout === undefined) continue;
      events.push({
        visitor,
        at,
        way,
        type: isPurchase ? 'purchase' : 'begin_checkout',
        ...(orderId !== undefined && { order: orderId }),
        ...(checkout !== undefined && { checkout }),
      });
    }
    return {
      events: events.map((event, i) => ({ ...event, at: event.at * MINUTE + i, id: `event-${i}` })),
      orders: orders.map(({ placed, cents, refund }, id) => ({
        id,
        placed: placed * MINUTE,
        cents,
        ...(refund && { refund: { ...refund, at: refund.at * MINUTE } }),
      })),
    };
  });

/** A part of an order, and how much of that is proved. */
export interface NaiveShare {
  share: number;
  proved: number;
}

/** Parts of each order by channel, computed the slow and obvious way. */
export function naiveShares({ events, orders }: History, model: string): Map<number, Map<string, NaiveShare>> {
  return new Map(orders.map((each) => [each.id, naiveOrder(events, each, model)]));
}

function naiveOrder(
  events: readonly HistoryEvent[],
  { id, placed }: HistoryOrder,
  model: string,
): Map<string, NaiveShare> {
  const checkouts = new Set(events.filter((e) => e.order === id).flatMap((e) => e.checkout ?? []));
  const links = events.filter((e) => e.order === id || (e.checkout !== undefined && checkouts.has(e.checkout)));
  const purchases = links.filter((e) => e.type === 'purchase').map((e) => e.at);
  const bought = purchases.length === 0 ? placed : Math.min(...purchases);
  const end = bought > placed ? Math.min(bought, placed + DAY) : placed;
  const touches = [...new Set(links.map((e) => e.visitor))]
    .flatMap((visitor) => naiveArrivals(events.filter((e) => e.visitor === visitor)))
    .filter((touch) => touch.at <= end && touch.at >= end - SPAN && touch.channel !== 'internal')
    .sort((a, b) => a.at - b.at || (a.channel < b.channel ? -1 : 1));
  const named = touches.filter((touch) => touch.channel !== 'direct');
  const counted = named.length > 0 ? named : touches;
  const credited = model === 'linear' ? counted : model === 'last_touch' ? counted.slice(-1) : counted.slice(0, 1);
  if (credited.length === 0) return new Map([['unattributed', { share: 1, proved: 0 }]]);
  const shares = new Map<string, NaiveShare>();
  for (const { channel, evidence } of credited) {
    const { share, proved } = shares.get(channel) ?? { share: 0, proved: 0 };
    const one = 1 / credited.length;
    shares.set(channel, { share: share + one, proved: proved + (evidence === 'proved' ? one : 0) });
  }
  return shares;
}

function naiveArrivals(events: readonly HistoryEvent[]): { at: number; channel: string; evidence: Evidence }[] {
  const nameOf = (event: HistoryEvent): string => WAYS[event.way]?.channel ?? 'internal';
  const isOutside = (event: HistoryEvent): boolean => !['direct', 'internal'].includes(nameOf(event));
  const sorted = [...events].sort((a, b) => a.at - b.at || (nameOf(a) < nameOf(b) ? -1 : 1));
  const arrivals: { at: number; channel: string; evidence: Evidence; way: number | null }[] = [];
  sorted.forEach((event, i) => {
    const previous = sorted[i - 1];
    const isNew = previous === undefined || event.at - previous.at > 30 * MINUTE;
    if (isNew || (isOutside(event) && arrivals.at(-1)?.way !== event.way)) {
      const evidence = WAYS[event.way]?.evidence ?? 'ambiguous';
      arrivals.push({ at: event.at, channel: nameOf(event), evidence, way: isOutside(event) ? event.way : null });
    }
  });
  return arrivals;
}

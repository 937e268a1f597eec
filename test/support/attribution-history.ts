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
  way('referral', 'ambiguous', '/thanks', 'https://acs.bank.example/'),
  way('organic_social', 'proved', '/account', 'https://www.facebook.com/'),
  way('direct', 'ambiguous', '/pay', '', 'www.till.example.net'),
  way('referral', 'ambiguous', '/cart', 'https://till.example.net/'),
];

function way(
  channel: string | null,
  evidence: Evidence,
  path: string,
  referrer: string,
  host = 'shop.example.com',
): Way {
  return { url: `https://${host}${path}`, referrer, channel, evidence };
}

export interface HistoryEvent {
  id: string;
  visitor: number;
  /** Milliseconds after the start of the history; no two events have the same. */
  at: number;
  /** Milliseconds after the start of the history. */
  receivedAt: number;
  way: number;
  type: 'page_view' | 'begin_checkout' | 'purchase';
  order?: number;
  checkout?: number;
}

export interface HistoryOrder {
  id: number;
  placed: number;
  cents: number;
  /** Number of the checkout that the order itself names. */
  checkout?: number;
  refund?: { cents: number; at: number };
}

export interface History {
  events: HistoryEvent[];
  orders: HistoryOrder[];
}

export const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
/** Milliseconds of the look-back; a history is about as long. */
export const SPAN = 30 * DAY;
const SPAN_MINUTES = 30 * 1440;
const VISITORS = 6;
const ORDERS = 8;
const CHECKOUTS = 4;

/** Minutes until an event arrives: mostly none, else around the hour and the day up to which it is believed. */
const delay = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.constantFrom(1, 59, 61, 300, 1439, 1441, 3000, 9000) },
);

/** Sessions of a few minutes with pauses around the half hour, because that is where the rule turns. */
const session = fc.record({
  visitor: fc.nat(VISITORS - 1),
  start: fc.integer({ min: 5, max: SPAN_MINUTES - 400 }),
  steps: fc.array(fc.record({ pause: fc.constantFrom(0, 1, 29, 30, 31, 45), way: fc.nat(WAYS.length - 1), delay }), {
    minLength: 1,
    maxLength: 5,
  }),
});

const link = fc.record({
  visitor: fc.nat(VISITORS - 1),
  at: fc.oneof(
    fc.integer({ min: 5, max: SPAN_MINUTES - 100 }),
    fc.integer({ min: SPAN_MINUTES - 100, max: SPAN_MINUTES - 3 }),
  ),
  way: fc.nat(WAYS.length - 1),
  delay,
  order: fc.option(fc.nat(ORDERS - 1), { nil: undefined }),
  checkout: fc.option(fc.nat(CHECKOUTS - 1), { nil: undefined }),
  isPurchase: fc.boolean(),
});

const order = fc.record({
  placed: fc.integer({ min: 0, max: SPAN_MINUTES + 1200 }),
  cents: fc.nat(100_000),
  checkout: fc.option(fc.nat(CHECKOUTS - 1), { nil: undefined, freq: 2 }),
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
    const events: (Omit<HistoryEvent, 'id' | 'receivedAt'> & { delay: number })[] = [];
    for (const { visitor, start, steps } of sessions) {
      let at = start;
      for (const { pause, way, delay: late } of steps) {
        at += pause;
        events.push({ visitor, at, way, type: 'page_view', delay: late });
      }
    }
    for (const { visitor, at, way, order: orderId, checkout, isPurchase, delay: late } of links) {
      if (orderId === undefined && checkout === undefined) continue;
      events.push({
        visitor,
        at,
        way,
        delay: late,
        type: isPurchase ? 'purchase' : 'begin_checkout',
        ...(orderId !== undefined && { order: orderId }),
        ...(checkout !== undefined && { checkout }),
      });
    }
    return {
      events: events.map(({ delay: late, ...event }, i) => {
        const at = event.at * MINUTE + i;
        return { ...event, at, receivedAt: at + late * MINUTE, id: `event-${i}` };
      }),
      orders: orders.map(({ placed, cents, checkout, refund }, id) => ({
        id,
        placed: placed * MINUTE,
        cents,
        ...(checkout !== undefined && { checkout }),
        ...(refund && { refund: { ...refund, at: refund.at * MINUTE } }),
      })),
    };
  });

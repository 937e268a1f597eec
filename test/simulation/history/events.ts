import type { CollectEvent } from '../../../src/domain/events/event.js';
import { START_MS } from '../world/scheduler.js';
import type { ItemOptions } from './shops.js';

export interface SimulatedEvent {
  kind: 'events';
  tag: string;
  key: string;
  /** Milliseconds since 1970. */
  at: number;
  visitor: string;
  /** The order that it names; null: none. */
  order: string | null;
  isPurchase: boolean;
  campaign: Campaign;
  wire: CollectEvent;
}

/** How a visit may begin, and the channel that it then came by. */
interface Campaign {
  query: string;
  channel: string;
  isProved: boolean;
}

const CAMPAIGNS: readonly Campaign[] = [
  { query: 'utm_source=news&utm_medium=email', channel: 'email', isProved: false },
  { query: 'utm_source=google&utm_medium=cpc', channel: 'google_ads', isProved: false },
  { query: 'gclid=abcdef', channel: 'google_ads', isProved: true },
  { query: 'utm_source=facebook&utm_medium=paid_social', channel: 'meta_ads', isProved: false },
];

/**
 * One that explains orders has an id of its own, and an hour unless it is recent. Of the others several are sent under one id, each by a visitor of its own.
 * The page tells it apart from all others.
 */
export function newEvent({ random, orders, newTag }: ItemOptions): SimulatedEvent {
  const number = newTag();
  const tag = `/p-${number}`;
  const explains = random.chance(0.6);
  const order = explains && random.chance(0.7) ? `o${random.int(1, orders)}` : null;
  const isPurchase = order !== null && random.chance(0.4);
  const campaign = random.pick(CAMPAIGNS);
  const key = explains ? `j${number}` : `e${random.int(1, 4 * orders)}`;
  const visitor = explains ? `visitor-${random.int(1, orders + 1)}` : `stranger-${number}`;
  const at = START_MS - (number % 3 === 0 ? RECENTLY_MS : (1 + ((number * 37) % HOURS)) * 3_600_000);
  const wire: CollectEvent = {
    event_id: key,
    ts: new Date(at).toISOString(),
    anon_id: visitor,
    consent: 'analytics',
    url: `https://shop.example.com${tag}?${campaign.query}`,
    type: isPurchase ? 'purchase' : 'page_view',
    ...(order !== null && { order_id: order }),
  };
  return { kind: 'events', tag, key, at, visitor, order, isPurchase, campaign, wire };
}

/** Of every third, which so arrives on time. */
const RECENTLY_MS = 600_000;
/** More than the days of orders have, so that visits lie before and after them. */
const HOURS = 211;

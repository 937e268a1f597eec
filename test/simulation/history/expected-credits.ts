import type { SimulatedEvent } from './events.js';
import type { SimulatedItem, SimulatedOrder } from './items.js';

/** Orders, revenue and refunds of the channels of a day, times their touches, by model, channel, evidence and parts. */
export type ExpectedCredits = Map<string, bigint[]>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LOOK_BACK_MS = 30 * DAY_MS;

interface Touch {
  at: number;
  channel: string;
  evidence: string;
}

interface Share {
  model: string;
  channel: string;
  parts: number;
  touches: bigint;
  evidence: string;
}

/** An event, and when it arrived. */
type Arrived = SimulatedEvent & { arrivedAt: number };

/**
 * Which channels the orders of a shop are credited to by day, worked out from what was pushed by nothing of the service but the
 * times at which events arrived.
 */
export function expectedCredits(
  items: readonly SimulatedItem[],
  arrivedAt: (eventId: string) => number,
): Map<number, ExpectedCredits> {
  const days = new Map<number, ExpectedCredits>();
  const events = items
    .filter((item): item is SimulatedEvent => item.kind === 'events')
    .map((event): Arrived => ({ ...event, arrivedAt: arrivedAt(event.key) }));
  const known: EventsBy = {
    order: grouped(events, ({ order }) => order),
    visitor: grouped(events, ({ visitor }) => visitor),
  };
  const add = (day: number, { model, channel, evidence, parts, touches }: Share, amounts: readonly bigint[]): void => {
    if (amounts.every((amount) => amount === 0n)) return;
    const credits = days.get(day) ?? new Map<string, bigint[]>();
    days.set(day, credits);
    const key = [model, channel, evidence, parts].join('\n');
    const sums = credits.get(key);
    credits.set(
      key,
      amounts.map((amount, i) => (sums?.[i] ?? 0n) + amount * touches),
    );
  };
  for (const order of items) {
    if (order.kind !== 'orders' || !order.counts) continue;
    for (const share of sharesOf(order, known)) {
      add(order.day, share, [1n, order.revenue, 0n]);
      for (const { day, total } of order.refunds) add(day, share, [0n, 0n, total]);
    }
  }
  return days;
}

/** Found without a look at all of them, which was a twentieth of a shop-year. */
interface EventsBy {
  order: ReadonlyMap<unknown, readonly Arrived[]>;
  visitor: ReadonlyMap<unknown, readonly Arrived[]>;
}

function grouped(events: readonly Arrived[], by: (event: Arrived) => unknown): Map<unknown, Arrived[]> {
  const groups = new Map<unknown, Arrived[]>();
  for (const event of events) {
    const group = groups.get(by(event));
    if (group === undefined) groups.set(by(event), [event]);
    else group.push(event);
  }
  return groups;
}

/** A visitor that names an order. */
interface Candidate {
  until: number;
  namedAt: number;
  distance: number;
  own: readonly Arrived[];
  isCredible: boolean;
}

function candidate(visitor: string, placedAt: number, naming: readonly Arrived[], events: EventsBy): Candidate {
  const named = naming.filter((event) => event.visitor === visitor);
  const purchases = named.filter(({ isPurchase }) => isPurchase).map(({ at }) => at);
  const until = purchases.length === 0 ? placedAt : Math.max(placedAt, Math.min(...purchases, placedAt + DAY_MS));
  const namedAt = Math.min(...named.map(({ arrivedAt }) => arrivedAt));
  const distance = Math.abs(namedAt - placedAt);
  const own = events.visitor.get(visitor) ?? [];
  return {
    until,
    namedAt,
    distance,
    own,
    isCredible: distance <= DAY_MS && own.some((event) => isOnTime(event, until)),
  };
}

const isOnTime = ({ at, arrivedAt }: Arrived, until: number): boolean =>
  arrivedAt - at <= HOUR_MS && arrivedAt <= until + HOUR_MS && at >= until - LOOK_BACK_MS;

/** Each event is a touch of its visitor: they lie an hour apart, or are one visit. */
function sharesOf({ key, placedAt }: SimulatedOrder, events: EventsBy): Share[] {
  const naming = events.order.get(key) ?? [];
  const visitors = [...new Set(naming.map(({ visitor }) => visitor))].sort(compare);
  const nearest = visitors
    .map((visitor) => candidate(visitor, placedAt, naming, events))
    .sort((a, b) => a.distance - b.distance || a.namedAt - b.namedAt);
  const chosen = nearest.find(({ isCredible }) => isCredible) ?? nearest[0];
  if (chosen === undefined) return MODELS.map((model) => ({ model, ...NOBODY }));
  const { until, own, isCredible } = chosen;
  const isAlone = nearest.every(
    (other) => other === chosen || other.distance > DAY_MS || other.own.every(({ at }) => at > until + HOUR_MS),
  );
  const touches = new Map<string, Touch>();
  for (const { at, arrivedAt, campaign } of own) {
    if (at > until || at < until - LOOK_BACK_MS) continue;
    const isBelieved = isCredible && isAlone && arrivedAt - at <= DAY_MS && arrivedAt <= placedAt + DAY_MS;
    const evidence = isBelieved ? (campaign.isProved ? 'proved' : 'claimed') : 'ambiguous';
    const visit = [at, campaign.query].join('\n');
    // Of two at the same instant the less sure one begins the visit.
    const known = touches.get(visit)?.evidence ?? evidence;
    touches.set(visit, { at, channel: campaign.channel, evidence: known < evidence ? known : evidence });
  }
  const inTime = [...touches.values()].sort(
    (a, b) => a.at - b.at || compare(a.channel, b.channel) || compare(a.evidence, b.evidence),
  );
  const [first, last] = [inTime[0], inTime.at(-1)];
  if (first === undefined || last === undefined) return MODELS.map((model) => ({ model, ...NOBODY }));
  const one = (model: string, { channel, evidence }: Touch, parts = 1): Share => {
    return { model, channel, evidence, parts, touches: 1n };
  };
  return [
    one('last_touch', last),
    one('first_touch', first),
    ...inTime.map((touch) => one('linear', touch, inTime.length)),
  ];
}

const MODELS = ['last_touch', 'first_touch', 'linear'];
const NOBODY = { channel: 'unattributed', evidence: 'ambiguous', parts: 1, touches: 1n };

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

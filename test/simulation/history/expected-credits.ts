import type { SimulatedEvent } from './events.js';
import type { SimulatedItem, SimulatedOrder } from './items.js';

/** Shares of the channels of a day, as text by model, channel and parts. */
export type ExpectedCredits = Map<string, bigint[]>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LOOK_BACK_MS = 30 * DAY_MS;

interface Touch {
  at: number;
  channel: string;
  isProved: boolean;
}

interface Share {
  model: string;
  channel: string;
  parts: number;
  touches: bigint;
  proved: bigint;
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
  const add = (day: number, { model, channel, parts, touches, proved }: Share, amounts: readonly bigint[]): void => {
    if (amounts.every((amount) => amount === 0n)) return;
    const credits = days.get(day) ?? new Map<string, bigint[]>();
    days.set(day, credits);
    const key = [model, channel, parts].join('\n');
    const sums = credits.get(key) ?? amounts.flatMap(() => [0n, 0n]);
    const own = [...amounts.map((amount) => amount * touches), ...amounts.map((amount) => amount * proved)];
    credits.set(
      key,
      sums.map((sum, i) => sum + (own[i] ?? 0n)),
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
    const isProved =
      campaign.isProved && isCredible && isAlone && arrivedAt - at <= DAY_MS && arrivedAt <= placedAt + DAY_MS;
    const visit = [at, campaign.query].join('\n');
    // Of two at the same instant the less sure one begins the visit.
    touches.set(visit, { at, channel: campaign.channel, isProved: isProved && (touches.get(visit)?.isProved ?? true) });
  }
  const inTime = [...touches.values()].sort(
    (a, b) => a.at - b.at || compare(a.channel, b.channel) || Number(a.isProved) - Number(b.isProved),
  );
  const [first, last] = [inTime[0], inTime.at(-1)];
  if (first === undefined || last === undefined) return MODELS.map((model) => ({ model, ...NOBODY }));
  const one = (model: string, { channel, isProved }: Touch): Share => {
    return { model, channel, parts: 1, touches: 1n, proved: isProved ? 1n : 0n };
  };
  const linear = [...new Set(inTime.map(({ channel }) => channel))].map((channel): Share => {
    const own = inTime.filter((touch) => touch.channel === channel);
    const proved = own.filter(({ isProved }) => isProved).length;
    return { model: 'linear', channel, parts: inTime.length, touches: BigInt(own.length), proved: BigInt(proved) };
  });
  return [one('last_touch', last), one('first_touch', first), ...linear];
}

const MODELS = ['last_touch', 'first_touch', 'linear'];
const NOBODY = { channel: 'unattributed', parts: 1, touches: 1n, proved: 0n };

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

import type { SimulatedEvent } from './events.js';
import type { SimulatedItem, SimulatedOrder } from './items.js';

/** Shares of the channels of a day, as text by model, channel and parts. */
export type ExpectedCredits = Map<string, bigint[]>;

const LOOK_BACK_MS = 30 * 86_400_000;
const SLACK_MS = 86_400_000;

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

/** Which channels the orders of a shop are credited to by day, worked out from what was pushed by nothing of the service. */
export function expectedCredits(items: readonly SimulatedItem[]): Map<number, ExpectedCredits> {
  const days = new Map<number, ExpectedCredits>();
  const events = items.filter((item): item is SimulatedEvent => item.kind === 'events');
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
  order: ReadonlyMap<unknown, readonly SimulatedEvent[]>;
  visitor: ReadonlyMap<unknown, readonly SimulatedEvent[]>;
}

function grouped(
  events: readonly SimulatedEvent[],
  by: (event: SimulatedEvent) => unknown,
): Map<unknown, SimulatedEvent[]> {
  const groups = new Map<unknown, SimulatedEvent[]>();
  for (const event of events) {
    const group = groups.get(by(event));
    if (group === undefined) groups.set(by(event), [event]);
    else group.push(event);
  }
  return groups;
}

/** Each event is a touch of its visitor: they lie an hour apart, or are one visit. */
function sharesOf({ key, placedAt }: SimulatedOrder, events: EventsBy): Share[] {
  const naming = events.order.get(key) ?? [];
  const visitors = new Set(naming.map(({ visitor }) => visitor));
  const purchases = naming.filter(({ isPurchase }) => isPurchase).map(({ at }) => at);
  const until = purchases.length === 0 ? placedAt : Math.max(placedAt, Math.min(...purchases, placedAt + SLACK_MS));
  const touches = new Map<string, Touch>();
  const own = [...visitors].flatMap((visitor) => events.visitor.get(visitor) ?? []);
  for (const { visitor, at, campaign } of own) {
    if (at > until || at < until - LOOK_BACK_MS) continue;
    touches.set([visitor, at, campaign.query].join('\n'), { at, ...campaign });
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

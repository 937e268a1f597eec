import type { Evidence } from '../../src/domain/events/channel.js';
import { MINUTE, SPAN, WAYS, type History, type HistoryEvent, type HistoryOrder } from './attribution-history.js';

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Parts of an order by their evidence; without those that it has not. */
export type NaiveShare = Partial<Record<Evidence, number>>;

/** Parts of each order by channel, computed the slow and obvious way. */
export function naiveShares({ events, orders }: History, model: string): Map<number, Map<string, NaiveShare>> {
  return new Map(orders.map((each) => [each.id, naiveOrder(events, each, model)]));
}

interface Customer {
  visitors: Set<number>;
  /** Events that tie them to the order. */
  ties: HistoryEvent[];
}

function naiveOrder(
  events: readonly HistoryEvent[],
  { id, placed, checkout }: HistoryOrder,
  model: string,
): Map<string, NaiveShare> {
  const customers = customersOf(events, id, checkout);
  const named = ({ ties }: Customer): number[] => ties.map((e) => e.receivedAt);
  const firsts = ({ visitors, ties }: Customer): number[] =>
    [...visitors].flatMap((visitor) => {
      const own = ties.filter((e) => e.visitor === visitor);
      return own.length === 0 ? [] : [Math.min(...own.map((e) => e.receivedAt))];
    });
  const distance = (customer: Customer): number => Math.min(...firsts(customer).map((at) => Math.abs(at - placed)));
  const instant = ({ ties }: Customer): number => {
    const purchases = ties.filter((e) => e.type === 'purchase').map((e) => e.at);
    const bought = Math.min(...purchases, Infinity);
    return bought > placed && bought !== Infinity ? Math.min(bought, placed + DAY) : placed;
  };
  const of = ({ visitors }: Customer): HistoryEvent[] => events.filter((e) => visitors.has(e.visitor));
  const onTime = (list: readonly HistoryEvent[], end: number): boolean =>
    list.some((e) => e.receivedAt - e.at <= HOUR && e.receivedAt <= end + HOUR && e.at >= end - SPAN);
  const isTimely = (customer: Customer): boolean => distance(customer) <= DAY;
  const isCredible = (customer: Customer): boolean => isTimely(customer) && onTime(of(customer), instant(customer));
  const nearest = [...customers].sort(
    (a, b) => distance(a) - distance(b) || Math.min(...named(a)) - Math.min(...named(b)),
  );
  const known = nearest.find(({ ties }) => checkout !== undefined && ties.some((e) => e.checkout === checkout));
  const chosen = known ?? nearest.find(isCredible) ?? nearest[0];
  if (chosen === undefined) return new Map([['unattributed', { ambiguous: 1 }]]);
  const end = instant(chosen);
  const rivals = nearest.filter(
    (other) => other !== chosen && isTimely(other) && of(other).some((e) => e.at <= end + HOUR),
  );
  const isSure = isCredible(chosen) && (known !== undefined || (checkout === undefined && rivals.length === 0));
  const touches = [...chosen.visitors]
    .flatMap((visitor) => {
      const own = events.filter((e) => e.visitor === visitor);
      return naiveArrivals(own).map((touch) => {
        const isBelieved = touch.receivedAt - touch.at <= DAY && touch.receivedAt <= placed + DAY;
        const evidence: Evidence = isSure && isBelieved && onTime(own, end) ? touch.evidence : 'ambiguous';
        return { ...touch, evidence };
      });
    })
    .filter((touch) => touch.at <= end && touch.at >= end - SPAN && touch.channel !== 'internal')
    .sort((a, b) => a.at - b.at);
  const telling = touches.filter((touch) => touch.channel !== 'direct');
  const counted = telling.length > 0 ? telling : touches;
  const credited = model === 'linear' ? counted : model === 'last_touch' ? counted.slice(-1) : counted.slice(0, 1);
  if (credited.length === 0) return new Map([['unattributed', { ambiguous: 1 }]]);
  const shares = new Map<string, NaiveShare>();
  for (const { channel, evidence } of credited) {
    const share = shares.get(channel) ?? {};
    shares.set(channel, { ...share, [evidence]: (share[evidence] ?? 0) + 1 / credited.length });
  }
  return shares;
}

/** Visitors that name the order or a checkout of it, joined where they name the same checkout. */
function customersOf(events: readonly HistoryEvent[], id: number, checkout: number | undefined): Customer[] {
  const tokens = new Set(events.filter((e) => e.order === id).flatMap((e) => e.checkout ?? []));
  if (checkout !== undefined) tokens.add(checkout);
  const ties = events.filter((e) => e.order === id || (e.checkout !== undefined && tokens.has(e.checkout)));
  const customers: Customer[] = [];
  for (const tie of ties) {
    const tokensOf = (list: readonly HistoryEvent[]): number[] => list.flatMap((e) => e.checkout ?? []);
    const joined = customers.filter(
      ({ visitors, ties: own }) =>
        visitors.has(tie.visitor) || (tie.checkout !== undefined && tokensOf(own).includes(tie.checkout)),
    );
    for (const customer of joined) customers.splice(customers.indexOf(customer), 1);
    customers.push({
      visitors: new Set([tie.visitor, ...joined.flatMap(({ visitors }) => [...visitors])]),
      ties: [tie, ...joined.flatMap(({ ties: own }) => own)],
    });
  }
  return customers;
}

interface Arrival {
  at: number;
  receivedAt: number;
  channel: string;
  evidence: Evidence;
  way: number | null;
}

function naiveArrivals(events: readonly HistoryEvent[]): Arrival[] {
  const nameOf = (event: HistoryEvent): string => WAYS[event.way]?.channel ?? 'internal';
  const sorted = [...events].sort((a, b) => a.at - b.at || (nameOf(a) < nameOf(b) ? -1 : 1));
  const arrivals: Arrival[] = [];
  sorted.forEach((event, i) => {
    const previous = sorted[i - 1];
    const isNew = previous === undefined || event.at - previous.at > 30 * MINUTE;
    const isBack = isReturn(event, events, isNew);
    const channel = isBack ? 'internal' : nameOf(event);
    const isOutside = channel !== 'direct' && channel !== 'internal';
    if (isNew || (isOutside && arrivals.at(-1)?.way !== event.way)) {
      const evidence = isBack ? 'ambiguous' : (WAYS[event.way]?.evidence ?? 'ambiguous');
      const { at, receivedAt } = event;
      arrivals.push({ at, receivedAt, channel, evidence, way: isOutside ? event.way : null });
    }
  });
  return arrivals;
}

function isReturn(event: HistoryEvent, events: readonly HistoryEvent[], isNew: boolean): boolean {
  const way = WAYS[event.way];
  if (way === undefined || way.channel === null || way.referrer === '' || /utm_|gclid/.test(way.url)) return false;
  const hostOf = (url: string | undefined): string => new URL(url ?? 'none:').host.replace('www.', '');
  const from = hostOf(way.referrer);
  const samePage = events.filter((e) => e.way === event.way).map((e) => e.type);
  const wait = Math.min(
    ...events.filter((e) => e.type === 'begin_checkout' && e.at < event.at).map((e) => event.at - e.at),
  );
  return (
    (from === 'facebook.com' && !isNew) ||
    events.some((e) => hostOf(WAYS[e.way]?.url) === from) ||
    wait <= 30 * MINUTE ||
    (samePage.includes('purchase') && !samePage.includes('begin_checkout'))
  );
}

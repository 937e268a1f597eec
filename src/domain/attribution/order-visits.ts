import { compare } from '../compare.js';
import { MS_PER_DAY } from '../time.js';
import { CLOCK_SLACK_MS, LOOK_BACK_MS, orderInstant, type Touch } from './attribution.js';
import { touchesOf, type VisitorEvent } from './sessions.js';

/** A visitor that events tie to an order. Times are milliseconds since 1970. */
export interface OrderVisitor {
  readonly id: string;
  /** Checkout tokens that its events name. */
  readonly checkouts: readonly string[];
  /** When the first of the events that tie it to the order arrived. */
  readonly namedAt: number;
  /** Time of its earliest purchase event of the order; null: it sent none. */
  readonly purchasedAt: number | null;
  readonly events: readonly VisitorEvent[];
}

export interface OrderWithVisitors {
  readonly placedAt: number;
  /** The token that the order itself carries; empty: none. */
  readonly checkout: string;
  readonly visitors: readonly OrderVisitor[];
}

/** The visits that may be credited with an order, and the instant up to which they count. */
export interface OrderVisits {
  readonly touches: Touch[];
  readonly orderAt: number;
}

/** An event that arrived within this of its own time arrived on time. */
const ON_TIME_MS = 3_600_000;
/** An event later than this after an order was placed decides nothing about it. */
export const REACH_MS = CLOCK_SLACK_MS + ON_TIME_MS;
/** A retry within this of the event's own time is believed, if another event of its visitor arrived on time. */
const RETRY_MS = MS_PER_DAY;

/** Visitors that are one customer, because they name the same checkout. */
interface Customer {
  readonly visitors: readonly OrderVisitor[];
  readonly orderAt: number;
  /** Between the order and the arrival of the first event that names it. */
  readonly distance: number;
  readonly namedAt: number;
  /** Named the order at most a day before or after it was placed. */
  readonly isTimely: boolean;
  readonly isCredible: boolean;
}

/**
 * The visits that led to an order. Anybody with the page's token can send any event, so what events say is believed as far as
 * their arrivals and the order bear it out:
 *
 * - A customer is credible if events of theirs named the order at most a day before or after it was placed, and one arrived on
 *   time, at the latest an hour after the order. Others count only where no one is credible.
 * - Of several the one with the checkout token of the order counts, else the one that named the order nearest to it.
 * - The evidence stays as it is if that customer is credible and has the token of the order, or the order carries none and no
 *   other customer named it in that time, unless they first came more than an hour after it. Else it is ambiguous.
 * - A visit that arrived more than a day late, or more than a day after the order, is ambiguous in any case, and so are those
 *   of a visitor of whom nothing arrived on time.
 */
export function visitsOf({ placedAt, checkout, visitors }: OrderWithVisitors): OrderVisits {
  const customers = customersOf(visitors, placedAt).sort(byDistance);
  const credible = customers.filter(({ isCredible }) => isCredible);
  const known = checkout === '' ? undefined : customers.find((customer) => hasCheckout(customer, checkout));
  const chosen = known ?? credible[0] ?? customers[0];
  if (chosen === undefined) return { touches: [], orderAt: placedAt };
  const { orderAt } = chosen;
  const isAlone = customers.every((other) => other === chosen || !other.isTimely || !wasThere(other, orderAt));
  const isSure = chosen.isCredible && (known !== undefined || (checkout === '' && isAlone));
  const touches = chosen.visitors.flatMap(({ events }) => {
    const isSeen = isSure && hasOnTime(events, orderAt);
    return touchesOf(events.map((event) => (isSeen && isBelieved(event, placedAt) ? event : inDoubt(event))));
  });
  return { touches, orderAt };
}

/** Two visitors that name one checkout are one customer, and so are those that others join. */
function customersOf(visitors: readonly OrderVisitor[], placedAt: number): Customer[] {
  const groups: OrderVisitor[][] = [];
  for (const visitor of visitors) {
    const isSame = (other: OrderVisitor): boolean => other.checkouts.some((token) => visitor.checkouts.includes(token));
    const joined = groups.filter((group) => group.some(isSame));
    const apart = groups.filter((group) => !joined.includes(group));
    groups.splice(0, groups.length, ...apart, [...joined.flat(), visitor]);
  }
  return groups.map((group) => customerOf(group, placedAt));
}

function customerOf(visitors: readonly OrderVisitor[], placedAt: number): Customer {
  const orderAt = orderInstant(
    placedAt,
    visitors.flatMap(({ purchasedAt }) => purchasedAt ?? []),
  );
  const [nearest = Infinity] = visitors.map(({ namedAt }) => Math.abs(namedAt - placedAt)).sort((a, b) => a - b);
  const isTimely = nearest <= MS_PER_DAY;
  return {
    visitors,
    orderAt,
    distance: nearest,
    namedAt: Math.min(...visitors.map(({ namedAt }) => namedAt)),
    isTimely,
    isCredible: isTimely && visitors.some(({ events }) => hasOnTime(events, orderAt)),
  };
}

function byDistance(a: Customer, b: Customer): number {
  return a.distance - b.distance || a.namedAt - b.namedAt || compare(leastId(a), leastId(b));
}

function leastId({ visitors }: Customer): string {
  return visitors.map(({ id }) => id).sort(compare)[0] ?? '';
}

function hasCheckout({ visitors }: Customer, checkout: string): boolean {
  return visitors.some(({ checkouts }) => checkouts.includes(checkout));
}

function hasOnTime(events: readonly VisitorEvent[], orderAt: number): boolean {
  return events.some(
    ({ at, receivedAt }) =>
      receivedAt - at <= ON_TIME_MS && receivedAt <= orderAt + ON_TIME_MS && at >= orderAt - LOOK_BACK_MS,
  );
}

/** Who opens the confirmation hours later on another device is no other customer. */
function wasThere({ visitors }: Customer, orderAt: number): boolean {
  return visitors.some(({ events }) => events.some(({ at }) => at <= orderAt + ON_TIME_MS));
}

function isBelieved({ at, receivedAt }: VisitorEvent, placedAt: number): boolean {
  return receivedAt - at <= RETRY_MS && receivedAt <= placedAt + MS_PER_DAY;
}

function inDoubt(event: VisitorEvent): VisitorEvent {
  return { ...event, evidence: 'ambiguous' };
}

import { compare } from '../compare.js';
import { DIRECT_CHANNEL, INTERNAL_CHANNEL, type Evidence } from '../events/channel.js';
import type { Touch } from './attribution.js';

/** The fields of an event that sessions are built from. */
export interface SessionEvent {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly eventId: string;
  readonly type: string;
  readonly channel: string;
  readonly evidence: Evidence;
  /** Equal for equal ways of arriving (channel, referring site, campaign, click ids). */
  readonly arrival: string;
  /** Equal for the events of one page: same address, same referrer. */
  readonly page: string;
  /** Host of the page, without `www.`; empty: not known. */
  readonly host: string;
  /** Host of an outside referrer, without `www.`, where neither campaign nor click id tells how the visitor came; else empty. */
  readonly bareReferrer: string;
  /** Whether {@link bareReferrer} is a site that signs visitors in. */
  readonly isSignIn: boolean;
  /** As `campaignName` gives it; empty: none. */
  readonly campaign: string;
}

/** An event of a visitor, and when it arrived. */
export interface VisitorEvent extends SessionEvent {
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

/** A session ends after this long without an event: 30 minutes, in milliseconds. */
const SESSION_IDLE_MS = 30 * 60_000;
/** A visitor who comes from another site within this after the checkout began comes back from paying. */
const CHECKOUT_MS = 30 * 60_000;

/**
 * The arrivals of one visitor, from all events up to some time in any order: one touch for each session. A session begins
 *
 * - with the first event, and with every event more than 30 minutes after the one before it;
 * - in between, with an event that came from outside (neither `direct` nor `internal`) in another way than the visitor
 *   last came: a second ad, another campaign, another site. Further events on the landing page are no new arrival.
 *
 * The touch has the channel, the evidence and the campaign of the event that began the session. An event that {@link returnsOf} finds to be
 * a return counts as `internal`, and so does one in the middle of a visit from a site that signs visitors in. Events at the
 * same instant are in the order of channel, arrival, evidence. `session_hint` decides nothing: it is the client's guess at
 * the same rule. `bi.sessions` and `bi.touches` repeat the rule in SQL.
 */
export function touchesOf(events: readonly SessionEvent[]): Touch[] {
  const touches: Touch[] = [];
  const sorted = [...events].sort(inTime);
  const returns = returnsOf(sorted);
  let before = -Infinity;
  let lastArrival: string | null = null;
  for (const event of sorted) {
    const isIdle = event.at - before > SESSION_IDLE_MS;
    const isReturn = returns.has(event) || (event.isSignIn && !isIdle);
    const channel = isReturn ? INTERNAL_CHANNEL : event.channel;
    const isFromOutside = channel !== DIRECT_CHANNEL && channel !== INTERNAL_CHANNEL;
    if (isIdle || (isFromOutside && event.arrival !== lastArrival)) {
      const { at, eventId } = event;
      const own = isReturn ? ({ evidence: 'ambiguous', campaign: '' } as const) : event;
      touches.push({ at, channel, evidence: own.evidence, eventId, campaign: own.campaign });
      lastArrival = isFromOutside ? event.arrival : null;
    }
    before = event.at;
  }
  return touches;
}

const SHOPPING = new Set(['product_view', 'add_to_cart', 'begin_checkout']);

/**
 * The events, given in the order of time, whose outside referrer is the way back into the shop. No list can hold every bank and
 * payment page, so the visitor's own events tell, where neither campaign nor click id says more:
 *
 * - the page has a purchase, and no one shopped on it: it is where a payment ends;
 * - the checkout began before, at most 30 minutes ago;
 * - the referrer is a host on which the visitor saw pages of the shop.
 */
function returnsOf(sorted: readonly SessionEvent[]): Set<SessionEvent> {
  const returns = new Set<SessionEvent>();
  if (sorted.every(({ bareReferrer }) => bareReferrer === '')) return returns;
  const hosts = new Set(sorted.map(({ host }) => host));
  const purchased = new Set(sorted.filter(({ type }) => type === 'purchase').map(({ page }) => page));
  for (const { type, page } of sorted) if (SHOPPING.has(type)) purchased.delete(page);
  /** Of the checkouts that began before this instant, and of those at it, the last. */
  let checkoutBefore = -Infinity;
  let checkoutAt = -Infinity;
  for (const event of sorted) {
    if (event.at > checkoutAt) checkoutBefore = checkoutAt;
    const isPaid = event.at - checkoutBefore <= CHECKOUT_MS;
    const isBack = purchased.has(event.page) || isPaid || hosts.has(event.bareReferrer);
    if (event.bareReferrer !== '' && isBack) returns.add(event);
    if (event.type === 'begin_checkout') checkoutAt = event.at;
  }
  return returns;
}

function inTime(a: SessionEvent, b: SessionEvent): number {
  return (
    a.at - b.at || compare(a.channel, b.channel) || compare(a.arrival, b.arrival) || compare(a.evidence, b.evidence)
  );
}

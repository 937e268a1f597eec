import { compare } from '../compare.js';
import { DIRECT_CHANNEL, INTERNAL_CHANNEL, type Evidence } from '../events/channel.js';
import type { Touch } from './attribution.js';

/** The fields of an event that sessions are built from. */
export interface SessionEvent {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly channel: string;
  readonly evidence: Evidence;
  /** Equal for equal ways of arriving (channel, referring site, campaign, click ids). */
  readonly arrival: string;
}

/** An event of a visitor, and when it arrived. */
export interface VisitorEvent extends SessionEvent {
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

/** A session ends after this long without an event: 30 minutes, in milliseconds. */
const SESSION_IDLE_MS = 30 * 60_000;

/**
 * The arrivals of one visitor, from all events up to some time in any order: one touch for each session. A session begins
 *
 * - with the first event, and with every event more than 30 minutes after the one before it;
 * - in between, with an event that came from outside (neither `direct` nor `internal`) in another way than the visitor
 *   last came: a second ad, another campaign, another site. Further events on the landing page are no new arrival.
 *
 * The touch has the channel and the evidence of the event that began the session. Events at the same instant stand in the
 * order of channel, arrival, evidence. `session_hint` decides nothing: it is the client's guess at the same rule.
 */
export function touchesOf(events: readonly SessionEvent[]): Touch[] {
  const touches: Touch[] = [];
  let before = -Infinity;
  let lastArrival: string | null = null;
  for (const event of [...events].sort(inTime)) {
    const isFromOutside = event.channel !== DIRECT_CHANNEL && event.channel !== INTERNAL_CHANNEL;
    const isIdle = event.at - before > SESSION_IDLE_MS;
    if (isIdle || (isFromOutside && event.arrival !== lastArrival)) {
      touches.push({ at: event.at, channel: event.channel, evidence: event.evidence });
      lastArrival = isFromOutside ? event.arrival : null;
    }
    before = event.at;
  }
  return touches;
}

function inTime(a: SessionEvent, b: SessionEvent): number {
  return (
    a.at - b.at || compare(a.channel, b.channel) || compare(a.arrival, b.arrival) || compare(a.evidence, b.evidence)
  );
}

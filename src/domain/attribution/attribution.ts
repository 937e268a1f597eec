import type { AttributionModel } from '../../schemas/attribution.js';
import { compare } from '../compare.js';
import { MS_PER_DAY } from '../time.js';
import { DIRECT_CHANNEL, INTERNAL_CHANNEL, type Evidence } from '../events/channel.js';

/** How far before an order a touch may lie, in milliseconds: 30 days. */
export const LOOK_BACK_MS = 30 * MS_PER_DAY;

/**
 * How long after `placed_at` a purchase event may still set the time of its order, in milliseconds: a day. The visitor's
 * clock and the shop's differ, and some platforms stamp an order when its checkout began.
 */
export const CLOCK_SLACK_MS = MS_PER_DAY;

/** The channel of orders that no touch explains. */
export const UNATTRIBUTED_CHANNEL = 'unattributed';

/** A visitor's arrival. One per arrival, not per page view: `linear` gives every touch the same credit. */
export interface Touch {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly channel: string;
  /** How sure the channel is. */
  readonly evidence: Evidence;
  /** The event with which it began. */
  readonly eventId: string;
  /** As `campaignName` gives it; empty: none. */
  readonly campaign: string;
}

/** An exact part of an order: `numerator` / `denominator` of it. The shares of an order add up to one. */
export interface Share {
  readonly channel: string;
  readonly evidence: Evidence;
  /** As of a touch. */
  readonly campaign: string;
  readonly numerator: bigint;
  readonly denominator: bigint;
}

const UNATTRIBUTED: Share = {
  channel: UNATTRIBUTED_CHANNEL,
  evidence: 'ambiguous',
  campaign: '',
  numerator: 1n,
  denominator: 1n,
};

/** Campaigns of an order that `linear` tells apart, the newest; no customer has as many. */
export const MAX_CAMPAIGNS = 100;

/**
 * The instant up to which touches count for an order: `placedAt`, or its earliest purchase event where that is later, by
 * {@link CLOCK_SLACK_MS} at most. All in milliseconds since 1970.
 */
export function orderInstant(placedAt: number, purchases: readonly number[]): number {
  const purchase = purchases.reduce((earliest, at) => Math.min(earliest, at), Infinity);
  if (purchase === Infinity) return placedAt;
  return Math.max(placedAt, Math.min(purchase, placedAt + CLOCK_SLACK_MS));
}

/**
 * The touches that count for an order placed at `orderAt` (milliseconds since 1970), oldest first: both ends of the look-back
 * count, those of the channel `internal` are passed over, and those of `direct` count only when there are no others. Touches
 * at the same instant stand in the order of their channel names, then of their evidence and campaign.
 */
export function creditedTouches(touches: readonly Touch[], orderAt: number): Touch[] {
  const counted = touches.filter(
    ({ at, channel }) => channel !== INTERNAL_CHANNEL && at <= orderAt && at >= orderAt - LOOK_BACK_MS,
  );
  const telling = counted.filter(({ channel }) => channel !== DIRECT_CHANNEL);
  return (telling.length > 0 ? telling : counted).sort(inTime);
}

/**
 * Gives an order placed at `orderAt` to the channels of its visitor's touches, in any order and from any time:
 * `last_touch` and `first_touch` take the nearest and the farthest of {@link creditedTouches}, `linear` all of them in equal
 * parts. Returns one share a channel, evidence and campaign, ordered by these; `unattributed` when no touch counts. Touches of more campaigns
 * than {@link MAX_CAMPAIGNS} count as having none, but for their channel.
 */
export function attribute(touches: readonly Touch[], orderAt: number, model: AttributionModel): Share[] {
  const credited = creditedTouches(touches, orderAt);
  const chosen = model === 'linear' ? credited : model === 'last_touch' ? credited.slice(-1) : credited.slice(0, 1);
  if (chosen.length === 0) return [UNATTRIBUTED];
  const denominator = BigInt(chosen.length);
  const shares = new Map<string, Share>();
  const campaigns = new Set<string>();
  for (const { channel, evidence, ...touch } of chosen.reverse()) {
    if (campaigns.size < MAX_CAMPAIGNS) campaigns.add(touch.campaign);
    const campaign = campaigns.has(touch.campaign) ? touch.campaign : '';
    const key = `${channel} ${evidence} ${campaign}`;
    const numerator = (shares.get(key)?.numerator ?? 0n) + 1n;
    shares.set(key, { channel, evidence, campaign, numerator, denominator });
  }
  return [...shares.values()].sort(byName);
}

function inTime(a: Touch, b: Touch): number {
  return a.at - b.at || byName(a, b);
}

function byName(a: Omit<Share, 'numerator' | 'denominator'>, b: typeof a): number {
  return compare(a.channel, b.channel) || compare(a.evidence, b.evidence) || compare(a.campaign, b.campaign);
}

import { networkKind } from './campaign-sources.js';
import type { Issuer } from './click-networks.js';

/** A kind of place that a link may stand in, or a way in which it may be sent. */
export type Medium =
  | 'paid'
  | 'organic'
  | 'search'
  | 'social'
  | 'shopping'
  | 'ai_assistant'
  | 'email'
  | 'sms'
  | 'push'
  | 'affiliate'
  | 'referral';

/** What a campaign parameter or a referrer names; null: nothing of that kind. */
export interface Place {
  /** The advertising network that the place belongs to. */
  readonly network: string | null;
  readonly medium: Medium | null;
}

type Click = Pick<Issuer, 'network' | 'kind'>;

/** Search ads of these are shown by other search engines too. */
const syndicated: ReadonlySet<string> = new Set(['google', 'microsoft']);

/**
 * Whether a click id may well have been added to a link that stood in such a place. Where it may not, the id is a stale one
 * that lives on in a copied link, or somebody put it there by hand.
 */
export function agrees({ network, kind }: Click, place: Place): boolean {
  switch (kind) {
    case 'ad':
      return isPlaceOfAds(network, place);
    case 'maybe_ad':
    case 'share':
      return isOwn(network, place) && !isIn(place, 'email', 'sms', 'push', 'ai_assistant', 'search');
    case 'affiliate':
      return isPlaceOfAffiliates(place);
    case 'mail':
      return place.network === null && isIn(place, null, 'email', 'sms', 'push', 'referral');
    case 'listing':
      return isOwn(network, place) && isIn(place, null, 'search', 'organic', 'shopping', 'paid');
  }
}

/** A link in a message or an unpaid result was no ad, whatever site it was on. */
function isPlaceOfAds(network: string, place: Place): boolean {
  if (isIn(place, 'organic', 'email', 'sms', 'push', 'affiliate', 'referral')) return false;
  // A campaign manager counts clicks on many networks.
  if (place.network === network || network === 'adobe') return true;
  if (place.medium === 'ai_assistant') return false;
  if (place.network !== null) return place.network === 'yahoo' && syndicated.has(network);
  return isIn(place, 'search', 'social') ? networkKind(network) === place.medium : true;
}

/** Affiliates post their links wherever they like, but neither in a shop's own mailings nor in ads of a named network. */
function isPlaceOfAffiliates(place: Place): boolean {
  return place.network === null
    ? isIn(place, null, 'paid', 'affiliate', 'referral', 'social', 'shopping')
    : isIn(place, 'affiliate', 'referral', 'social', 'shopping');
}

function isOwn(network: string, place: Place): boolean {
  return place.network === null || place.network === network;
}

function isIn(place: Place, ...media: (Medium | null)[]): boolean {
  return media.includes(place.medium);
}

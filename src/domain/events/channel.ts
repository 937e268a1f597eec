import { agrees, type Place } from './agreement.js';
import { campaignOf, placeOfSource, UNNAMED, type Campaign } from './campaign.js';
import { knownSource } from './campaign-sources.js';
import type { ClickId } from './click-ids.js';
import { issuerOf, type Issuer } from './click-networks.js';
import type { ReferrerClass } from './referrer.js';
import { noUtm, type Utm } from './utm.js';

/** What is known of how a visitor came to a page. */
export interface ArrivalSigns {
  readonly clickIds: readonly ClickId[];
  readonly utm: Utm;
  readonly referrerClass: ReferrerClass;
  readonly referrerHost: string;
}

/**
 * How sure a channel is. `proved`: an ad network's click id or a known referrer says so, and no other sign contradicts it.
 * `claimed`: campaign parameters say so, which the author of the link chose. `ambiguous`: the signs contradict each other or
 * may mean either, or there are none.
 */
export type Evidence = 'proved' | 'claimed' | 'ambiguous';

/** A channel, and how sure it is. */
export interface Arrival {
  readonly channel: string;
  readonly evidence: Evidence;
}

/** The channel of page views inside the shop: they are no touch, and attribution passes over them. */
export const INTERNAL_CHANNEL = 'internal';
/** The channel of visits that nothing explains. */
export const DIRECT_CHANNEL = 'direct';

/** What is known where the referrer alone tells. A site that no table knows may have shown a link, a banner or a mail. */
const byReferrer: Readonly<Record<ReferrerClass, Arrival>> = {
  search: { channel: 'organic_search', evidence: 'proved' },
  social: { channel: 'organic_social', evidence: 'proved' },
  ai_assistant: { channel: 'ai_assistant', evidence: 'proved' },
  mail: { channel: 'email', evidence: 'proved' },
  referral: { channel: 'referral', evidence: 'ambiguous' },
  internal: { channel: INTERNAL_CHANNEL, evidence: 'ambiguous' },
  direct: { channel: DIRECT_CHANNEL, evidence: 'ambiguous' },
};

/**
 * The channel of an event and how sure it is. The names are stable, new ones may be added:
 *
 * - paid: `<network>_ads` with network `google`, `microsoft`, `meta`, `tiktok`, `x`, `linkedin`, `snapchat`,
 *   `pinterest`, `reddit`, `quora`, `yahoo`, `yandex`, `baidu`, `naver`, `taboola`, `outbrain`, `criteo`, `amazon`,
 *   `applovin`, `spotify`, `line`, `openai`, `nextdoor`, `seznam` or `adobe`; without a known network `paid_search`, `paid_social`, `display` or
 *   `paid_other`; `affiliate`
 * - unpaid: `organic_search`, `organic_shopping`, `organic_social`, `ai_assistant`, `email`, `sms`, `push`, `referral`
 * - `other`: a campaign whose medium and source are both unknown; `utm_source` tells more
 * - `direct`: nothing known; `internal`: a page view inside the shop, no touch at all
 *
 * The rules and their reasons stand in `pixel/README.md` under "Channels and evidence".
 */
export function readArrival(signs: ArrivalSigns): Arrival {
  const { utm, clickIds, referrerClass, referrerHost } = signs;
  // The usual case: only the referrer tells.
  if (utm === noUtm && clickIds.length === 0) return byReferrer[referrerClass];
  const campaign = campaignOf(utm, referrerHost);
  const clicks = clickIds.flatMap(({ param }) => issuerOf(param) ?? []);
  const referrer = placeOfReferrer(referrerClass, referrerHost);
  const places = [...(campaign?.places ?? []), ...(referrer === null ? [] : [referrer])];
  const stands = (click: Issuer): boolean => places.every((place) => agrees(click, place));
  const said = campaign === null ? byReferrer[referrerClass] : ofCampaign(campaign, byReferrer[referrerClass]);
  const ads = clicks.filter(({ kind }) => kind === 'ad' || kind === 'affiliate' || kind === 'maybe_ad');
  return ads.length > 0
    ? ofAds(ads, stands, campaign, byReferrer[referrerClass])
    : ofMarks(clicks, stands, campaign === null, said);
}

/** What a referrer of a known kind names; null for all others. */
function placeOfReferrer(referrerClass: ReferrerClass, host: string): Place | null {
  if (referrerClass === 'mail') return { network: null, medium: 'email' };
  if (referrerClass !== 'search' && referrerClass !== 'social' && referrerClass !== 'ai_assistant') return null;
  return placeOfSource({ kind: referrerClass, network: knownSource(host).network });
}

/** A referrer that by itself proves the channel that the campaign claims proves it still. */
function ofCampaign(campaign: Campaign, referrer: Arrival): Arrival {
  if (campaign === UNNAMED && referrer.evidence === 'proved') return referrer;
  const { channel } = campaign;
  const isProved = referrer.evidence === 'proved' && referrer.channel === channel;
  return { channel, evidence: isProved ? 'proved' : 'claimed' };
}

/** Of those that nothing contradicts, the last that was added to the URL is the newest. */
function ofAds(
  ads: readonly Issuer[],
  stands: (click: Issuer) => boolean,
  campaign: Campaign | null,
  referrer: Arrival,
): Arrival {
  const standing = ads.filter(stands);
  const last = standing.findLast(({ network }) => network !== 'adobe') ?? standing.at(-1);
  const isClear = standing.length === ads.length && ads.every(({ network }) => isSame(network, last?.network));
  if (last === undefined) {
    const isTold = campaign !== null && campaign.places.length > 0;
    return { channel: isTold ? campaign.channel : referrer.channel, evidence: 'ambiguous' };
  }
  if (last.kind === 'ad') return { channel: `${last.network}_ads`, evidence: isClear ? 'proved' : 'ambiguous' };
  if (last.kind === 'affiliate') return { channel: 'affiliate', evidence: isClear ? 'proved' : 'ambiguous' };
  if (campaign === null || campaign.places.length === 0) return { channel: 'organic_social', evidence: 'ambiguous' };
  const isPaidHere = campaign.isPaid && campaign.network === null && campaign.channel !== 'affiliate';
  return {
    channel: isPaidHere ? `${last.network}_ads` : campaign.channel,
    evidence: isClear ? 'claimed' : 'ambiguous',
  };
}

/** A campaign manager adds its id next to that of the network. */
function isSame(network: string, last: string | undefined): boolean {
  return network === last || network === 'adobe';
}

/** Click ids of unpaid kinds come after the campaign. */
function ofMarks(
  marks: readonly Issuer[],
  stands: (click: Issuer) => boolean,
  isUntagged: boolean,
  said: Arrival,
): Arrival {
  const mark = ['listing', 'mail', 'share'].flatMap((kind) => marks.find((click) => click.kind === kind) ?? [])[0];
  if (mark === undefined) return said;
  if (!stands(mark)) return { channel: said.channel, evidence: 'ambiguous' };
  if (!isUntagged) return said;
  const channel = mark.kind === 'listing' ? 'organic_shopping' : mark.kind === 'mail' ? 'email' : 'organic_social';
  if (said.channel === channel) return said;
  return { channel, evidence: mark.kind === 'share' ? 'ambiguous' : 'claimed' };
}

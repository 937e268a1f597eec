import { LRUCache } from 'lru-cache';
import type { ClickId } from './click-ids.js';
import { issuerOf } from './click-networks.js';
import type { ClickKind } from './click-networks.js';
import { knownSource } from './campaign-sources.js';
import type { KnownSource } from './campaign-sources.js';
import type { ReferrerClass } from './referrer.js';
import { noUtm } from './utm.js';
import type { Utm } from './utm.js';
import { wordSet } from './word-list.js';

/** What is known of how a visitor came to a page. */
export interface ChannelEvidence {
  readonly clickIds: readonly ClickId[];
  readonly utm: Utm;
  readonly referrerClass: ReferrerClass;
  readonly referrerHost: string;
}

/** The channel of page views inside the shop: they are no touch, and attribution passes over them. */
export const internalChannel = 'internal';
/** The channel of visits that nothing explains. */
export const directChannel = 'direct';

interface Campaign {
  readonly channel: string;
  /** Whether the medium (or a source that says it was paid) decided, rather than a guess from the source alone. */
  readonly certain: boolean;
}

const paidMedium =
  /^(?:cp[cmvaip]|ppc|pp[av]|ads?|adwords|sem|pmax|retargeting|remarketing|sponsored|paid.*|advert.*)$/;
const displayMedium = wordSet('display banner banners expandable interstitial programmatic native');
/** What tools write where there is nothing, such as `(none)` and `(not set)`; compared by its letters. */
const saysNothing = /^(?:|none|notset|null|undefined|direct)$/;
/** Media by channel; compared joined (`e-mail` is `email`) and then word by word. */
const mediumChannels: readonly (readonly [string, ReadonlySet<string>])[] = [
  ['email', wordSet('email emails mail newsletter newsletters edm emailmarketing')],
  ['sms', wordSet('sms mms text textmessage whatsapp rcs')],
  ['push', wordSet('push webpush mobilepush notification notifications pushnotification')],
  ['affiliate', wordSet('affiliate affiliates aff partner partners partnership partnerships influencer influencers')],
  ['organic_social', wordSet('social socials socialmedia socialnetwork sm organicsocial video story stories bio')],
  ['organic_shopping', wordSet('productsync shopping freelisting freelistings surfaces')],
  ['ai_assistant', wordSet('ai aiassistant chatbot llm')],
  ['referral', wordSet('referral referrer link app')],
];

const sourceChannels = {
  search: 'organic_search',
  social: 'organic_social',
  ai_assistant: 'ai_assistant',
  mail: 'email',
  sms: 'sms',
  push: 'push',
  affiliate: 'affiliate',
} as const;

const referrerChannels: Readonly<Record<ReferrerClass, string>> = {
  search: 'organic_search',
  social: 'organic_social',
  ai_assistant: 'ai_assistant',
  mail: 'email',
  referral: 'referral',
  internal: internalChannel,
  direct: directChannel,
};

/**
 * The channel of an event. The names are stable, new ones may be added:
 *
 * - paid: `<network>_ads` with network `google`, `microsoft`, `meta`, `tiktok`, `x`, `linkedin`, `snapchat`,
 *   `pinterest`, `reddit`, `quora`, `yahoo`, `yandex`, `baidu`, `naver`, `taboola`, `outbrain`, `criteo`, `amazon`,
 *   `applovin`, `spotify`, `line` or `adobe`; without a known network `paid_search`, `paid_social`, `display` or
 *   `paid_other`; `affiliate`
 * - unpaid: `organic_search`, `organic_shopping`, `organic_social`, `ai_assistant`, `email`, `sms`, `push`, `referral`
 * - `other`: a campaign whose medium and source are both unknown; `utm_source` tells more
 * - `direct`: nothing known; `internal`: a page view inside the shop, no touch at all
 *
 * The first that applies decides: the last click id of the URL that proves a paid or commissioned click; the campaign
 * parameters; click ids of unpaid kinds; the referrer. `fbclid` stands on every link that leaves Facebook or
 * Instagram: it means `meta_ads` unless the campaign's medium says otherwise.
 */
export function deriveChannel(evidence: ChannelEvidence): string {
  const { utm, referrerClass } = evidence;
  // Nearly every page: nothing but the referrer tells.
  if (utm === noUtm && evidence.clickIds.length === 0) return referrerChannels[referrerClass];
  const clicks = evidence.clickIds.map(({ param, network }) => ({ network, kind: issuerOf(param)?.kind }));
  const has = (kind: ClickKind) => clicks.some((click) => click.kind === kind);
  const proof = clicks.findLast(({ kind }) => kind === 'ad' || kind === 'affiliate');
  if (proof !== undefined) return proof.kind === 'ad' ? adsOf(proof.network) : 'affiliate';
  const campaign = campaignOf(utm, evidence.referrerHost);
  if (campaign?.certain) return campaign.channel;
  const suspected = clicks.find(({ kind }) => kind === 'maybe_ad');
  if (suspected !== undefined) return adsOf(suspected.network);
  if (campaign !== null) return campaign.channel;
  if (has('listing')) return 'organic_shopping';
  if (has('mail')) return 'email';
  if (has('share')) return 'organic_social';
  return referrerChannels[referrerClass];
}

function adsOf(network: string): string {
  return `${network}_ads`;
}

/** Campaigns are few, and their words are slow to read. */
const remembered = new LRUCache<string, { readonly of: Campaign | null }>({ max: 2_000 });

function campaignOf(utm: Utm, referrerHost: string): Campaign | null {
  if (utm.medium === '' && utm.source === '') return null;
  const key = `${utm.medium}\n${utm.source}\n${referrerHost}`;
  let campaign = remembered.get(key);
  if (campaign === undefined) {
    campaign = { of: readCampaign(utm, referrerHost) };
    remembered.set(key, campaign);
  }
  return campaign.of;
}

function readCampaign(utm: Utm, referrerHost: string): Campaign | null {
  const medium = meaningful(utm.medium);
  const source = knownSource(meaningful(utm.source));
  if (medium === '' && meaningful(utm.source) === '') return null;
  const byMedium = channelOfMedium(medium, source, referrerHost);
  if (byMedium !== null) return byMedium;
  if (source.kind === null) return { channel: 'other', certain: false };
  return { channel: sourceChannels[source.kind], certain: source.network === null };
}

function meaningful(text: string): string {
  const lower = text.toLowerCase();
  return saysNothing.test(lower.replace(/[^\p{L}\p{N}]/gu, '')) ? '' : lower;
}

function channelOfMedium(medium: string, source: KnownSource, referrerHost: string): Campaign | null {
  const words = medium.split(/[^\p{L}\p{N}]+/u);
  const isDisplay = words.some((word) => displayMedium.has(word));
  if (isDisplay || source.paid || words.some((word) => paidMedium.test(word))) {
    const fallback = isDisplay ? 'display' : words.includes('social') ? 'paid_social' : 'paid_other';
    return paidCampaign(source, referrerHost, fallback);
  }
  if (words.includes('organic') || medium === 'seo') {
    const kind = words.includes('social') ? 'social' : (source.kind ?? 'search');
    return { channel: words.includes('shopping') ? 'organic_shopping' : sourceChannels[kind], certain: true };
  }
  const joined = words.join('');
  const named =
    mediumChannels.find(([, names]) => names.has(joined)) ??
    mediumChannels.find(([, names]) => words.some((word) => names.has(word)));
  return named === undefined ? null : { channel: named[0], certain: true };
}

/** Not certain without a network: a click id that names one is then the better witness. */
function paidCampaign(source: KnownSource, referrerHost: string, fallback: string): Campaign {
  const network = source.network ?? knownSource(referrerHost).network;
  if (network !== null) return { channel: adsOf(network), certain: true };
  if (source.kind === 'search') return { channel: 'paid_search', certain: false };
  if (source.kind === 'social') return { channel: 'paid_social', certain: false };
  return { channel: source.kind === 'affiliate' ? 'affiliate' : fallback, certain: false };
}

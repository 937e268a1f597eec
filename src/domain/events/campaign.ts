import { boundedCache } from '../bounded-cache.js';
import { knownSource, type KnownSource } from './campaign-sources.js';
import type { SourceKind } from './networks.js';
import type { Medium, Place } from './agreement.js';
import type { Utm } from './utm.js';
import { isPlaceholder } from './placeholder.js';
import { wordSet } from './word-list.js';

/** The channel of campaigns that no rule knows, and of all channels of a report that has too many. */
export const OTHER_CHANNEL = 'other';

/** What the campaign parameters of a URL say. */
export interface Campaign {
  readonly channel: string;
  /** Whether it says that the click was paid, by its medium or by its source. */
  readonly isPaid: boolean;
  /** The advertising network of its source; null when it names none. */
  readonly network: string | null;
  /** What its source and its medium name; empty when both are unknown words. */
  readonly places: readonly Place[];
}

const paidMedium =
  /^(?:cp[cmvaip]|ppc|pp[av]|ads?|adwords|sem|pmax|retargeting|remarketing|sponsored|paid.*|advert.*)$/;
const displayMedium = wordSet('display banner banners expandable interstitial programmatic native');
/** What tools write where there is nothing, such as `(none)` and `(not set)`; compared by its letters. */
const saysNothing = /^(?:|none|notset|null|undefined|direct)$/;
/** Media by channel; compared joined (`e-mail` is `email`) and then word by word. */
const unpaidMedia: readonly (readonly [string, Medium, ReadonlySet<string>])[] = [
  ['email', 'email', wordSet('email emails mail newsletter newsletters edm emailmarketing')],
  ['sms', 'sms', wordSet('sms mms text textmessage whatsapp rcs')],
  ['push', 'push', wordSet('push webpush mobilepush notification notifications pushnotification')],
  [
    'affiliate',
    'affiliate',
    wordSet('affiliate affiliates aff partner partners partnership partnerships influencer influencers'),
  ],
  [
    'organic_social',
    'social',
    wordSet('social socials socialmedia socialnetwork sm organicsocial video story stories bio'),
  ],
  ['organic_shopping', 'shopping', wordSet('productsync shopping freelisting freelistings surfaces')],
  ['ai_assistant', 'ai_assistant', wordSet('ai aiassistant chatbot llm')],
  ['referral', 'referral', wordSet('referral referrer link app')],
];

const channelOfSource = {
  search: 'organic_search',
  social: 'organic_social',
  ai_assistant: 'ai_assistant',
  mail: 'email',
  sms: 'sms',
  push: 'push',
  affiliate: 'affiliate',
} as const satisfies Record<SourceKind, string>;

/** Campaigns are few, and parsing them is slow. */
const remembered = boundedCache<{ readonly of: Campaign | null }>(1024 * 1024);

/** The campaign of a visit; null when its parameters say nothing. */
export function campaignOf(utm: Utm, referrerHost: string): Campaign | null {
  return namedCampaign(utm, referrerHost) ?? (meaningful(utm.campaign) === '' ? null : UNNAMED);
}

/** A campaign of which only the name is known: it says no channel. */
export const UNNAMED: Campaign = { channel: OTHER_CHANNEL, isPaid: false, network: null, places: [] };

function namedCampaign(utm: Utm, referrerHost: string): Campaign | null {
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
  const mediumText = meaningful(utm.medium);
  const sourceText = meaningful(utm.source);
  if (mediumText === '' && sourceText === '') return null;
  const source = knownSource(sourceText);
  const said = readMedium(mediumText, source, referrerHost);
  const { network, kind } = source;
  const channel = said?.channel ?? (kind === null ? OTHER_CHANNEL : channelOfSource[kind]);
  const places: Place[] = [];
  if (kind !== null || network !== null) places.push(placeOfSource(source));
  if (said !== null) places.push({ network, medium: said.medium });
  return { channel, isPaid: said?.isPaid ?? false, network, places };
}

/** Whether a parameter says something. */
export const isTelling = (text: string): boolean => meaningful(text) !== '';

function meaningful(text: string): string {
  if (isPlaceholder(text)) return '';
  const lower = text.toLowerCase();
  return saysNothing.test(lower.replace(/[^\p{L}\p{N}]/gu, '')) ? '' : lower;
}

/** What a known source names: a social network that sells no ads under a name of ours is still another one. */
export function placeOfSource({ kind, network }: Pick<KnownSource, 'kind' | 'network'>): Place {
  if (kind === 'social') return { network: network ?? 'another', medium: 'social' };
  return { network, medium: kind === 'mail' ? 'email' : kind };
}

interface SaidMedium {
  readonly channel: string;
  readonly medium: Medium;
  readonly isPaid: boolean;
}

function readMedium(text: string, source: KnownSource, referrerHost: string): SaidMedium | null {
  const words = text.split(/[^\p{L}\p{N}]+/u);
  const isDisplay = words.some((word) => displayMedium.has(word));
  if (isDisplay || source.paid || words.some((word) => paidMedium.test(word))) {
    const isSocial = !isDisplay && words.some((word) => word === 'social' || word === 'paidsocial');
    const fallback = isDisplay ? 'display' : isSocial ? 'paid_social' : 'paid_other';
    const channel = paidChannel(source, referrerHost, fallback);
    return { channel, medium: isSocial ? 'social' : 'paid', isPaid: true };
  }
  if (words.includes('organic') || text === 'seo') {
    const kind = words.includes('social') ? 'social' : (source.kind ?? 'search');
    const channel = words.includes('shopping') ? 'organic_shopping' : channelOfSource[kind];
    return { channel, medium: 'organic', isPaid: false };
  }
  const joined = words.join('');
  const named =
    unpaidMedia.find(([, , names]) => names.has(joined)) ??
    unpaidMedia.find(([, , names]) => words.some((word) => names.has(word)));
  if (named === undefined) return null;
  // An assistant that names itself says more than that there was a link.
  const isAssistant = named[1] === 'referral' && source.kind === 'ai_assistant';
  const [channel, medium] = isAssistant ? (['ai_assistant', 'ai_assistant'] as const) : named;
  return { channel, medium, isPaid: false };
}

function paidChannel(source: KnownSource, referrerHost: string, fallback: string): string {
  const network = source.network ?? knownSource(referrerHost).network;
  if (network !== null) return `${network}_ads`;
  if (source.kind === 'search') return 'paid_search';
  if (source.kind === 'social') return 'paid_social';
  return source.kind === 'affiliate' ? 'affiliate' : fallback;
}

import { classifyHost } from './referrer.js';
import { wordSet } from './word-list.js';

/** What kind of place a campaign source is. */
export type SourceKind = 'search' | 'social' | 'ai_assistant' | 'mail' | 'sms' | 'push' | 'affiliate';

/** What is known of a `utm_source`. */
export interface KnownSource {
  /** Null when the source is not known. */
  readonly kind: SourceKind | null;
  /** The advertising network, as in `google_ads`; null when it is none. */
  readonly network: string | null;
  /** Whether the source itself says that the click was paid, such as `adwords` or `facebook_ads`. */
  readonly paid: boolean;
}

interface Entry {
  readonly kind: SourceKind | null;
  readonly network: string | null;
}

const entries = new Map<string, Entry>();
/** What each network is in the first place: Google searches, although YouTube is a social network. */
const kinds = new Map<string, SourceKind | null>();

function register(kind: SourceKind | null, network: string | null, names: string): void {
  for (const name of wordSet(names)) entries.set(name, { kind, network });
  if (network !== null && !kinds.has(network)) kinds.set(network, kind);
}

register('search', 'google', 'google adwords pmax gdn dv360 demandgen');
register('social', 'google', 'youtube yt youtu.be');
register('search', 'microsoft', 'bing microsoft msn adcenter');
register('search', 'yahoo', 'yahoo');
register('search', 'yandex', 'yandex');
register('search', 'baidu', 'baidu');
register('search', 'naver', 'naver');
register('social', 'meta', 'facebook fb instagram ig meta messenger threads fbig m.me instagr.am an msg th');
register('social', 'tiktok', 'tiktok tt tiktokv.com com.zhiliaoapp.musically com.ss.android.ugc.trill');
register('social', 'x', 'x twitter t.co x.com');
register('social', 'linkedin', 'linkedin lnkd');
register('social', 'snapchat', 'snapchat snap');
register('social', 'pinterest', 'pinterest pin pin.it');
register('social', 'reddit', 'reddit redd.it');
register('social', 'quora', 'quora');
register('social', 'line', 'line line.me jp.naver.line.android');
register(null, 'taboola', 'taboola');
register(null, 'outbrain', 'outbrain');
register(null, 'criteo', 'criteo');
register(null, 'amazon', 'amazon amzn');
register(null, 'applovin', 'applovin axon');
register(null, 'spotify', 'spotify');
register('search', null, 'duckduckgo ddg ecosia qwant startpage brave seznam sogou kagi');
register('social', null, 'whatsapp telegram bluesky bsky mastodon discord tumblr vk weibo wechat twitch linktree');
register('ai_assistant', 'microsoft', 'copilot');
register('ai_assistant', null, 'chatgpt openai perplexity claude gemini grok deepseek mistral');
register(
  'mail',
  null,
  `email newsletter klaviyo mailchimp omnisend brevo sendinblue hubspot sendgrid activecampaign convertkit mailerlite
   beehiiv substack drip emarsys braze iterable customerio dotdigital campaignmonitor sailthru listrak cordial ometria
   sendlane moosend getresponse constantcontact aweber privy seguno shopify_email shopifyemail mailjet postmark`,
);
register('sms', null, 'sms attentive postscript smsbump recart');
register('push', null, 'push webpush onesignal pushowl');
register(
  'affiliate',
  null,
  `affiliate affiliates awin impact cj shareasale rakuten partnerize tradedoubler refersion goaffpro uppromote
   skimlinks pepperjam ltk rewardstyle webgains honey sovrn viglink admitad flexoffers impactradius`,
);

/** Names that are everyday words: they count only when the source is nothing else. */
const wholeOnly = wordSet(
  'brave claude cj drip gemini grok honey impact iterable line pin privy braze cordial tt x yt',
);
const paidWord = /^(?:ads?|adwords|paid.*|advert.*|sponsored)$/;
const unknown: KnownSource = { kind: null, network: null, paid: false };

/** What an advertising network is in the first place; null or undefined for one that has no pages of its own. */
export function networkKind(network: string): SourceKind | null | undefined {
  return kinds.get(network);
}

/**
 * Looks a `utm_source` up: by its whole text, by its first word (`fb_ig`, `google / shopping`, `TikTokAds`), and, when
 * it is a host name (`l.facebook.com`, `chatgpt.com`), by its labels and the referrer tables. Letter case does not
 * matter.
 */
export function knownSource(source: string): KnownSource {
  const text = source.trim().toLowerCase();
  if (text === '') return unknown;
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const isHost = text.includes('.') && !text.includes(' ');
  let paid = words.some((word) => paidWord.test(word));
  let found = entries.get(text);
  // Short links and apps, with whatever comes before them: `mobile.x.com`.
  for (let rest = text; isHost && found === undefined && rest.includes('.'); rest = rest.slice(rest.indexOf('.') + 1)) {
    found = entries.get(rest);
  }
  for (const word of isHost ? words : words.slice(0, 1)) {
    const named = wholeOnly.has(word) && words.length > 1 ? undefined : entries.get(word);
    const advertiser = word.endsWith('ads') ? entries.get(word.slice(0, -3)) : undefined;
    if (advertiser?.network != null) paid = true;
    found ??= named ?? advertiser;
  }
  const byHost = isHost ? classifyHost(text) : null;
  const kind = byHost === null || byHost === 'internal' ? (found?.kind ?? null) : byHost;
  return { kind, network: found?.network ?? null, paid };
}

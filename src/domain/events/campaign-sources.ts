import { PLACES, type KnownPlace, type SourceKind } from './networks.js';
import { classifyHost } from './referrer.js';
import { wordSet } from './word-list.js';

/** What is known of a `utm_source`. */
export interface KnownSource {
  /** Null when the source is not known. */
  readonly kind: SourceKind | null;
  /** The advertising network, as in `google_ads`; null when it is none. */
  readonly network: string | null;
  /** Whether the source itself says that the click was paid, such as `adwords` or `facebook_ads`. */
  readonly paid: boolean;
}

const entries = new Map<string, Pick<KnownPlace, 'kind' | 'network'>>();
/** What each network is in the first place: Google searches, although YouTube is a social network. */
const kinds = new Map<string, SourceKind | null>();

for (const place of PLACES) {
  for (const name of wordSet(place.names ?? '')) entries.set(name, place);
  if (place.network !== null && !kinds.has(place.network)) kinds.set(place.network, place.kind);
}

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

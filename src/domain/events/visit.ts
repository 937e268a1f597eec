import { boundedCache, detached, LONGEST_REMEMBERED } from '../bounded-cache.js';
import { readArrival, type Evidence } from './channel.js';
import { cleanPageUrl, cleanReferrer, noUrl } from './clean-url.js';
import { readClickIds, type ClickId } from './click-ids.js';
import { classifyReferrer, type ReferrerClass, type ReferrerPlace } from './referrer.js';
import { noUtm, readUtm, type Utm } from './utm.js';

/** The page of an event. Every text is empty when the event has none. */
export interface Page {
  /** Without personal data, at most 2,048 characters. */
  readonly url: string;
  /** Lower case, without port. */
  readonly host: string;
  readonly path: string;
  readonly utm: Utm;
  readonly clickIds: readonly ClickId[];
  /** Whether nothing had to be removed and no click id makes it unlike any other: such a page may be remembered. */
  readonly isPlain: boolean;
}

/** Where the visitor came from. Every text is empty when there is no referrer. */
export interface Referrer {
  /** Origin and path without personal data, at most 2,048 characters. */
  readonly url: string;
  /** Lower case, without port; the package name when an Android app sent the visitor. */
  readonly host: string;
  readonly isApp: boolean;
  /** As {@link Page.isPlain}. */
  readonly isPlain: boolean;
  /** The last result and the hosts that it holds for, which hardly ever change; for plain referrers and shops of one host only. */
  last?: { pageHost: string; shopHost: string; referrerClass: ReferrerClass };
}

/** Where an event happened and how its visitor came there. */
export interface Visit {
  readonly page: Page;
  readonly referrer: Referrer;
  readonly referrerClass: ReferrerClass;
  /** One of the names documented at `readArrival`. */
  readonly channel: string;
  readonly evidence: Evidence;
}

export interface VisitPlace {
  /** Raw page URL; empty when there is none. */
  readonly url: string;
  /** Raw referrer; empty when there is none. */
  readonly referrer: string;
  /** The shop's own host, or empty. */
  readonly shopDomain: string;
  /** Further hosts of the shop, separated by blanks. */
  readonly ownHosts: string;
}

/** By raw text, which equals the clean text, so no personal data outlives its request. */
const pages = boundedCache<Page>(4 * 1024 * 1024, textBytes);
const referrers = boundedCache<Referrer>(2 * 1024 * 1024, textBytes);

/** Factor for the texts made of a URL: the URL, its parts, and its parameters. */
function textBytes({ url }: { url: string }): number {
  return 500 + 6 * url.length;
}

/** The previous visit: several events of a batch come from one page. */
let last: { place: VisitPlace; visit: Visit | null } | null = null;

/** Reads a visit; null when `url` is not empty and no http(s) URL. A page that many visitors see is read once for all. */
export function readVisit(place: VisitPlace): Visit | null {
  const { url, referrer, shopDomain, ownHosts } = place;
  const before = last?.place;
  const isSameShop = before?.shopDomain === shopDomain && before.ownHosts === ownHosts;
  if (last !== null && isSameShop && before.url === url && before.referrer === referrer) return last.visit;
  const visit = compose(place);
  last = url.length > LONGEST_REMEMBERED || referrer.length > LONGEST_REMEMBERED ? null : { place, visit };
  return visit;
}

function compose({ url, referrer: rawReferrer, shopDomain, ownHosts }: VisitPlace): Visit | null {
  const page = readPage(url);
  if (page === null) return null;
  const referrer = readReferrer(rawReferrer);
  const referrerClass = classOf(referrer, { pageHost: page.host, shopHost: shopDomain, ownHosts });
  const { utm, clickIds } = page;
  const { channel, evidence } = readArrival({ clickIds, utm, referrerClass, referrerHost: referrer.host });
  return { page, referrer, referrerClass, channel, evidence };
}

function classOf(referrer: Referrer, hosts: Pick<ReferrerPlace, 'pageHost' | 'shopHost' | 'ownHosts'>): ReferrerClass {
  const { pageHost, shopHost, ownHosts } = hosts;
  const known = referrer.last;
  if (ownHosts === '' && known?.pageHost === pageHost && known.shopHost === shopHost) {
    return known.referrerClass;
  }
  const { host, isApp } = referrer;
  const referrerClass = classifyReferrer({ host, isApp, ...hosts });
  if (referrer.isPlain && ownHosts === '') referrer.last = { pageHost: detached(pageHost), shopHost, referrerClass };
  return referrerClass;
}

/** Null when it is not empty and no http(s) URL. */
function readPage(raw: string): Page | null {
  const known = pages.get(raw);
  if (known !== undefined) return known;
  const clean = raw === '' ? noUrl : cleanPageUrl(raw);
  if (clean === null) return null;
  const { url, host, path, parameters } = clean;
  const utm = parameters.length === 0 ? noUtm : readUtm(parameters);
  const clickIds = readClickIds(parameters);
  const page: Page = { url, host, path, utm, clickIds, isPlain: url === raw && clickIds.length === 0 };
  if (page.isPlain) pages.set(raw, page);
  return page;
}

/** A referrer that is no URL counts as none. */
function readReferrer(raw: string): Referrer {
  const known = referrers.get(raw);
  if (known !== undefined) return known;
  const { url, host } = cleanReferrer(raw);
  const referrer: Referrer = { url, host, isApp: url.startsWith('android-app:'), isPlain: url === raw };
  if (referrer.isPlain) referrers.set(raw, referrer);
  return referrer;
}

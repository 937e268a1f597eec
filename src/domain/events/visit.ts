import { deriveChannel } from './channel.js';
import { cleanPageUrl, cleanReferrer, noUrl } from './clean-url.js';
import { readClickIds } from './click-ids.js';
import type { ClickId } from './click-ids.js';
import { classifyReferrer } from './referrer.js';
import type { ReferrerClass } from './referrer.js';
import { noUtm, readUtm } from './utm.js';
import type { Utm } from './utm.js';

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
  /** Its columns, once they have been encoded; of a plain page only. */
  encoded?: Uint8Array;
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
  /** As {@link Page.encoded}. */
  encoded?: Uint8Array;
  /** What it was last found to be, and for which hosts, because those of a shop hardly ever change; of a plain one only. */
  last?: { pageHost: string; shopHost: string; referrerClass: ReferrerClass };
}

/** Where an event happened and how its visitor came there. */
export interface Visit {
  readonly page: Page;
  readonly referrer: Referrer;
  readonly referrerClass: ReferrerClass;
  /** One of the names documented at `deriveChannel`. */
  readonly channel: string;
}

export interface VisitPlace {
  /** Raw page URL; empty when there is none. */
  readonly url: string;
  /** Raw referrer; empty when there is none. */
  readonly referrer: string;
  /** The shop's own host, or empty. */
  readonly shopDomain: string;
}

const mostRemembered = 10_000;
/**
 * By their raw text, which is their clean text: nothing personal outlives its request here. Plain maps, begun anew when
 * full, because keeping the order of use costs more than reading a page again now and then.
 */
const pages = new Map<string, Page>();
const referrers = new Map<string, Referrer>();

function remember<T>(known: Map<string, T>, raw: string, value: T): void {
  if (known.size >= mostRemembered) known.clear();
  known.set(raw, value);
}

/** The visit before: the events of a batch come several from each page. */
let last: { place: VisitPlace; visit: Visit | null } | null = null;

/** Reads a visit; null when `url` is not empty and no http(s) URL. A page that many visitors see is read once for all. */
export function readVisit(place: VisitPlace): Visit | null {
  const { url, referrer, shopDomain } = place;
  if (last?.place.url === url && last.place.referrer === referrer && last.place.shopDomain === shopDomain) {
    return last.visit;
  }
  const visit = compose(place);
  last = { place, visit };
  return visit;
}

function compose({ url, referrer: rawReferrer, shopDomain }: VisitPlace): Visit | null {
  const page = readPage(url);
  return page === null ? null : composeVisit(page, readReferrer(rawReferrer), shopDomain);
}

/** The visit of a page that a referrer led to. @param shopDomain as of {@link VisitPlace} */
export function composeVisit(page: Page, referrer: Referrer, shopDomain: string): Visit {
  const referrerClass = classOf(referrer, page.host, shopDomain);
  const { utm, clickIds } = page;
  const channel = deriveChannel({ clickIds, utm, referrerClass, referrerHost: referrer.host });
  return { page, referrer, referrerClass, channel };
}

function classOf(referrer: Referrer, pageHost: string, shopHost: string): ReferrerClass {
  const known = referrer.last;
  if (known?.pageHost === pageHost && known.shopHost === shopHost) return known.referrerClass;
  const { host, isApp } = referrer;
  const referrerClass = classifyReferrer({ host, isApp, pageHost, shopHost });
  if (referrer.isPlain) referrer.last = { pageHost, shopHost, referrerClass };
  return referrerClass;
}

const hosts = new Map<string, string>();

/** The same host as one string, because it is compared with every visit. */
function hostOf(host: string): string {
  const known = hosts.get(host);
  if (known === undefined) remember(hosts, host, host);
  return known ?? host;
}

/** Null when it is not empty and no http(s) URL. */
export function readPage(raw: string): Page | null {
  const known = pages.get(raw);
  if (known !== undefined) return known;
  const clean = raw === '' ? noUrl : cleanPageUrl(raw);
  if (clean === null) return null;
  const { url, path, parameters } = clean;
  const host = hostOf(clean.host);
  const utm = parameters.length === 0 ? noUtm : readUtm(parameters);
  const clickIds = readClickIds(parameters);
  const page: Page = { url, host, path, utm, clickIds, isPlain: url === raw && clickIds.length === 0 };
  if (page.isPlain) remember(pages, raw, page);
  return page;
}

/** A referrer that is no URL counts as none. */
export function readReferrer(raw: string): Referrer {
  const known = referrers.get(raw);
  if (known !== undefined) return known;
  const { url, host } = cleanReferrer(raw);
  const referrer: Referrer = { url, host, isApp: url.startsWith('android-app:'), isPlain: url === raw };
  if (referrer.isPlain) remember(referrers, raw, referrer);
  return referrer;
}

import { LRUCache } from 'lru-cache';
import { deriveChannel } from './channel.js';
import { cleanPageUrl, cleanReferrer, noUrl } from './clean-url.js';
import { readClickIds } from './click-ids.js';
import type { ClickId } from './click-ids.js';
import { classifyReferrer } from './referrer.js';
import type { ReferrerClass } from './referrer.js';
import { readUtm } from './utm.js';

/** Where an event happened and where its visitor came from, in the names of the warehouse's columns. */
export interface Visit {
  /** The page URL without personal data, at most 2,048 characters; empty when the event has none. */
  readonly url: string;
  /** Lower case, without port. */
  readonly url_host: string;
  readonly url_path: string;
  /** Origin and path of the referrer without personal data, at most 2,048 characters. */
  readonly referrer: string;
  /** Lower case, without port; the package name when an Android app sent the visitor. */
  readonly referrer_host: string;
  readonly referrer_class: ReferrerClass;
  readonly utm_source: string;
  readonly utm_medium: string;
  readonly utm_campaign: string;
  readonly utm_term: string;
  readonly utm_content: string;
  readonly utm_id: string;
  readonly click_ids: readonly ClickId[];
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

/** Visits of one batch by their raw text: the events of a batch come from few pages. Forgotten with the batch. */
export type BatchVisits = Map<string, Visit | null>;

/**
 * Visits of pages that many visitors see. Only those are kept of which nothing had to be removed and that carry no click
 * id, so no personal text outlives its request here.
 */
const remembered = new LRUCache<string, Visit>({ max: 5_000 });

/** Reads a visit; null when `url` is not empty and no http(s) URL. The same text gives the same object where it is known. */
export function readVisit(place: VisitPlace, batch: BatchVisits = new Map()): Visit | null {
  const key = `${place.shopDomain}\n${place.referrer}\n${place.url}`;
  let visit = batch.get(key);
  if (visit !== undefined) return visit;
  visit = remembered.get(key) ?? compose(place);
  batch.set(key, visit);
  if (visit !== null && isPlain(visit, place)) remembered.set(key, visit);
  return visit;
}

function isPlain(visit: Visit, place: VisitPlace): boolean {
  return visit.url === place.url && visit.referrer === place.referrer && visit.click_ids.length === 0;
}

function compose({ url, referrer: rawReferrer, shopDomain }: VisitPlace): Visit | null {
  const page = url === '' ? noUrl : cleanPageUrl(url);
  if (page === null) return null;
  const utm = readUtm(page.parameters);
  const clickIds = readClickIds(page.parameters);
  // A referrer that is no URL counts as none.
  const referrer = cleanReferrer(rawReferrer);
  const referrerClass = classifyReferrer({
    host: referrer.host,
    isApp: referrer.url.startsWith('android-app:'),
    pageHost: page.host,
    shopHost: shopDomain.toLowerCase(),
  });
  return {
    url: page.url,
    url_host: page.host,
    url_path: page.path,
    referrer: referrer.url,
    referrer_host: referrer.host,
    referrer_class: referrerClass,
    utm_source: utm.source,
    utm_medium: utm.medium,
    utm_campaign: utm.campaign,
    utm_term: utm.term,
    utm_content: utm.content,
    utm_id: utm.id,
    click_ids: clickIds,
    channel: deriveChannel({ clickIds, utm, referrerClass, referrerHost: referrer.host }),
  };
}

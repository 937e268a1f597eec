import { getDomain, getPublicSuffix } from 'tldts';
import { remembering } from '../bounded-cache.js';
import {
  appPackages,
  assistantHosts,
  mailHosts,
  regionalSocialNames,
  returnHosts,
  socialHosts,
} from './referrer-hosts.js';
import { regionalSearchNames, searchHosts } from './search-hosts.js';
import { isOwnHost } from '../own-hosts.js';
import { wordSet } from './word-list.js';

/**
 * Where a visitor came from by the referrer alone. `internal`: the shop itself, its checkout, or a payment or sign-in
 * page that the shop sent the visitor to. `direct`: no referrer. `referral`: any other site or app.
 */
export type ReferrerClass = 'search' | 'social' | 'ai_assistant' | 'mail' | 'referral' | 'internal' | 'direct';

/** The classes that a table or a rule knows a host by. */
export type KnownHostClass = Exclude<ReferrerClass, 'referral' | 'direct'>;

export interface ReferrerPlace {
  /** Host of the cleaned referrer, or empty; lower case, without port. */
  readonly host: string;
  readonly isApp: boolean;
  /** Host of the page, or empty. */
  readonly pageHost: string;
  /** The shop's own host, or empty. */
  readonly shopHost: string;
  /** Further hosts of the shop, separated by blanks. */
  readonly ownHosts: string;
}

const webMail = /^(?:webmail|mail\d*|owa|email)\./;
const servicePrefix = /^(?:www\d?|m|l|lm|mobile)\./;

/** Platforms that host a shop or a site each and that the Public Suffix List lacks. */
const sharedDomains = wordSet(
  'bigcartel.com mybigcommerce.com shopifypreview.com squarespace.com tumblr.com wordpress.com',
);
/** Hosts come from parsed URLs, so they are not validated again. */
const hostOnly = { allowPrivateDomains: true, extractHostname: false, validateHostname: false } as const;

const remembered = remembering(512 * 1024, (host) => ({ of: lookUp(host) }));

/** Classifies a referrer; the most specific host that a table knows decides. */
export function classifyReferrer(place: ReferrerPlace): ReferrerClass {
  const { host, isApp, pageHost, shopHost, ownHosts } = place;
  if (host === '') return 'direct';
  const byApp = isApp ? classifyApp(host) : null;
  if (byApp !== null) return byApp;
  // Some apps give the host that they show instead of their package: `android-app://m.facebook.com`.
  const site = registrable(host);
  if (belongsTo(pageHost, site) || belongsTo(shopHost, site)) return 'internal';
  if (ownHosts !== '' && isOwnHost(host, ownHosts.split(' '))) return 'internal';
  return classifyHost(host) ?? 'referral';
}

/** The class of a host by the tables, or null when they do not know it. `host` in lower case. */
export function classifyHost(host: string): KnownHostClass | null {
  return remembered(host).of;
}

function lookUp(host: string): KnownHostClass | null {
  const service = host.replace(servicePrefix, '');
  const suffix = getPublicSuffix(service, hostOnly);
  const regional = suffix === null ? service : service.slice(0, -suffix.length - 1);
  if (regionalSearchNames.has(regional)) return 'search';
  if (regionalSocialNames.has(regional.slice(regional.lastIndexOf('.') + 1))) return 'social';
  for (let rest = host; rest.includes('.'); rest = rest.slice(rest.indexOf('.') + 1)) {
    if (returnHosts.has(rest)) return 'internal';
    if (assistantHosts.has(rest)) return 'ai_assistant';
    if (mailHosts.has(rest)) return 'mail';
    if (socialHosts.has(rest)) return 'social';
    if (searchHosts.has(rest)) return 'search';
  }
  return webMail.test(host) ? 'mail' : null;
}

function classifyApp(packageName: string): ReferrerClass | null {
  for (let rest = packageName; rest.includes('.'); rest = rest.slice(0, rest.lastIndexOf('.'))) {
    const known = Object.hasOwn(appPackages, rest) ? appPackages[rest] : undefined;
    if (known !== undefined) return known;
  }
  return null;
}

function belongsTo(host: string, site: string): boolean {
  return host.endsWith(site) && (host.length === site.length || host.charAt(host.length - site.length - 1) === '.');
}

/** The part of a host name that its owner registered: `brand.co.uk` of `www.brand.co.uk`; the whole name where there is none. */
function registrable(host: string): string {
  const domain = getDomain(host, hostOnly) ?? host;
  if (!sharedDomains.has(domain) || host === domain) return domain;
  return host.slice(host.lastIndexOf('.', host.length - domain.length - 2) + 1);
}

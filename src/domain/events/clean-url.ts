import { isPersonalValue } from '../personal/values.js';
import { clickIdNames, issuerOf } from './click-networks.js';
import { readParameter, type Parameter } from './url-parameter.js';
import { wordSet } from './word-list.js';

/** A URL without personal data. Every text is empty when there is no usable URL. */
export interface CleanUrl {
  readonly url: string;
  readonly host: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
}

export const noUrl: CleanUrl = { url: '', host: '', path: '', parameters: [] };

/** What is in a path in place of a segment that held personal data; the path keeps its depth. */
const redacted = 'redacted';
const LONGEST_URL = 2_048;
const MAX_PARAMETERS = 100;
const LONGEST_TAG_NAME = 64;
/** A `?` before a name that is a campaign parameter or a click id. */
const beforeTag = new RegExp(`\\?(?=(?:utm_[a-z]+|${clickIdNames().join('|')})=)`, 'i');
/** DNS allows no longer names. */
const LONGEST_HOST = 253;
const longHex = /^[0-9a-f]{32,}(?:-\d+)?$/i;
const SHORTEST_SECRET = 16;
const opaque = /^(?=.*\d)[\w.~-]{16,}$/;
const beforeSecrets = wordSet(`
  activate activation auth checkout checkouts cn confirm confirmation invite invitation login magic magic-link order
  orders password reset reset-password token unsubscribe verify verification
`);

/** After these every segment and parameter may be the secret itself, however short. */
const beforeShortSecrets = wordSet(`
  activate activation confirm confirmation invite invitation magic magic-link password password-reset reset
  reset-password set-password forgot-password recover recovery token unsubscribe verify verification
`);
/** Plain words and small numbers are steps of a page: `/reset/done`, `/verify/email`, `?step=2`. */
const step = /^(?:[a-z]{1,12}(?:-[a-z]{1,12}){0,3}|\d{1,3})?$/i;
const mixedCase = /[a-z][A-Z]/;

/**
 * Cleans a page URL (http or https). Null when it is no such URL. Gone are: user and password; parameters of query and
 * fragment whose name or value is personal; path segments with such values, with 32 or more hex digits, or opaque ones
 * after a word like `checkout` (each becomes `redacted`); after a word like `reset` all segments and parameters but plain words,
 * small numbers, campaign parameters and click ids. What is kept keeps its spelling and order. Cleaning a cleaned
 * URL changes nothing. Over 2,048 characters the fragment goes first, then parameters and path segments from the end.
 */
export function cleanPageUrl(raw: string): CleanUrl | null {
  const parsed = parseUrl(raw);
  if (parsed === null || !isWeb(parsed)) return null;
  const parameters: Parameter[] = [];
  const isSecretPage = parsed.pathname.split('/').some((segment) => beforeShortSecrets.has(segment.toLowerCase()));
  const query = cleanPairs(parsed.search.slice(1), parameters, isSecretPage);
  const fragment = cleanFragment(parsed.hash.slice(1), parameters);
  const origin = `${parsed.protocol}//${parsed.host}`;
  const path = cleanPath(parsed.pathname, LONGEST_URL - origin.length);
  return { url: assembled(origin + path, query, fragment), host: parsed.hostname, path, parameters };
}

/**
 * Cleans a referrer (http, https or `android-app:`) down to origin and path: nothing is read from its query. Anything
 * else, such as `about:blank` or no URL at all, is no referrer: the result is empty.
 */
export function cleanReferrer(raw: string): CleanUrl {
  const parsed = parseUrl(raw);
  if (parsed === null) return noUrl;
  const isApp = parsed.protocol === 'android-app:' && /^[\w.]+$/.test(parsed.hostname);
  if (!isApp && !isWeb(parsed)) return noUrl;
  const origin = `${parsed.protocol}//${parsed.host}`;
  const path = cleanPath(parsed.pathname, LONGEST_URL - origin.length);
  return { url: origin + path, host: parsed.hostname.toLowerCase(), path, parameters: [] };
}

function parseUrl(raw: string): URL | null {
  try {
    const url = new URL(raw);
    return url.hostname.length <= LONGEST_HOST ? url : null;
  } catch {
    return null;
  }
}

function isWeb(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:';
}

/**
 * Returns the pairs to keep and adds all of them to `parameters`; those beyond the first hundred are left out, but for as many
 * campaign parameters and click ids. A tool that adds its tags with a second `?` breaks the one before them: it begins a pair.
 */
function cleanPairs(query: string, parameters: Parameter[], isSecretPage = false): string[] {
  if (query === '') return [];
  const pairs = (query.includes('?') ? query.split(beforeTag).join('&') : query).split('&');
  const tags = pairs
    .slice(MAX_PARAMETERS)
    .filter((pair) => isTag(pair.slice(0, LONGEST_TAG_NAME).split('=', 1)[0] ?? ''));
  return [...pairs.slice(0, MAX_PARAMETERS), ...tags.slice(0, MAX_PARAMETERS)].filter((pair) => {
    if (pair === '') return false;
    const parameter = readParameter(pair);
    parameters.push(parameter);
    return parameter.kept && !(isSecretPage && isShortSecret(parameter));
  });
}

function isShortSecret({ name, value }: Parameter): boolean {
  return !isTag(name) && !isStep(value);
}

function isTag(name: string): boolean {
  const lower = name.toLowerCase();
  return lower.startsWith('utm_') || issuerOf(lower) !== undefined;
}

function isStep(text: string): boolean {
  return step.test(text) && !mixedCase.test(text);
}

/**
 * A fragment is a route (`/cart?step=2`), pairs (`access_token=…&state=…`), or an anchor. What is left after a removal
 * may read as another of these, hence the repetition until nothing changes.
 */
function cleanFragment(fragment: string, parameters: Parameter[]): string {
  if (fragment === '' || fragment.length > LONGEST_URL) return '';
  const mark = fragment.indexOf('?');
  const head = mark < 0 ? fragment : fragment.slice(0, mark);
  const route = head.includes('=') ? cleanPairs(head, parameters).join('&') : cleanPath(head, LONGEST_URL);
  const pairs = mark < 0 ? '' : cleanPairs(fragment.slice(mark + 1), parameters).join('&');
  const cleaned = pairs === '' ? route : `${route}?${pairs}`;
  return cleaned === fragment ? cleaned : cleanFragment(cleaned, []);
}

/** At most `room` characters, cut where a segment begins. */
function cleanPath(path: string, room: number): string {
  const segments = fitted(path, room).split('/');
  let afterSecretWord = false;
  let afterShortSecretWord = false;
  let isChanged = path.length > room;
  for (let at = 0; at < segments.length; at++) {
    const segment = segments[at] ?? '';
    if (segment === redacted) continue;
    if (isSecret(segment, afterSecretWord) || (afterShortSecretWord && !isStep(segment))) {
      segments[at] = redacted;
      isChanged = true;
    } else {
      afterSecretWord ||= beforeSecrets.has(segment.toLowerCase());
      afterShortSecretWord ||= beforeShortSecrets.has(segment.toLowerCase());
    }
  }
  return isChanged ? fitted(segments.join('/'), room) : path;
}

function isSecret(segment: string, afterSecretWord: boolean): boolean {
  if (segment.length < SHORTEST_SECRET) return isPersonalValue(segment);
  return (afterSecretWord && opaque.test(segment)) || longHex.test(segment) || isPersonalValue(segment);
}

function fitted(path: string, room: number): string {
  if (path.length <= room) return path;
  return path.slice(0, path.lastIndexOf('/', room)) || '/';
}

function assembled(base: string, query: readonly string[], fragment: string): string {
  const whole = base + (query.length > 0 ? `?${query.join('&')}` : '') + (fragment === '' ? '' : `#${fragment}`);
  if (whole.length <= LONGEST_URL) return whole;
  let url = base;
  for (const [at, pair] of query.entries()) {
    const longer = `${url}${at === 0 ? '?' : '&'}${pair}`;
    if (longer.length > LONGEST_URL) break;
    url = longer;
  }
  return url;
}

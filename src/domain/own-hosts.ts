import { getPublicSuffix } from 'tldts';

const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}\\p{M}-]{0,61}[\\p{L}\\p{N}\\p{M}])?';
const HOST = new RegExp(`^${LABEL}(?:\\.${LABEL})*\\.?$`, 'u');

/** Whether a text is a host name and nothing more: no scheme, port, path or user. Letters may be of any script. */
export function isHostName(text: string): boolean {
  return HOST.test(text) && URL.canParse(`https://${text}`);
}

/** Hosts that a shop may register as its own. */
export const MAX_OWN_HOSTS = 50;

const SUBDOMAINS = '*.';

/**
 * A host of the shop as it is kept: lower case, `xn--…`, without a dot at the end; `*.` before it means all its subdomains. Null
 * where no page could ever match it, and for the subdomains of a suffix under which anybody may register (`*.co.uk`).
 */
export function canonicalHost(text: string): string | null {
  const isWild = text.startsWith(SUBDOMAINS);
  const host = isWild ? text.slice(SUBDOMAINS.length) : text;
  if (!isHostName(host)) return null;
  // A number before an IP address makes another address of it, and a name none.
  const url = new URL(`https://${host}`).hostname.replace(/\.$/, '');
  const isSite =
    !isWild || (getPublicSuffix(url, { allowPrivateDomains: true }) !== url && URL.canParse(`https://a.${url}`));
  return isSite ? (isWild ? SUBDOMAINS : '') + url : null;
}

/** All of them as they are kept, each once; those that are none are left out. */
export function canonicalHosts(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => canonicalHost(text) ?? []))];
}

/** Whether a host is one of these, as {@link canonicalHost} gives them. */
export function isOwnHost(host: string, own: readonly string[]): boolean {
  return own.some((name) => (name.startsWith(SUBDOMAINS) ? host.endsWith(name.slice(1)) : host === name));
}

import type { SessionEvent } from '../../src/domain/attribution/sessions.js';
import { WAYS } from './attribution-history.js';

/** What sessions read of an event that came in one of the {@link WAYS}. */
export function sessionEvent(at: number, way: number, type = 'page_view'): SessionEvent {
  const { channel, evidence, url, referrer } = WAYS[way] ?? {
    channel: null,
    evidence: 'ambiguous',
    url: '',
    referrer: '',
  };
  const isOutside = channel !== null && channel !== 'direct';
  const bareReferrer = isOutside && !/utm_|gclid/.test(url) ? hostOf(referrer) : '';
  return {
    at,
    eventId: '',
    type,
    channel: channel ?? 'internal',
    evidence,
    arrival: isOutside ? `way-${way}` : '0',
    page: `${url} ${referrer}`,
    host: hostOf(url),
    bareReferrer,
    isSignIn: bareReferrer === 'facebook.com',
    campaign: '',
  };
}

function hostOf(url: string): string {
  return url === '' ? '' : new URL(url).host.replace(/^www\./, '');
}

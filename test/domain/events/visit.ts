import { enrichEvent } from '../../../src/domain/events/enrich.js';
import type { ClickId } from '../../../src/domain/events/click-ids.js';

const receivedAtMs = Date.parse('2026-03-01T12:00:00.000Z');

/** What is known of a visit, in one object. */
export interface FlatVisit {
  url: string;
  channel: string;
  click_ids: readonly ClickId[];
  utm_source: string;
  utm_medium: string;
  utm_campaign: string;
  utm_term: string;
  utm_content: string;
  utm_id: string;
}

/** The visit that a page view with this query and referrer begins. */
export function visit(query: string, referrer = ''): FlatVisit {
  const event = {
    event_id: 'e-1',
    type: 'page_view',
    ts: '2026-03-01T12:00:00.000Z',
    anon_id: 'v-1',
    consent: 'analytics',
    url: `https://shop.example.com/products/1${query === '' ? '' : '?'}${query}`,
    referrer,
  } as const;
  const { row } = enrichEvent(event, { receivedAtMs });
  if (row === undefined) throw new Error('the visit was dropped');
  const { page, channel } = row.visit;
  const utm = Object.fromEntries(Object.entries(page.utm).map(([name, value]) => [`utm_${name}`, value as string]));
  return { url: page.url, channel, click_ids: page.clickIds, ...utm } as FlatVisit;
}

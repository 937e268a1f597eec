import type { CollectEvent, EnrichContext } from '../../../src/domain/events/event.js';

export const receivedAtMs = Date.parse('2026-03-01T12:00:00.000Z');
export const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
export const context: EnrichContext = { userAgent: chrome, receivedAtMs, shopDomain: 'shop.example.com' };
export const pageView: CollectEvent = {
  event_id: '0b0c7d2e-6a0b-4a36-9d3a-5f1c4a6d9e01',
  type: 'page_view',
  ts: '2026-03-01T11:59:58.250Z',
  anon_id: 'v-7f3a',
  consent: 'analytics',
};

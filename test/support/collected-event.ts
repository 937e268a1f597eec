import { randomUUID } from 'node:crypto';

/** A page view as the pixel sends it, now and of a new visitor, with other fields. */
export const collectedEvent = (fields: Record<string, unknown> = {}): Record<string, unknown> => ({
  event_id: randomUUID(),
  type: 'page_view',
  ts: new Date().toISOString(),
  anon_id: randomUUID(),
  consent: 'analytics',
  url: 'https://shop.example.com/',
  ...fields,
});

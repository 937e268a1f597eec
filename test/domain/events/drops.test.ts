import { expect } from 'chai';
import { dropMessages, type DropReason } from '../../../src/domain/events/drop-reasons.js';
import { enrichEvent } from '../../../src/domain/events/enrich.js';
import type { CollectEvent } from '../../../src/domain/events/event.js';
import { chrome, context, pageView } from './page-view.js';

const hash = 'AB'.repeat(32);

const bots: readonly (readonly [when: string, userAgent: string])[] = [
  ['a crawler sends it', 'Mozilla/5.0 (compatible; Googlebot/2.1)'],
  ['a headless browser sends it', chrome.replace('Chrome/', 'HeadlessChrome/')],
  ["a search engine's script sends it", 'FeedFetcher-Google; python-requests/2.31'],
  ['a bot with an endless user agent sends it', `Googlebot ${'x'.repeat(2_000)}`],
];

const faults: readonly (readonly [when: string, code: DropReason, field: string, event: Partial<CollectEvent>])[] = [
  ['consent is empty', 'consent_required', 'consent', { consent: '' }],
  ['consent is to marketing alone', 'consent_required', 'consent', { consent: 'marketing' }],
  ['consent was denied', 'consent_required', 'consent', { consent: 'denied' }],
  ['it identifies without marketing consent', 'consent_required', 'consent', { type: 'identify' }],
  ['an e-mail hash comes without marketing consent', 'consent_required', 'consent', { email_hash: hash }],
  [
    'an e-mail hash comes with another type than identify',
    'invalid_value',
    'email_hash',
    { email_hash: hash, consent: 'analytics+marketing' },
  ],
  ['a purchase names no order', 'missing_field', 'order_id', { type: 'purchase' }],
  [
    'a purchase names an empty order',
    'missing_field',
    'order_id',
    { type: 'purchase', order_id: '', checkout_token: '' },
  ],
  ['the order id is an e-mail address', 'pii_rejected', 'order_id', { order_id: 'jane@mail.example' }],
  [
    'the e-mail hash is the address itself',
    'invalid_value',
    'email_hash',
    { type: 'identify', email_hash: 'jane@mail.example', consent: 'analytics+marketing' },
  ],
  ['the visitor id is an e-mail address', 'pii_rejected', 'anon_id', { anon_id: 'jane@mail.example' }],
  ['the visitor id is an encoded e-mail address', 'pii_rejected', 'anon_id', { anon_id: 'jane%40mail.example' }],
  ['the session hint is a phone number', 'pii_rejected', 'session_hint', { session_hint: '+49 151 2345678' }],
  ['the store client id is an e-mail address', 'pii_rejected', 'store_client_id', { store_client_id: 'a.b@c.de' }],
  ['ts has no offset', 'invalid_timestamp', 'ts', { ts: '2026-03-01T11:59:58.250' }],
  ['ts is a day that no calendar has', 'invalid_timestamp', 'ts', { ts: '2026-02-29T11:59:58.250Z' }],
  ['ts is more than a day ahead', 'invalid_timestamp', 'ts', { ts: '2026-03-02T12:00:00.001Z' }],
  ['ts is more than 30 days old', 'invalid_timestamp', 'ts', { ts: '2026-01-30T11:59:59.999Z' }],
  ['url is no URL', 'invalid_value', 'url', { url: 'products/red-shoe' }],
  ['url is not of the web', 'invalid_value', 'url', { url: 'file:///home/jane/page.html' }],
  ['url names an impossible host', 'invalid_value', 'url', { url: `https://${'a'.repeat(300)}.example/` }],
];

describe('enrichEvent', () => {
  const drops = [
    ...bots.map(([when, userAgent]) => ({ when, userAgent, event: {}, code: 'bot', field: undefined })),
    ...faults.map(([when, code, field, event]) => ({ when, userAgent: chrome, event, code, field })),
  ];
  for (const { when, event, userAgent, code, field } of drops) {
    it(`drops an event when ${when}`, () => {
      const { row, drop } = enrichEvent({ ...pageView, ...event }, { ...context, userAgent });
      expect([row, drop?.code, drop?.field]).to.deep.equal([undefined, code, field]);
      expect(drop?.message)
        .to.match(/^[A-Za-z_].+\.$/)
        .and.not.include('jane');
    });
  }

  it('drops an event when it carries no consent', () => {
    const { event_id, type, ts, anon_id } = pageView;
    expect(enrichEvent({ event_id, type, ts, anon_id }, context).drop).to.deep.equal({
      code: 'consent_required',
      field: 'consent',
      message: dropMessages.consent_required,
    });
  });
});

import { expect } from 'chai';
import { dropMessages, type DropReason } from '../../../src/domain/events/drop-reasons.js';
import { enrichEvent } from '../../../src/domain/events/enrich.js';
import type { CollectEvent, EnrichContext } from '../../../src/domain/events/event.js';

const receivedAtMs = Date.parse('2026-03-01T12:00:00.000Z');
const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const context: EnrichContext = { userAgent: chrome, receivedAtMs, shopDomain: 'shop.example.com' };
const pageView: CollectEvent = {
  event_id: '0b0c7d2e-6a0b-4a36-9d3a-5f1c4a6d9e01',
  type: 'page_view',
  ts: '2026-03-01T11:59:58.250Z',
  anon_id: 'v-7f3a',
  consent: 'analytics',
};
const hash = 'AB'.repeat(32);

interface DropCase {
  readonly when: string;
  readonly event?: Partial<CollectEvent>;
  readonly userAgent?: string;
  readonly code: DropReason;
  readonly field?: string;
}

const dropCases: readonly DropCase[] = [
  { when: 'a crawler sends it', userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1)', code: 'bot' },
  { when: 'a headless browser sends it', userAgent: chrome.replace('Chrome/', 'HeadlessChrome/'), code: 'bot' },
  { when: "a search engine's script sends it", userAgent: 'FeedFetcher-Google; python-requests/2.31', code: 'bot' },
  { when: 'a bot with an endless user agent sends it', userAgent: `Googlebot ${'x'.repeat(2_000)}`, code: 'bot' },
  { when: 'consent is empty', event: { consent: '' }, code: 'consent_required', field: 'consent' },
  {
    when: 'consent is to marketing alone',
    event: { consent: 'marketing' },
    code: 'consent_required',
    field: 'consent',
  },
  { when: 'consent was denied', event: { consent: 'denied' }, code: 'consent_required', field: 'consent' },
  {
    when: 'it identifies without marketing consent',
    event: { type: 'identify' },
    code: 'consent_required',
    field: 'consent',
  },
  {
    when: 'an e-mail hash comes without marketing consent',
    event: { email_hash: hash },
    code: 'consent_required',
    field: 'consent',
  },
  {
    when: 'an e-mail hash comes with another type than identify',
    event: { email_hash: hash, consent: 'analytics+marketing' },
    code: 'invalid_value',
    field: 'email_hash',
  },
  { when: 'a purchase names no order', event: { type: 'purchase' }, code: 'missing_field', field: 'order_id' },
  {
    when: 'a purchase names an empty order',
    event: { type: 'purchase', order_id: '', checkout_token: '' },
    code: 'missing_field',
    field: 'order_id',
  },
  {
    when: 'the order id is an e-mail address',
    event: { order_id: 'jane@mail.example' },
    code: 'pii_rejected',
    field: 'order_id',
  },
  {
    when: 'the e-mail hash is the address itself',
    event: { type: 'identify', email_hash: 'jane@mail.example', consent: 'analytics+marketing' },
    code: 'invalid_value',
    field: 'email_hash',
  },
  {
    when: 'the visitor id is an e-mail address',
    event: { anon_id: 'jane@mail.example' },
    code: 'pii_rejected',
    field: 'anon_id',
  },
  {
    when: 'the visitor id is an encoded e-mail address',
    event: { anon_id: 'jane%40mail.example' },
    code: 'pii_rejected',
    field: 'anon_id',
  },
  {
    when: 'the session hint is a phone number',
    event: { session_hint: '+49 151 2345678' },
    code: 'pii_rejected',
    field: 'session_hint',
  },
  {
    when: 'the store client id is an e-mail address',
    event: { store_client_id: 'a.b@c.de' },
    code: 'pii_rejected',
    field: 'store_client_id',
  },
  { when: 'ts has no offset', event: { ts: '2026-03-01T11:59:58.250' }, code: 'invalid_timestamp', field: 'ts' },
  {
    when: 'ts is a day that no calendar has',
    event: { ts: '2026-02-29T11:59:58.250Z' },
    code: 'invalid_timestamp',
    field: 'ts',
  },
  {
    when: 'ts is more than a day ahead',
    event: { ts: '2026-03-02T12:00:00.001Z' },
    code: 'invalid_timestamp',
    field: 'ts',
  },
  {
    when: 'ts is more than 30 days old',
    event: { ts: '2026-01-30T11:59:59.999Z' },
    code: 'invalid_timestamp',
    field: 'ts',
  },
  { when: 'url is no URL', event: { url: 'products/red-shoe' }, code: 'invalid_value', field: 'url' },
  { when: 'url is not of the web', event: { url: 'file:///home/jane/page.html' }, code: 'invalid_value', field: 'url' },
  {
    when: 'url names an impossible host',
    event: { url: `https://${'a'.repeat(300)}.example/` },
    code: 'invalid_value',
    field: 'url',
  },
];

describe('enrichEvent', () => {
  for (const { when, event, userAgent, code, field } of dropCases) {
    it(`drops an event when ${when}`, () => {
      const result = enrichEvent({ ...pageView, ...event }, { ...context, userAgent: userAgent ?? chrome });
      expect(result.row).to.equal(undefined);
      expect(result.drop?.code).to.equal(code);
      expect(result.drop?.field).to.equal(field);
      expect(result.drop?.message).to.match(/^[A-Za-z_].+\.$/);
      expect(result.drop?.message).not.to.include('jane');
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

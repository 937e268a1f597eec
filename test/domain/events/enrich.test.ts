import { expect } from 'chai';
import { enrichEvent } from '../../../src/domain/events/enrich.js';
import type { CollectEvent } from '../../../src/domain/events/event.js';
import { context, pageView, receivedAtMs } from './page-view.js';

const hash = 'AB'.repeat(32);

describe('enrichEvent', () => {
  it('turns an ad click into the whole row', () => {
    const event: CollectEvent = {
      ...pageView,
      session_hint: 's-1',
      url:
        'https://jane:secret@Shop.Example.com:443/products/Red%20Shoe?variant=44012345678901&utm_source=facebook' +
        '&UTM_Medium=cpc&utm_campaign=Summer+Sale&email=jane%40mail.example&fbclid=IwAR0abc#size=42&token=abc',
      referrer: 'https://l.facebook.com/l.php?u=https%3A%2F%2Fshop.example.com%2F&h=AT0',
      sdk: 'js-1.4.0',
      store_client_id: '2f0c-4a6d',
      product_id: '881',
      sku: 'RS-42',
      quantity: '2',
    };
    expect(enrichEvent(event, context)).to.deep.equal({
      row: {
        event_id: pageView.event_id,
        type: 'page_view',
        ts: receivedAtMs - 1_750,
        received_at: receivedAtMs,
        anon_id: 'v-7f3a',
        session_hint: 's-1',
        consent: 'analytics',
        order_id: '',
        checkout_token: '',
        sdk: 'js-1.4.0',
        store_client_id: '2f0c-4a6d',
        email_hash: '',
        product_id: '881',
        sku: 'RS-42',
        quantity: '2',
        visit: {
          page: {
            url:
              'https://shop.example.com/products/Red%20Shoe?variant=44012345678901&utm_source=facebook&UTM_Medium=cpc' +
              '&utm_campaign=Summer+Sale&fbclid=IwAR0abc#size=42',
            host: 'shop.example.com',
            path: '/products/Red%20Shoe',
            utm: { source: 'facebook', medium: 'cpc', campaign: 'Summer Sale', term: '', content: '', id: '' },
            clickIds: [{ param: 'fbclid', network: 'meta', value: 'IwAR0abc' }],
            isPlain: false,
          },
          referrer: { url: 'https://l.facebook.com/l.php', host: 'l.facebook.com', isApp: false, isPlain: false },
          referrerClass: 'social',
          channel: 'meta_ads',
          evidence: 'claimed',
        },
      },
    });
  });

  it('keeps an event without url, referrer and user agent as a direct one', () => {
    const { row } = enrichEvent(pageView, { receivedAtMs });
    expect(row?.visit.page).to.include({ url: '', host: '', path: '' });
    expect(row?.visit).to.include({ referrerClass: 'direct', channel: 'direct' });
    expect(row?.visit.referrer.url).to.equal('');
    expect(row?.quantity).to.equal(null);
  });

  const joinable: readonly Partial<CollectEvent>[] = [
    { type: 'purchase', order_id: '1001' },
    { type: 'purchase', checkout_token: 'c-9' },
    { type: 'identify', email_hash: hash, consent: 'analytics+marketing' },
  ];
  for (const event of joinable) {
    it(`keeps a ${event.type ?? ''} with ${Object.keys(event).slice(1).join(' and ')} although its url is unusable`, () => {
      const { row } = enrichEvent({ ...pageView, ...event, url: 'about:srcdoc' }, context);
      expect(row?.visit.page).to.include({ url: '', host: '', path: '' });
      expect(row?.order_id).to.equal(event.order_id ?? '');
      expect(row?.email_hash).to.equal(event.email_hash?.toLowerCase() ?? '');
    });
  }

  const times: readonly (readonly [string, string, number])[] = [
    ['keeps the time of an event of just now', '2026-03-01T11:59:58.250Z', receivedAtMs - 1_750],
    ['keeps the time of an event of 30 days ago', '2026-01-30T12:00:00.000Z', receivedAtMs - 30 * 86_400_000],
    ['reads an explicit offset', '2026-03-01T12:59:59+01:00', receivedAtMs - 1_000],
    ['moves an event from a clock that runs ahead back to its arrival', '2026-03-02T12:00:00.000Z', receivedAtMs],
    ['takes the leap day of a leap year for a day', '2024-02-29T00:00:00.000Z', Date.parse('2024-02-29T00:00:00Z')],
  ];
  for (const [title, ts, expected] of times) {
    it(title, () => {
      const at = ts.startsWith('2024') ? expected + 1_000 : receivedAtMs;
      expect(enrichEvent({ ...pageView, ts }, { ...context, receivedAtMs: at }).row?.ts).to.equal(expected);
    });
  }

  it('takes ids of the usual forms for opaque', () => {
    for (const anonId of ['GA1.1.1234567890.1712345678', '0b0c7d2e-6a0b-4a36-9d3a-5f1c4a6d9e01', 'a+b', '100%']) {
      expect(enrichEvent({ ...pageView, anon_id: anonId }, context).row?.anon_id).to.equal(anonId);
    }
  });

  it('takes what a program forwards for a visitor, not for a bot', () => {
    for (const userAgent of ['node', 'curl/8.5.0', 'python-requests/2.31', 'okhttp/4.12.0', 'GuzzleHttp/7', '']) {
      expect(enrichEvent(pageView, { ...context, userAgent }).drop, userAgent).to.equal(undefined);
    }
  });

  it('takes who reads in an app for a visitor, one for news too', () => {
    const phone =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148';
    for (const app of [
      'SmartNews/24.5.0',
      'NewsArticle/9.1.9.20 JsSdk/2.0 NetType/WIFI (News 9.1.9 17.500000)',
      'NewsArticle/8.2.8.06 JsSdk/2.0 NetType/4G (NewsLite 8.2.8 17.500000) NewsLite/8.2.8 Mobile',
      '[Pinterest/iOS]',
    ]) {
      expect(enrichEvent(pageView, { ...context, userAgent: `${phone} ${app}` }).drop, app).to.equal(undefined);
    }
    const collector = { ...context, userAgent: `${phone} (compatible; Google-News)` };
    expect(enrichEvent(pageView, collector).drop?.code).to.equal('bot');
  });

  it('caches pages and referrers, unless they contain personal data', () => {
    const read = (url: string, referrer = '') => enrichEvent({ ...pageView, url, referrer }, context).row?.visit;
    const plain = 'https://shop.example.com/a?page=2';
    const elsewhere = 'https://shop.example.com/elsewhere';
    expect(read(plain)?.page).to.equal(read(plain)?.page);
    expect(read('', plain.slice(0, -7))?.referrer).to.equal(read('', plain.slice(0, -7))?.referrer);
    for (const url of [`${plain}&email=jane%40mail.example`, `${plain}&gclid=1`]) {
      const first = read(url, url);
      read(elsewhere, elsewhere);
      const second = read(url, url);
      expect(second?.page).to.deep.equal(first?.page);
      expect(second?.page).not.to.equal(first?.page);
      expect(second?.referrer).not.to.equal(first?.referrer);
    }
  });

  it('gives the same result for the same input and changes neither', () => {
    const event = Object.freeze({ ...pageView, url: 'https://shop.example.com/?gclid=a1' });
    const once = enrichEvent(event, Object.freeze({ ...context }));
    expect(enrichEvent(event, context)).to.deep.equal(once);
  });
});

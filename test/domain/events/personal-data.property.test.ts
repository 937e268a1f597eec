import { expect } from 'chai';
import fc from 'fast-check';
import { cleanPageUrl, cleanReferrer } from '../../../src/domain/events/clean-url.js';
import { enrichEvent } from '../../../src/domain/events/enrich.js';

const receivedAtMs = Date.parse('2026-03-01T12:00:00.000Z');
const event = {
  event_id: 'e-1',
  type: 'purchase',
  ts: '2026-03-01T12:00:00.000Z',
  anon_id: 'v-1',
  consent: 'analytics',
  order_id: '1001',
} as const;

/**
 * Not recognised is a local part that ends with a slash, since `/@name` is how profiles are linked, nor one whose last
 * character, left unencoded, divides the URL itself.
 */
const email = fc
  .oneof(
    fc.emailAddress(),
    fc.tuple(fc.stringMatching(/^[A-Za-z0-9._+-]{1,12}$/), fc.domain()).map(([local, domain]) => `${local}@${domain}`),
    fc.constantFrom('jörg@müller.example', 'jane.doe+shop@mail.example.co.uk', 'o’neil@mail.example', '名前@例え.jp'),
  )
  .filter((address) => !/[/?#&=]@/.test(address));

const everyByte = (text: string) =>
  [...new TextEncoder().encode(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const encoding = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => encodeURIComponent(text),
  (text) => encodeURIComponent(encodeURIComponent(text)),
  (text) => encodeURIComponent(encodeURIComponent(encodeURIComponent(text))),
  (text) => everyByte(text),
  (text) => everyByte(everyByte(text)),
  (text) => text.replace('@', '%40'),
  (text) => text.replace('@', '%2540'),
);
const around = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => `x-${text}`,
  (text) => `name:${text},2026`,
  (text) => `${text}%20and%20more`,
  (text) => `100%-${text}`,
  (text) => `%E0%A4%A-${text}`,
);
const place = fc.constantFrom<(text: string) => string>(
  (text) => `https://shop.example.com/p?a=1&b=${text}&c=2`,
  (text) => `https://shop.example.com/p?${text}=1&c=2`,
  (text) => `https://shop.example.com/p?${text}`,
  (text) => `https://shop.example.com/p?utm_source=${text}&utm_campaign=x+${text}&UTM_ID=${text}`,
  (text) => `https://shop.example.com/p?gclid=${text}&fbclid=${text}&mc_eid=${text}`,
  (text) => `https://shop.example.com/p?next=https%3A%2F%2Fshop.example.com%2F%3Fq%3D${text}`,
  (text) => `https://shop.example.com/account/${text}/orders`,
  (text) => `https://shop.example.com/${text}`,
  (text) => `https://shop.example.com/p;u=${text}?a=1`,
  (text) => `https://shop.example.com/p#${text}`,
  (text) => `https://shop.example.com/p#step=2&u=${text}`,
  (text) => `https://shop.example.com/p#/u/${text}/x?y=${text}&utm_term=${text}`,
);

const fragments = fc.constantFrom(
  ...['a', 'email=', 'a=1', 'name', '&', '?', '#', '/', ';', '=', '%', '%40', '%2540', '%zz', '@', '.com', 'jane', '+'],
  ...[
    '+49151234567',
    'eyJhbGciOiJIUzI1',
    'reset',
    '0123456789abcdef'.repeat(2),
    'utm_source=',
    'x1'.repeat(12),
    'ü',
    ' ',
  ],
  ...['.', '..', ':', '\\', '|', '[', '&amp;', 'gclid=', '_kx=', '\t', '%00', '😀', '\uD83D'],
);
const messyUrl = fc
  .tuple(
    fc.constantFrom('https://shop.example.com/', 'http://u:p@[2001:db8::1]:81', 'HTTPS://É.example?'),
    fc.array(fragments),
  )
  .map(([origin, parts]) => origin + parts.join(''));

/** The text at every depth of decoding, lower case. */
function everyReading(text: string): string {
  const readings = [text];
  for (let depth = 0; depth < 6; depth++) {
    const last = readings.at(-1) ?? '';
    readings.push(last.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString()));
  }
  return readings.join('\n').toLowerCase();
}

function isUsable(url: string): boolean {
  return url === '' || (URL.canParse(url) && new URL(url).href === url);
}

describe('personal data, whatever the URL', () => {
  it('leaves no trace of an e-mail address planted anywhere, encoded or not', () => {
    const planted = fc.tuple(email, encoding, around, place);
    fc.assert(
      fc.property(planted, fc.boolean(), ([address, encode, surround, put], inReferrer) => {
        const url = put(surround(encode(address)));
        const clean = 'https://shop.example.com/thanks';
        const { row } = enrichEvent(
          { ...event, url: inReferrer ? clean : url, referrer: inReferrer ? url : '' },
          { receivedAtMs },
        );
        expect(row).not.to.equal(undefined);
        const readings = everyReading(JSON.stringify(row));
        const [, domain = ''] = /@(.*)$/.exec(address.toLowerCase()) ?? [];
        expect(readings).not.to.include(address.toLowerCase());
        expect(readings).not.to.include(`@${domain}`);
      }),
      { numRuns: 1_500 },
    );
  });

  it('gives a URL that can be parsed, or none', () => {
    fc.assert(
      fc.property(fc.oneof(messyUrl, fc.webUrl({ withFragments: true, withQueryParameters: true })), (url) => {
        expect(isUsable(cleanPageUrl(url)?.url ?? '')).to.equal(true);
        expect(isUsable(cleanReferrer(url).url)).to.equal(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('changes nothing in a URL that it has cleaned', () => {
    fc.assert(
      fc.property(messyUrl, (url) => {
        const once = cleanPageUrl(url)?.url ?? '';
        expect(once === '' ? '' : cleanPageUrl(once)?.url).to.equal(once);
        const referrer = cleanReferrer(url).url;
        expect(cleanReferrer(referrer).url).to.equal(referrer);
      }),
      { numRuns: 1_500 },
    );
  });

  it('never throws, whatever the text', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary' }),
      messyUrl,
      fc.array(fragments).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(anyText, anyText, anyText, (url, referrer, anonId) => {
        const { row, drop } = enrichEvent(
          { ...event, url, referrer, anon_id: anonId },
          { receivedAtMs, userAgent: url },
        );
        expect(row === undefined).to.equal(drop !== undefined);
      }),
      { numRuns: 1_000 },
    );
  });

  it('takes time in proportion to the length of the text', () => {
    const pieces = [
      'a@',
      'a',
      '%2540',
      '+1',
      '=',
      'a.',
      'eyJ',
      '?a=b&',
      '/reset/',
      '1-',
      '#a=b?',
      '%25',
      'x_',
      'aB',
      '@.',
      '(',
    ];
    for (const piece of pieces) {
      const long = piece.repeat(60_000 / piece.length);
      for (const before of ['?q=', '/', '#', '?', '#/a?']) {
        const url = `https://shop.example.com/${before}${long}`;
        const started = process.cpuUsage();
        enrichEvent({ ...event, url, referrer: url }, { receivedAtMs });
        const { user, system } = process.cpuUsage(started);
        expect(user + system, `${before}${piece}`).to.be.lessThan(300_000);
      }
    }
  });
});

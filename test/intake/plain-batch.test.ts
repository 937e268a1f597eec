import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { enrichEvent } from '../../src/domain/events/enrich.js';
import type { EventRow } from '../../src/domain/events/event.js';
import { RequestError } from '../../src/errors.js';
import { parseJson } from '../../src/http/json.js';
import { createPlainEncoder } from '../../src/intake/plain/encoder.js';
import { PackedRows } from '../../src/intake/plain/packed-rows.js';
import { unpackSegments } from '../../src/queue/jobs.js';
import { collectBatchValidator, collectEventValidator } from '../../src/schemas/collect.js';
import { createEventWriter } from '../../src/warehouse/events.js';
import { RowBinaryWriter } from '../../src/warehouse/row-binary.js';
import { eventBodies } from '../bench/events.js';
import { runs } from '../support/runs.js';

const NOW = Date.parse('2026-03-02T10:00:00Z');
const SHOP = 'shop-1';
const HOST = 'shop.example.com';

const encoder = createPlainEncoder();
const packedRows = new PackedRows();

function told(token: string | null, since: number, visitors: Iterable<string>, encoded: Buffer): string {
  return [String(token), since, JSON.stringify([...new Set(visitors)]), encoded.toString('latin1')].join(' ');
}

/** The rows of a body by the plain way; null when that leaves it to the other. */
function plainRows(body: Buffer, shopHost = HOST): string | null {
  const token = encoder.read(body)?.token;
  if (token === undefined) return null;
  const found = encoder.encode({ shopId: SHOP, shopHost, receivedAt: NOW, arrival: NOW * 1000 });
  if (found === null) return null;
  packedRows.reset();
  packedRows.append(found.elements, found.length);
  const [unpacked] = unpackSegments(packedRows.packed().bytes.toString('base64'), 1);
  return told(token, found.since, found.visitors, unpacked ?? Buffer.alloc(0));
}

/** The rows of a body by the way that knows every rule; null when it is refused or one of its events dropped. */
function rows(body: Buffer, shopDomain = HOST): string | null {
  const value = refusedAsNull(() => parseJson(body));
  if (!collectBatchValidator.is(value)) return null;
  const found: EventRow[] = [];
  for (const item of value.events) {
    if (!collectEventValidator.is(item)) return null;
    const { row } = enrichEvent(item, { userAgent: '', receivedAtMs: NOW, shopDomain });
    if (row === undefined) return null;
    found.push(row);
  }
  const writer = new RowBinaryWriter();
  const write = createEventWriter(writer);
  found.forEach((row, i) => write(SHOP, row, NOW * 1000 + i));
  const since = Math.min(...found.map(({ ts }) => ts));
  return told(value.token ?? null, since, new Set(found.map((row) => row.anon_id)), writer.bytes());
}

function refusedAsNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RequestError) return null;
    throw error;
  }
}

const event = (rest: object = {}) => ({
  ...{ type: 'page_view', ts: '2026-03-02T09:59:00.000Z', url: `https://${HOST}/`, referrer: '' },
  ...{ anon_id: 'v1', session_hint: 's1', event_id: 'e1', consent: 'analytics', sdk: 'profit-pixel/0.1.0' },
  ...rest,
});
const bodyOf = (...events: object[]) => Buffer.from(JSON.stringify({ token: 'pt_1', events }));

const either = (...values: unknown[]) => fc.constantFrom(...values);
const urls = either(
  ...[`https://${HOST}/`, `https://${HOST}/a`, `https://${HOST}/a?utm_source=news&utm_medium=email`, '/a', ''],
  ...[`https://${HOST}/b?gclid=Cj0`, `https://${HOST}/b?email=a%40b.example`, `https://${HOST}/c#x?y=1`, 'about:blank'],
  ...[
    `https://www.google.com/`,
    'https://www.google.com/?q=1',
    'android-app://com.google.android.gm/',
    'https://ü.example/',
  ],
  ...[`https://${HOST}/reset/abcdefgh12345678`, `HTTPS://${HOST}/A`, `https://${HOST}/${'x'.repeat(200)}`],
);
const ids = either('', 'a', 'b', 'a@b.example', '100%', '+4915112345678', 'ü', 'a"b', 'a\\b', 'x'.repeat(256), 5, null);
const oddEvent = fc.record(
  {
    event_id: fc.oneof(fc.uuid(), either('', 'a b', 'x'.repeat(129), 'ü')),
    type: either('page_view', 'product_view', 'add_to_cart', 'begin_checkout', 'purchase', 'identify', 'other'),
    ts: fc.oneof(
      fc
        .date({ min: new Date(NOW - 40 * 86_400_000), max: new Date(NOW + 2 * 86_400_000), noInvalidDate: true })
        .map((date) => date.toISOString()),
      either(
        '2026-02-30T09:59:00.000Z',
        '2026-03-02T24:00:00.000Z',
        '2026-03-02T09:59:60.000Z',
        '2026-03-02T09:59:00Z',
        'now',
      ),
      either(
        '2026-03-02T10:59:00+01:00',
        '2026-03-02T09:59:00.0000',
        '2026-03-02 09:59:00.000Z',
        '0026-03-02T09:59:00.000Z',
      ),
    ),
    anon_id: fc.oneof(fc.constant('v1'), ids),
    consent: either('analytics', 'analytics', 'analytics+marketing', 'none', ''),
    session_hint: ids,
    url: urls,
    referrer: urls,
    order_id: ids,
    checkout_token: ids,
    sdk: either('profit-pixel/0.1.0', '', 'x'.repeat(65)),
    store_client_id: ids,
    email_hash: ids,
    product_id: ids,
    sku: ids,
    quantity: either('1', '2.5', '007', '0', '', '-1', '1234567890', '999999999', 3),
    extra: either(1),
  },
  { requiredKeys: ['event_id', 'type', 'ts', 'anon_id', 'consent'] },
);
/** Mostly events like the pixel's, with one odd field now and then. */
const usualEvent = fc
  .tuple(fc.uuid(), oddEvent, fc.subarray(['url', 'referrer', 'type', 'anon_id', 'sku', 'quantity', 'ts'] as const))
  .map(([event_id, odd, taken]) =>
    event({ event_id, ...Object.fromEntries(taken.filter((name) => name in odd).map((name) => [name, odd[name]])) }),
  );
const batches = fc.oneof(
  fc.array(usualEvent, { minLength: 1, maxLength: 6 }),
  fc.array(fc.oneof({ weight: 5, arbitrary: usualEvent }, oddEvent), { minLength: 0, maxLength: 22 }),
);

describe('plain batches', () => {
  it('are stored in the very rows of the way that knows every rule, whatever is in them', () => {
    let taken = 0;
    fc.assert(
      fc.property(batches, fc.boolean(), (events, tokenFirst) => {
        const body = Buffer.from(JSON.stringify(tokenFirst ? { token: 'pt_1', events } : { events, token: 'pt_1' }));
        const plain = plainRows(body);
        if (plain === null) return;
        taken++;
        expect(rows(body)).to.equal(plain);
      }),
      { numRuns: runs(2_000) },
    );
    expect(taken).to.be.greaterThan(runs(2_000) / 40);
  });

  it('are that also after a byte of them was changed, taken out or put in', () => {
    const bodies = eventBodies(1, 5, 'pt_1').map((body) =>
      Buffer.from(body.toString().replaceAll(/"ts":"[^"]*"/g, '"ts":"2026-03-02T09:59:00.123Z"')),
    );
    let taken = 0;
    const place = fc.double({ min: 0, max: 0.999, noNaN: true });
    const bytes = fc.oneof(
      either('"', '\\', ',', ':', '{', '}', '[', ']', ' ', '\n', '0', 'a', '\u007f', 'ü', '@', ''),
      fc.string({ maxLength: 2 }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...bodies), place, fc.nat(2), bytes, (body, share, cut, put) => {
        const at = Math.floor(share * body.length);
        const changed = Buffer.concat([body.subarray(0, at), Buffer.from(String(put)), body.subarray(at + cut)]);
        const plain = plainRows(changed);
        if (plain === null) return;
        taken++;
        expect(rows(changed)).to.equal(plain);
      }),
      { numRuns: runs(2_000) },
    );
    expect(taken).to.be.greaterThan(0);
  });

  it('are what pixels send: in any order of the fields, with products and without a token', () => {
    for (const body of eventBodies(2, 20, 'pt_1')) expect(encoder.read(body)).to.not.equal(null);
    const { event_id: id, ...rest } = event({ product_id: 'p', sku: 's', quantity: '2' });
    expect(plainRows(bodyOf({ ...rest, event_id: id }, { event_id: 'e2', ...rest }))).to.not.equal(null);
    expect(plainRows(Buffer.from(JSON.stringify({ events: [event()] })))).to.match(/^null /);
  });

  for (const [name, body] of [
    ['white space', Buffer.from('{"token": "pt_1","events":[]}')],
    ['an escape', bodyOf(event({ sku: 'a"b' }))],
    ['a letter beyond ASCII', bodyOf(event({ sku: 'ü' }))],
    ['no event', bodyOf()],
    ['an event too many', bodyOf(...Array.from({ length: 21 }, (_, i) => event({ event_id: `e${i}` })))],
    ['a key twice', Buffer.from(bodyOf(event()).toString().replace('"sdk"', '"event_id":"e1","sdk"'))],
    ['two tokens', Buffer.from('{"token":"a",' + bodyOf(event()).toString().slice(1))],
    ['a field missing', bodyOf({ ...event(), consent: undefined })],
    ['a field unknown', bodyOf(event({ more: '1' }))],
    ['a value that may be an address of mail', bodyOf(event({ anon_id: 'a@b.example' }))],
    ['an order', bodyOf(event({ order_id: '1' }))],
    ['a purchase', bodyOf(event({ type: 'purchase' }))],
    ['something behind it', Buffer.concat([bodyOf(event()), Buffer.from(' ')])],
    ['its end cut off', bodyOf(event()).subarray(0, -1)],
    ['nothing', Buffer.alloc(0)],
    ['more than a body may hold', Buffer.alloc(70_000, '{')],
  ] as const) {
    it(`are left to the other way with ${name}`, () => {
      expect(encoder.read(body)).to.equal(null);
    });
  }

  it('are the same rows when they are long and hardly repeat', () => {
    const path = () => Array.from({ length: 50 }, () => randomUUID()).join('/');
    for (let i = 0; i < 20; i++) {
      const pages = Array.from({ length: 13 }, () =>
        event({ url: `https://${HOST}/${path()}`, referrer: `https://a.example/${path()}` }),
      );
      const body = bodyOf(...pages, ...pages.slice(0, 2));
      const plain = plainRows(body);
      expect(plain?.length, 'beyond the reach of a copy').to.be.greaterThan(2 ** 16);
      expect(rows(body)).to.equal(plain);
    }
  });

  it('are the same rows after more pages, referrers and hosts than are remembered', () => {
    for (let batch = 0; batch < 1_100; batch++) {
      const body = bodyOf(
        ...Array.from({ length: 10 }, (_, i) =>
          event({ url: `https://${HOST}/${batch}/${i}`, referrer: `https://${batch}-${i}.example/` }),
        ),
      );
      const plain = plainRows(body, `${batch}.example`);
      if (batch % 20 === 0) expect(plain).to.equal(rows(body, `${batch}.example`));
    }
  });

  it('are read by themselves, whatever was read before', () => {
    const long = bodyOf(event({ url: `https://${HOST}/${'y'.repeat(500)}`, sku: 'left' }));
    const short = bodyOf({
      event_id: 'e',
      type: 'page_view',
      ts: '2026-03-02T09:00:00.000Z',
      anon_id: 'v',
      consent: 'analytics',
    });
    const alone = rows(short);
    plainRows(long);
    expect(plainRows(short)).to.equal(alone);
  });
});

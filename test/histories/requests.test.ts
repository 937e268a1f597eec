import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import fc, { type Arbitrary } from 'fast-check';
import type { Operation } from '../../src/http/openapi/operation.js';
import { OPERATIONS } from '../../src/http/openapi/operations.js';
import { QUEUES } from '../../src/queue/jobs.js';
import { DOCUMENT, schemaAt } from '../support/document.js';
import { runs } from '../support/runs.js';
import { arbitraryOf, brokenFrom, withHalfPairs } from '../support/schema-arbitrary.js';
import { useService, type Answer, type CallOptions, type Shop } from '../support/service.js';

/** Faults of form: what the document calls valid can't have one of these. */
const OF_FORM = [
  'missing_field',
  'unknown_field',
  'invalid_type',
  'money_must_be_string',
  'invalid_money',
  'invalid_quantity',
];

const described = ({ path, method }: Operation) => DOCUMENT.paths[path][method];
const bodyPointer = ({ path, method }: Operation): string =>
  `/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/${method}/requestBody/content/application~1json/schema`;

/** All codes of an answer, those of the request and those of its items. */
function codesOf({ body }: Answer): string[] {
  const errors = [...(body.errors ?? []), ...(body.results ?? []).flatMap((item: any) => item.errors ?? [])]; // eslint-disable-line @typescript-eslint/no-explicit-any -- any answer
  return errors.map(({ code }: { code: string }) => code);
}

/** The one field that the document asks for in words alone: a purchase names its order or its checkout. */
function giveOrders(body: unknown): void {
  const { events = [] } = body as { events?: { type?: string; order_id?: string }[] };
  for (const event of events) if (event.type === 'purchase') event.order_id ||= 'o-1';
}

const oddText = fc.oneof(
  fc.constantFrom('', ' ', '..', '.', '%', '%zz', '%00', '%2F..%2F', '%c0%ae', "'", '"', '2026-02-30', '1e9', '😀', 'null'),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
); // prettier-ignore
const headers: Arbitrary<Record<string, string>> = fc.record(
  {
    Accept: fc.constantFrom('*/*', 'text/html', 'application/xml', 'x'),
    'X-Request-Id': fc.string({ unit: fc.constantFrom('a', 'B', '0', '.', '_', '-', ' ', '/', '{'), maxLength: 140 }),
    'If-None-Match': fc.constantFrom('*', '"x"', 'W/"x"', 'x', '"', ',', '"a","b",'),
    'If-Modified-Since': fc.constantFrom('x', 'Thu, 01 Jan 1970 00:00:00 GMT'),
    Range: fc.constantFrom('bytes=0-1', 'bytes=-', 'x'),
    Origin: fc.constantFrom('null', 'https://shop.example.com'),
    'X-Forwarded-For': fc.constantFrom('1.2.3.4', 'x', '::1, 2.2.2.2'),
    'Content-Type': fc.constantFrom('application/json', 'application/json;charset=utf-8', 'text/plain', 'x', 'multipart/form-data'),
    'X-Http-Method-Override': fc.constantFrom('DELETE', 'PUT'),
  },
  { requiredKeys: [], noNullPrototype: true },
); // prettier-ignore

describe('any request that can be made from the document', function () {
  this.timeout(600_000);
  const bombs = {
    long: gzipSync(Buffer.alloc(128 * 1024 * 1024)),
    many: Buffer.concat(Array.from({ length: 40 }, () => gzipSync(Buffer.alloc(1024 * 1024)))),
  };
  const service = useService();
  let shop: Shop;
  let pixel: string;
  beforeEach(async () => {
    shop = await service.shop();
    pixel = await service.key(shop.id, 'pixel');
  });

  /** Sends it; what comes back is checked against the document by the service of the tests. */
  const send = async (operation: Operation, path: string, options: CallOptions): Promise<Answer> => {
    const key = operation.scope === 'collect' ? pixel : shop.key;
    const answer = await service.call(operation.method.toUpperCase(), path, { key, ...options });
    expect(answer.status, JSON.stringify(answer.body)).to.be.below(500);
    return answer;
  };
  const plainPath = ({ path }: Operation): string => path.replace(/\{\w+\}/g, 'x-1');
  /** Where the answer to a body tells what is wrong with it. */
  const tellingPath = (operation: Operation): string =>
    operation.scope === 'collect' ? `${operation.path}?debug=1` : plainPath(operation);
  const run = <T>(arbitrary: Arbitrary<T>, numRuns: number, check: (value: T) => Promise<void>): Promise<void> =>
    fc.assert(fc.asyncProperty(arbitrary, check), { numRuns: runs(numRuns), endOnFailure: true });

  for (const operation of OPERATIONS) {
    const name = `${operation.method.toUpperCase()} ${operation.path}`;
    const { requestBody, parameters = [] } = described(operation);

    it(`${name}: odd parameters and headers`, async () => {
      const names: string[] = parameters
        .filter((one: { in: string }) => one.in === 'query')
        .map((one: { name: string }) => one.name);
      const queryName = fc.oneof(fc.constantFrom(...names, 'page', '__proto__', 'constructor', ''), oddText);
      const good = fc.oneof(
        ...parameters.map(({ schema }: { schema: unknown }) => arbitraryOf(schema)),
        oddText,
      ) as Arbitrary<string>;
      const query = fc.array(fc.tuple(queryName, good), { maxLength: 4 });
      const path = fc.oneof(
        fc.constant('x'),
        oddText.map(encodeURIComponent),
        fc.constantFrom('%00', '%zz', '%2F', '%c0%ae'),
      );
      const bare = requestBody === undefined ? {} : { raw: '{}' };
      await run(fc.tuple(query, path, headers), 16, async ([pairs, part, sent]) => {
        const text = new URLSearchParams(pairs).toString();
        const address = operation.path.replace(/\{\w+\}/g, () => (part === '' || part.startsWith('.') ? 'x' : part));
        await send(operation, text === '' ? address : `${address}?${text}`, { headers: sent, ...bare });
      });
    });

    it(`${name}: every parameter that the document names is known`, async () => {
      for (const { name: parameter, in: place, schema } of parameters) {
        if (place !== 'query') continue;
        const value = String(fc.sample(arbitraryOf(schema), { numRuns: 1, seed: 1 })[0]);
        const query = new URLSearchParams({ [parameter]: value }).toString();
        const answer = await send(operation, `${plainPath(operation)}?${query}`, {});
        expect(codesOf(answer)).not.to.include('unknown_field');
      }
    });

    if (requestBody === undefined) continue;
    const { schema } = requestBody.content['application/json'];

    it(`${name}: every body that the document calls valid has no fault of form`, async () => {
      await run(arbitraryOf(schema), 16, async (body) => {
        giveOrders(body);
        const answer = await send(operation, tellingPath(operation), { body });
        expect(codesOf(answer).filter((code) => OF_FORM.includes(code))).to.deep.equal([]);
      });
    });

    it(`${name}: no body that the document calls invalid is taken as a whole`, async () => {
      const valid = schemaAt(bodyPointer(operation));
      await run(brokenFrom(arbitraryOf(schema)), 40, async (body) => {
        const answer = await send(operation, tellingPath(operation), { body });
        if (valid(JSON.parse(JSON.stringify(body)))) return;
        expect(codesOf(answer), JSON.stringify(body)).not.to.deep.equal([]);
      });
    });

    it(`${name}: half of a surrogate pair in any text and any name`, async () => {
      // The collector takes addresses and labels as they come.
      const told = operation.scope !== 'collect';
      for (const full of fc.sample(arbitraryOf(schema, true), { numRuns: 1, seed: 1 })) {
        for (const body of withHalfPairs(full)) {
          const answer = await send(operation, tellingPath(operation), { body });
          if (told) expect(codesOf(answer), JSON.stringify(body)).not.to.deep.equal([]);
        }
      }
    });

    it(`${name}: bytes that are no proper body`, async () => {
      const text = JSON.stringify(fc.sample(arbitraryOf(schema), { numRuns: 1, seed: 1 })[0]);
      const gzip = { 'Content-Encoding': 'gzip' };
      const deep = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);
      const attacks: [string, CallOptions][] = [
        ['no body', { headers: { 'Content-Type': 'application/json' } }],
        ['an empty body', { raw: '' }],
        ['a blank body', { raw: ' \n' }],
        ['a byte order mark', { raw: `\ufeff${text}` }],
        ['bad UTF-8', { raw: Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xc3, 0x28])]) }],
        ['UTF-16', { raw: Buffer.from(text, 'utf16le') }],
        ['half of it', { raw: text.slice(0, text.length / 2) }],
        ['twice', { raw: text + text }],
        ['an array of it', { raw: `[${text}]` }],
        ['a string', { raw: JSON.stringify(text) }],
        ['null', { raw: 'null' }],
        ['a number', { raw: '1e999' }],
        ['not a number', { raw: 'NaN' }],
        ['__proto__', { raw: `{"__proto__":${text},${text.slice(1)}` }],
        ['constructor', { raw: `{"constructor":{"prototype":{"polluted":1}},${text.slice(1)}` }],
        ['a key twice', { raw: `${text.slice(0, -1)},${text.slice(1)}` }],
        ['a comment', { raw: `/* */${text}` }],
        ['deep arrays', { raw: deep('[', ']', 30_000) }],
        ['deep objects', { raw: `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}` }],
        ['huge numbers', { raw: text.replace(/"[\d.]+"/g, '1e400') }],
        ['many keys', { raw: JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, i]))) }],
        ['a wrong type', { raw: text, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
        ['a wrong encoding', { raw: text, headers: { 'Content-Encoding': 'deflate' } }],
        ['two encodings', { raw: gzipSync(text), headers: { 'Content-Encoding': 'gzip, gzip' } }],
        ['text that is called gzip', { raw: text, headers: gzip }],
        ['gzip that is cut', { raw: gzipSync(text).subarray(0, -6), headers: gzip }],
        ['gzip of nothing', { raw: gzipSync(''), headers: gzip }],
        ['an empty gzip', { raw: Buffer.alloc(0), headers: { ...gzip, 'Content-Type': 'application/json' } }],
        ['a gzip bomb', { raw: bombs.long, headers: gzip }],
        ['a bomb of bombs', { raw: bombs.many, headers: gzip }],
      ]; // prettier-ignore
      for (const [what, options] of attacks) {
        const answer = await send(operation, tellingPath(operation), options);
        expect(codesOf(answer), what).not.to.deep.equal([]);
        expect(JSON.stringify(answer.body).length, what).to.be.below(50_000);
        expect(({} as { polluted?: unknown }).polluted).to.equal(undefined);
      }
    });
  }

  it('any method on any path, and any path at all', async () => {
    const methods = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'SEARCH', 'LOCK');
    const known = OPERATIONS.map(plainPath);
    const paths = fc.oneof(
      fc.constantFrom(...known, ...known.map((path) => `${path}/`), ...known.map((path) => `/${path}`)),
      fc.array(oddText, { maxLength: 5 }).map((parts) => `/${parts.map((part) => encodeURIComponent(part)).join('/')}`),
      fc.constantFrom(
        '/v1/%zz',
        '/%00',
        '/v1/orders%2F',
        '/..%2f..%2fetc/passwd',
        '/docs/assets/%zz/%zz',
        '/v1//metrics',
      ),
    );
    await run(fc.tuple(methods, paths, headers), 250, async ([method, path, sent]) => {
      const answer = await service.call(method, path, { key: shop.key, headers: sent });
      expect(answer.status, `${method} ${path}`).to.be.below(500);
      const isPage = answer.headers.get('content-type')?.startsWith('text/html');
      if (isPage && answer.status >= 400) expect(answer.status, path).to.equal(404);
      else if (answer.status >= 400) {
        expect(answer.body.errors[0]).to.include.all.keys('code', 'message');
        expect(answer.body.request_id).to.equal(answer.headers.get('x-request-id'));
      }
      if (answer.status === 405) expect(answer.headers.get('allow')).to.match(/^[A-Z]+(, [A-Z]+)*$/);
    });
  });

  it('left nothing in the queue that the warehouse refuses', async () => {
    await service.settled();
    for (const queue of QUEUES) expect(await service.deps.producer.counts(queue), queue).to.include({ failed: 0 });
  });
});

import { expect } from 'chai';
import { OPERATIONS } from '../../src/http/openapi/operations.js';
import { useService, type Shop } from '../support/service.js';
import { slowness } from '../support/worked.js';

const LENGTH = 100_000;
/** Of a line and of headers the server takes 16 KB. */
const ADDRESS_LENGTH = 12_000;
/** On the usual machine. A pattern that tries a text of that length from each of its characters on takes seconds. */
const MAX_CPU_MS = 1_000;
/** What patterns for days, amounts, names, addresses and secrets begin with, and how none of them ends. */
const PIECES = [
  'a',
  '1',
  ' ',
  '\t',
  '@a',
  'a.',
  '+1 ',
  '-',
  '1-',
  '1.',
  ':1',
  '(',
  '[a',
  '%25',
  'A_',
  'eyJ',
  '0x',
  '../',
  '"\\',
  "'",
];
const hostile = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length)) + '!\n';

/** Copies of a body, each with the text in the place of one of its values. */
function* withText(body: unknown, text: string): Generator {
  if (typeof body !== 'object' || body === null) {
    yield text;
    return;
  }
  for (const [name, value] of Object.entries(body)) {
    for (const changed of withText(value, text)) {
      yield Array.isArray(body)
        ? Object.assign([...(body as unknown[])], { [name]: changed })
        : { ...body, [name]: changed };
    }
  }
}

interface Sent {
  method?: string;
  body?: string;
  headers?: Record<string, string>;
}

describe('texts that are slow to match', function () {
  this.timeout(600_000);
  const service = useService({ workers: false });
  let shop: Shop;
  let pixel: string;
  let mostCpuMs: number;

  before(async () => {
    mostCpuMs = MAX_CPU_MS * slowness();
    shop = await service.shop();
    pixel = await service.key(shop.id, 'pixel');
  });

  /** Sends requests one after the other; none takes long, whatever it is answered. */
  async function send(requests: Iterable<[path: string, init: Sent]>, key = shop.key): Promise<number> {
    let sent = 0;
    for (const [path, init] of requests) {
      const before = process.cpuUsage();
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...init.headers };
      const response = await fetch(service.url + path, { ...init, headers });
      await response.arrayBuffer();
      const { user } = process.cpuUsage(before);
      const what = `${init.method ?? 'GET'} ${path.slice(0, 60)} ${(init.body ?? '').slice(0, 200)}`;
      expect(response.status, what).to.be.below(500);
      expect(user / 1_000, what).to.be.below(mostCpuMs);
      sent++;
    }
    return sent;
  }

  for (const { id, method, path, body, scope, examples } of OPERATIONS) {
    const example = examples.find((one) => one.body !== undefined && one.status < 300);
    if (body === undefined || example === undefined) continue;
    it(`are refused at once in every field of ${id}`, async () => {
      const place = path.replace(/\{\w+\}/g, 'x');
      function* requests(): Generator<[string, Sent]> {
        for (const [i, piece] of PIECES.entries()) {
          const bodies = [...withText(example?.body, hostile(piece, LENGTH))];
          // Where there are many fields, each meets a quarter of the texts.
          for (const [j, changed] of bodies.entries()) {
            if (bodies.length > 12 && (i + j) % 4 !== 0) continue;
            yield [place, { method: method.toUpperCase(), body: JSON.stringify(changed) }];
          }
        }
      }
      expect(await send(requests(), scope === 'collect' ? pixel : shop.key)).to.be.at.least(PIECES.length);
    });
  }

  it('are refused at once in every parameter and in the headers', async () => {
    function* requests(): Generator<[string, Sent]> {
      for (const [i, piece] of PIECES.entries()) {
        const text = encodeURIComponent(hostile(piece, ADDRESS_LENGTH)).slice(0, ADDRESS_LENGTH);
        for (const { method, path, parameters = [] } of OPERATIONS) {
          if (method !== 'get' || !path.startsWith('/v1/')) continue;
          for (const [j, { name }] of parameters.filter((parameter) => parameter.in === 'query').entries())
            if ((i + j) % 4 === 0) yield [`${path}?${name}=${text}`, {}];
        }
        const value = hostile(piece, ADDRESS_LENGTH)
          .replace(/[\t\n]/g, ' ')
          .trim();
        for (const name of [
          'Accept',
          'Accept-Encoding',
          'traceparent',
          'X-Request-Id',
          'If-None-Match',
          'User-Agent',
          'Origin',
        ])
          yield ['/v1/metrics?from=2026-03-01&to=2026-03-02', { headers: { [name]: value } }];
      }
    }
    expect(await send(requests())).to.be.above(300);
  });
});

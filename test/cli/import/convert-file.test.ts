import { PassThrough, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { ConversionOptions } from '../../../src/convert/options.js';
import type { Platform } from '../../../src/cli/import/platform/file-kind.js';
import { runConvert } from '../../../src/cli/import/platform/run-convert.js';
import { casesOf, type Case } from '../../convert/cases.js';

const shopify = casesOf('shopify');
const byName = (name: string): Case => {
  const found = shopify.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no case ${name}`);
  return found;
};

function files(content: string | Uint8Array) {
  const bytes = Buffer.from(content);
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  // Cut everywhere, also within characters.
  const chunks = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) => bytes.subarray(i * 7, i * 7 + 7));
  const stdin = Readable.from(chunks);
  return { file: '-', stdin, stdout, stderr, signal: new AbortController().signal };
}

async function run(platform: Platform, content: string | Uint8Array, conversion: ConversionOptions = {}) {
  const streams = files(content);
  const out: Buffer[] = [];
  streams.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  const exit = await runConvert({ ...streams, platform, conversion });
  const lines = Buffer.concat(out).toString().split('\n').filter(Boolean);
  const said = String(streams.stderr.read() ?? '')
    .split('\n')
    .filter(Boolean);
  return { exit, orders: lines.map((line) => JSON.parse(line)), codes: said.map((line) => line.split(' ', 1)[0]) };
}

const failure = (platform: Platform, content: string | Uint8Array): Promise<string> =>
  run(platform, content).then(
    () => 'none',
    (error: unknown) => (error instanceof Error ? error.message : ''),
  );

function contentOf({ input }: Case): string {
  if (input.text !== undefined) return input.text;
  if (input.lines !== undefined) return `${input.lines.join('\n')}\n`;
  const { order, refunds } = input;
  return JSON.stringify(input.format === 'woocommerce' ? { order, refunds } : order);
}

describe('profit convert', () => {
  for (const platform of ['shopify', 'woocommerce'] as const) {
    for (const one of casesOf(platform)) {
      it(`${platform} ${one.name}: ${one.why}`, async () => {
        const { exit, orders, codes } = await run(platform, contentOf(one), one.input.options);
        const { expected } = one;
        if ('reason' in expected)
          expect({ exit, orders, codes }).to.deep.equal({ exit: 2, orders: [], codes: [expected.reason] });
        else
          expect({ exit, orders, codes }).to.deep.equal({
            exit: 0,
            orders: [expected.order],
            codes: expected.notes ?? [],
          });
      });
    }
  }

  const rest = shopify.filter(({ input }) => input.format === 'shopify-rest').map(({ input }) => input.order);
  const graphql = shopify.filter(({ input }) => input.format === 'shopify-graphql').map(({ input }) => input.order);
  const forms: [string, unknown[], string | Uint8Array][] = [
    ['{ "orders": [ … ] }', rest, JSON.stringify({ count: rest.length, orders: rest, next: { orders: [1] } }, null, 2)],
    [
      'several answers after each other',
      [...rest, ...rest],
      [{ orders: rest }, { orders: rest }].map((one) => JSON.stringify(one)).join('\n'),
    ],
    ['a list', rest, JSON.stringify(rest)],
    ['JSON lines', rest, rest.map((one) => JSON.stringify(one)).join('\n')],
    ['JSON lines, gzipped', rest, gzipSync(rest.map((one) => JSON.stringify(one)).join('\r\n'))],
    [
      'records of airbyte',
      rest,
      rest.map((data) => JSON.stringify({ type: 'RECORD', record: { stream: 'orders', data } })).join('\n'),
    ],
    [
      'rows of a raw table of airbyte, as objects and as texts',
      [...rest, ...rest],
      [...rest, ...rest.map((order) => JSON.stringify(order))]
        .map((data) => JSON.stringify({ _airbyte_raw_id: 'x', _airbyte_extracted_at: 1, _airbyte_data: data }))
        .join('\n'),
    ],
    [
      'a raw table of airbyte as CSV',
      rest,
      `_airbyte_ab_id,_airbyte_emitted_at,_airbyte_data\n${rest
        .map((order) => `x,1,"${JSON.stringify(order).replaceAll('"', '""')}"`)
        .join('\n')}\n`,
    ],
    [
      'the output of a Singer tap, with its schemas, states and other streams',
      rest,
      [
        { type: 'SCHEMA', stream: 'orders', schema: { properties: {} }, key_properties: ['id'] },
        { type: 'RECORD', stream: 'customers', record: { id: 5 } },
        ...rest.map((record) => ({ type: 'RECORD', stream: 'orders', record, time_extracted: '2026-06-01T00:00:00Z' })),
        { type: 'STATE', value: { bookmarks: { orders: { updated_at: '2026-06-01T00:00:00Z' } } } },
      ]
        .map((message) => JSON.stringify(message))
        .join('\n'),
    ],
    ['{ stream, data }', rest, rest.map((data) => JSON.stringify({ stream: 'orders', data })).join('\n')],
    [
      'an answer of GraphQL with nodes',
      graphql,
      JSON.stringify({ data: { orders: { nodes: graphql, pageInfo: { hasNextPage: true } } } }),
    ],
    [
      'an answer of GraphQL with edges',
      graphql,
      JSON.stringify({ data: { orders: { edges: graphql.map((node) => ({ cursor: 'x', node })) } } }),
    ],
    ['one GraphQL order', graphql.slice(0, 1), JSON.stringify({ data: { order: graphql[0] } })],
  ];
  for (const [name, orders, content] of forms) {
    it(`reads ${name}`, async () => {
      const one = await run('shopify', orders.map((order) => JSON.stringify(order)).join('\n'));
      expect(await run('shopify', content)).to.deep.equal(one);
      expect(one.orders).to.have.length.above(0);
    });
  }

  it('takes numbers by their shortest decimal text, as airbyte writes amounts', async () => {
    const text = JSON.stringify(byName('tax-added').input.order).replace(/"(-?\d+\.\d+)"/g, (_, number) =>
      String(Number(number)),
    );
    const { expected } = byName('tax-added');
    expect((await run('shopify', text)).orders).to.deep.equal('order' in expected ? [expected.order] : []);
  });

  it('puts bulk lines together by their order, and holds a child of another one', async () => {
    const { lines = [] } = byName('bulk-lines').input;
    const twice = [...lines, ...lines.map((line) => line.replaceAll('7100032', '7100099'))];
    const { orders } = await run('shopify', twice.join('\n'));
    expect(orders.map((order) => [order.order_id, order.line_items.length])).to.deep.equal([
      ['7100032', 2],
      ['7100099', 2],
    ]);
    const orphan = { id: 'gid://shopify/LineItem/1', __parentId: 'gid://shopify/Order/5' };
    const { codes, exit } = await run('shopify', [JSON.stringify(orphan), ...lines].join('\n'));
    expect([codes, exit]).to.deep.equal([['bulk_orphan'], 2]);
    expect((await run('shopify', lines.slice(0, 1).join('\n'))).codes).to.deep.equal(['query_incomplete']);
  });

  it('reads CSV with semicolons, tabs, a line sep= and headers in any case, several orders in a file', async () => {
    const { text = '' } = byName('csv-two-lines-tax-included').input;
    const both = text + (byName('csv-refund-without-a-day').input.text ?? '').split('\n').slice(1).join('\n');
    const wanted = await run('shopify', both);
    expect([wanted.orders.length, wanted.codes, wanted.exit]).to.deep.equal([1, ['refund_date_missing'], 2]);
    for (const form of [
      both.replaceAll(',', ';'),
      both.replaceAll(',', '\t'),
      `sep=;\r\n${both.replaceAll(',', ';')}`,
      both.replace(/^.*$/m, (header) => header.toUpperCase()),
      `\ufeff${both.replaceAll('\n', '\r\n')}`,
    ]) {
      expect(await run('shopify', form)).to.deep.equal(wanted);
    }
  });

  it('names a file of another kind in one sentence', async () => {
    const woo = JSON.stringify(casesOf('woocommerce')[0]?.input.order);
    const cases: [Platform, string | Uint8Array, RegExp][] = [
      ['shopify', '', /^the file is empty$/],
      ['shopify', '{"orders":[]}', /^the file has no orders$/],
      ['shopify', 'PK\x03\x04aaaaaaa', /^the file is a ZIP archive/],
      ['shopify', '\n<!DOCTYPE html><html>', /^the file is an HTML page/],
      ['shopify', Buffer.from('\ufeffName,Total', 'utf16le'), /^the file is UTF-16 text/],
      [
        'shopify',
        'date,orders,revenue\n2026-01-01,1,2\n',
        /^the file is a CSV file with the columns date, orders, revenue/,
      ],
      ['shopify', 'hello', /^the file is neither JSON nor CSV$/],
      ['shopify', '# Title\n\nsome "text", and more', /^the file is neither JSON nor CSV$/],
      ['shopify', woo, /^the file has orders of WooCommerce: use profit import woocommerce$/],
      ['woocommerce', JSON.stringify(rest[0]), /^the file has orders of Shopify: use profit import shopify$/],
      [
        'shopify',
        '{"order_id":"1","placed_at":"x","line_items":[]}',
        /^the file has orders as POST \/v1\/orders takes them/,
      ],
      ['shopify', '{"errors":"[API] Invalid API key"}', /^the file is an error answer of the platform/],
      ['shopify', `{"orders":[${JSON.stringify(rest[0])},`, /^the file is cut short: its list of orders does not end$/],
      [
        'shopify',
        JSON.stringify(rest[0]).slice(0, 500),
        /^the file is cut short: it ends within the order that begins in line 1$/,
      ],
      [
        'shopify',
        (byName('csv-two-lines-tax-included').input.text ?? '').trimEnd().replace(/LID,0\.00.*$/, 'LI'),
        /^the file is cut short: its last line has 17 of 23 columns$/,
      ],
      ['shopify', `${JSON.stringify(rest[0])}\nnull`, /^line 2 is not JSON/],
      ['shopify', `${JSON.stringify(rest[0])}\n{"a":01}`, /^line 2 is not JSON/],
    ];
    for (const [platform, content, message] of cases) expect(await failure(platform, content)).to.match(message);
  });
});

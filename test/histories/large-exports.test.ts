import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { CSV_HEADER, bulkLines, csvLines, graphqlOrder, tellable } from '../convert/shopify-forms.js';
import { shopifyModel, shopifyOrder } from '../convert/shopify-model.js';
import { runCommand } from '../support/command.js';

const ID = 777_777_777_777;

interface Form {
  heapMb: number;
  /** Their texts alone are more than the heap holds. */
  orders: number;
  begin: string;
  between: string;
  end: string;
  text: (order: ReturnType<typeof shopifyOrder>['order']) => string;
}

describe('an export whose orders are more than the memory holds', function () {
  this.timeout(600_000);
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'large-exports-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const models = fc
    .sample(shopifyModel, { numRuns: 50, seed: 7 })
    .map((model) => tellable({ ...model, lines: model.lines.map((line) => ({ ...line, isGiftCard: false })) }))
    .map((model) => shopifyOrder(model).order);
  const FORMS = {
    rest: {
      heapMb: 40,
      orders: 40_000,
      begin: '{"orders":[',
      between: ',',
      end: ']}',
      text: (order) => JSON.stringify({ ...order, id: ID }),
    },
    csv: {
      heapMb: 40,
      orders: 130_000,
      begin: `${CSV_HEADER}\n`,
      between: '\n',
      end: '\n',
      text: (order) => csvLines(order, ID, false).join('\n'),
    },
    bulk: {
      // With 40 most of the time goes into collecting garbage.
      heapMb: 64,
      orders: 20_000,
      begin: '',
      between: '\n',
      end: '\n',
      text: (order) => bulkLines(graphqlOrder(order, ID), 'not').join('\n'),
    },
  } satisfies Record<string, Form>;

  async function write({ heapMb, orders, begin, between, end, text }: Form): Promise<string> {
    const file = join(folder, 'export.gz');
    const texts = models.map(text);
    let bytes = 0;
    const parts = function* (): Generator<string> {
      yield begin;
      for (let i = 0; i < orders; i++) {
        const own = (texts[i % texts.length] ?? '').replaceAll(String(ID), String(1_000_000 + i));
        bytes += own.length;
        yield i === 0 ? own : between + own;
      }
      yield end;
    };
    await pipeline(Readable.from(parts()), createGzip({ level: 1 }), createWriteStream(file));
    expect(bytes).to.be.greaterThan(heapMb * 1024 * 1024);
    return file;
  }

  for (const [name, form] of Object.entries(FORMS)) {
    it(`is converted one order at a time: ${name}`, async () => {
      const { orders, heapMb } = form;
      const file = await write(form);
      const run = (...args: string[]) =>
        runCommand(args, { PATH: process.env.PATH, NODE_OPTIONS: `--max-old-space-size=${heapMb}` });
      if (name === 'rest') {
        const converted = await run('convert', 'shopify', file);
        expect(converted.status, converted.err.slice(-500)).to.equal(0);
        expect(converted.out.split('\n')).to.have.length(orders + 1);
        return;
      }
      const dry = await run('import', 'shopify', file, '--dry-run');
      expect(dry.out, dry.err.slice(-500)).to.match(
        new RegExp(`^${orders} orders read: ${orders} convert, 0 held back\n`),
      );
    });
  }
});

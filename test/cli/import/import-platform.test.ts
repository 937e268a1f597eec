import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Platform } from '../../../src/cli/import/platform/file-kind.js';
import { casesOf } from '../../convert/cases.js';
import { importBench } from './import-bench.js';
import { refusal, type Instead, type SeenRequest } from './order-server.js';

describe('profit import shopify and woocommerce', () => {
  const bench = importBench();
  const given = (platform: Platform) => ({ export: { platform, conversion: {} } });
  const restOrders = casesOf('shopify').filter(({ input }) => input.format === 'shopify-rest');
  const heldIn = restOrders.filter(({ expected }) => 'reason' in expected).length;
  const [sold] = restOrders;
  const many = (count: number): string =>
    Array.from({ length: count }, (_, i) => JSON.stringify({ ...(sold?.input.order as object), id: i + 1 })).join('\n');

  it('sends what converts, keeps what is held back beside the file, and counts both', async () => {
    await bench.serve();
    writeFileSync(bench.file, gzipSync(JSON.stringify({ orders: restOrders.map(({ input }) => input.order) })));
    const summary = await bench.run(given('shopify'));
    const accepted = restOrders.length - heldIn;
    const counts = { read: restOrders.length, accepted, held: heldIn, rejected: 0, exitCode: 2, outcome: 'complete' };
    expect(summary).to.include(counts);
    const expected = restOrders.flatMap((one) => ('order' in one.expected ? [one.expected.order] : []));
    expect([...bench.server.accepted.values()]).to.deep.equal(expected);
    expect(bench.server.seen[0]?.path).to.equal('/v1/orders?whole_seconds=1');
    const held = readFileSync(`${bench.file}.held.ndjson`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(held.map(({ errors: [error] }) => error.code)).to.deep.equal(['gift_card_sale', 'sum_residual']);
    expect(bench.printed.stdout).to.match(/\nheld back {7}2 {2}see .*\.held\.ndjson\n/);
    // The file of held orders is read as an export again.
    const again = await bench.run({ ...given('shopify'), file: `${bench.file}.held.ndjson` });
    expect(again).to.include({ read: heldIn, held: heldIn, exitCode: 2 });
  });

  it('reads WooCommerce, whose held orders can be read again too', async () => {
    await bench.serve();
    const cases = casesOf('woocommerce').filter(({ input }) => input.options === undefined);
    writeFileSync(bench.file, JSON.stringify(cases.map(({ input: { order, refunds } }) => ({ order, refunds }))));
    const held = cases.filter(({ expected }) => 'reason' in expected).length;
    expect(await bench.run(given('woocommerce'))).to.include({
      read: cases.length,
      held,
      accepted: cases.length - held,
    });
    const again = { ...given('woocommerce'), file: `${bench.file}.held.ndjson` };
    expect(await bench.run(again)).to.include({ read: held, held });
  });

  it('goes on at the order after the last one that was answered for', async () => {
    let isDown = false;
    const instead = ({ index }: SeenRequest): Instead => {
      if (index === 3) isDown = true;
      return isDown ? refusal(401, 'unauthorized', 'The key is revoked.') : undefined;
    };
    await bench.serve(instead);
    writeFileSync(bench.file, `[${many(1_000).replaceAll('\n', ',\n')}]`);
    const options = { ...given('shopify'), batchSize: 100, concurrency: 1 };
    expect(await bench.run(options)).to.include({ outcome: 'stopped', exitCode: 1, read: 300 });
    isDown = false;
    expect(await bench.run(options)).to.include({ outcome: 'complete', exitCode: 0, read: 1_000, accepted: 1_000 });
    expect(bench.server.accepted.size).to.equal(1_000);
    const sent = bench.server.seen.flatMap(({ orders }) => orders).length;
    expect(sent).to.equal(1_100);
    expect(existsSync(`${bench.file}.import-state.json`)).to.equal(false);
  });

  it('ends when no day is left to compute after the last pushes', async () => {
    const asked: string[] = [];
    const instead = ({ index, path, orders }: SeenRequest): Instead => {
      if (orders.length > 0) {
        const results = orders.map(({ order_id }) => ({ order_id, outcome: 'accepted' }));
        return {
          status: 200,
          body: { accepted: orders.length, rejected: 0, superseded: 0, receipt: `r${index}`, results },
        };
      }
      const answers = [null, 1_234, 'away', 1, 0, 0];
      const left = answers[asked.push(path) - 1];
      return left === 'away'
        ? refusal(503, 'store_unavailable', 'Away.', { 'retry-after': '0' })
        : { status: 200, body: { pushes: [], days_left: left } };
    };
    await bench.serve(instead);
    writeFileSync(bench.file, many(500));
    expect(await bench.run({ ...given('shopify'), concurrency: 1 })).to.include({ exitCode: 0, accepted: 500 });
    const receipts = ['r0', 'r0', 'r0', 'r0', 'r0', 'r1'];
    expect(asked).to.deep.equal(receipts.map((receipt) => `/v1/ingest/pushes?receipt=${receipt}`));
    expect(bench.printed.stderr).to.contain('waiting until the figures contain it');
  });

  it('says when it is not known whether the figures contain all', async () => {
    const instead = ({ orders }: SeenRequest): Instead => {
      const results = orders.map(({ order_id }) => ({ order_id, outcome: 'accepted' }));
      if (orders.length === 0) return refusal(403, 'forbidden_scope', 'read is needed.');
      return { status: 200, body: { accepted: 1, rejected: 0, superseded: 0, receipt: 'r', results } };
    };
    await bench.serve(instead);
    writeFileSync(bench.file, many(1));
    expect(await bench.run(given('shopify'))).to.include({ exitCode: 0 });
    expect(bench.printed.stderr).to.contain('when the figures contain it could not be read (status 403)');
  });

  it('names a file of another kind in one sentence and sends nothing', async () => {
    await bench.serve();
    const shopifyCsv = casesOf('shopify').find(({ input }) => input.text !== undefined)?.input.text ?? '';
    const cases: [Platform | undefined, string, string][] = [
      [
        undefined,
        'order_id,total\n1,2\n',
        'the file is a CSV file with the columns order_id, total, and not one JSON order a line',
      ],
      [undefined, shopifyCsv, "the file is Shopify's order export: use profit import shopify"],
      [undefined, many(2), 'the file has orders of Shopify: use profit import shopify'],
      [
        undefined,
        '<!doctype html>',
        'the file is an HTML page, such as an error or sign-in page: download the export again',
      ],
      ['shopify', '', 'the file is empty'],
      ['shopify', '[]', 'the file has no orders'],
      ['woocommerce', many(2), 'the file has orders of Shopify: use profit import shopify'],
    ];
    for (const [platform, content, reason] of cases) {
      writeFileSync(bench.file, content);
      const summary = await bench.run(platform === undefined ? {} : given(platform));
      expect(summary).to.include({ outcome: 'stopped', exitCode: 1, reason, read: 0 });
      expect(bench.printed.stderr).to.equal(`Stopped: ${reason}.\n`);
    }
    expect(bench.server.seen).to.deep.equal([]);
  });

  it('sends the orders before the place where a file is cut, and says so', async () => {
    await bench.serve();
    writeFileSync(bench.file, many(300).slice(0, -20));
    const summary = await bench.run({ ...given('shopify'), batchSize: 100, concurrency: 1 });
    const reason = 'the file is cut short: it ends within the order that begins in line 300';
    expect(summary).to.include({ outcome: 'stopped', exitCode: 1, reason, read: 200 });
  });
});

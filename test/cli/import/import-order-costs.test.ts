import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { runImportOrderCosts } from '../../../src/cli/import/import-order-costs.js';
import { useFreshShop, useService } from '../../support/service.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const RANGE = 'from=2026-03-01&to=2026-03-01';

describe('profit import order-costs', () => {
  const folder = temporaryFolder('order-costs');
  const file = join(folder, 'costs.csv');
  const service = useService();
  const shop = useFreshShop(service, { timezone: 'UTC' });

  before(() => {
    service.startWorkers();
  });

  const run = async (content: string | Buffer, { key = shop.key, isPiped = false } = {}) => {
    writeFileSync(file, content);
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const exit = await runImportOrderCosts({
      file: isPiped ? '-' : file,
      stdin: Readable.from([Buffer.from(content)]),
      stdout,
      stderr,
      url: service.url,
      key,
      signal: new AbortController().signal,
    });
    return { exit, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
  };
  const statement = async () =>
    (await shop.call('GET', `/v1/metrics?${RANGE}&include=statement`)).body.statement.fulfillment_costs;

  it('sends all lines in batches, and ends when the figures of their days have them', async () => {
    const orders = Array.from({ length: 1_100 }, (_, i) => ({
      order_id: `o-${i}`,
      placed_at: '2026-03-01T12:00:00Z',
      currency: 'EUR',
      status: 'paid',
      total: '10',
      line_items: [{ line_id: '1', quantity: '1', unit_price: '10' }],
    }));
    for (let i = 0; i < orders.length; i += 250) {
      await shop.call('POST', '/v1/orders', { orders: orders.slice(i, i + 250) });
    }
    const lines = orders.map(({ order_id }) => `${order_id};;1.01;DHL`);
    const csv = ['Order_ID;gateway_fee; Fulfillment_Cost ;carrier', ...lines].join('\r\n');
    const { exit, out } = await run(gzipSync(csv));
    expect(out).to.match(/^read {6}1,100\naccepted {2}1,100\nrejected {2}0\n/);
    expect(exit).to.equal(0);
    expect(await statement()).to.equal('1111.00');
    // The same file again changes nothing; a word takes a cost back.
    expect((await run(csv)).exit).to.equal(0);
    expect((await run('order_id,fulfillment_cost\no-7,null\n', { isPiped: true })).exit).to.equal(0);
    expect(await statement()).to.equal('1109.99');
  });

  it('keeps rejected lines beside the file with their errors, and sends the others', async () => {
    const { exit, out } = await run('order_id,fulfillment_cost\n1,4.5\n2,four\n3,\n');
    expect(exit).to.equal(2);
    expect(out).to.contain('rejected  2').and.to.contain('invalid_money (fulfillment_cost)');
    const rejected = readFileSync(`${file}.rejected.ndjson`, 'utf8').trim().split('\n');
    expect(rejected.map((line) => JSON.parse(line))).to.containSubset([
      { line: 3, order_id: '2', order: { order_id: '2', fulfillment_cost: 'four' } },
      { line: 4, order_id: '3', errors: [{ code: 'missing_field' }] },
    ]);
  });

  it('says what is wrong with a file or key, and sends nothing', async () => {
    const other = await run('sku,unit_cost\nTEA,3\n');
    expect(other.exit).to.equal(1);
    expect(other.err).to.contain('the first line must name the columns: order_id, and fulfillment_cost or gateway_fee');
    expect((await run('')).err).to.contain('the file is empty');
    const refused = await run('order_id,fulfillment_cost\n1,1\n', { key: await service.key(shop.id, 'publishable') });
    expect(refused.err).to.contain('forbidden_scope');
    expect(existsSync(`${file}.rejected.ndjson`)).to.equal(false);
  });
});

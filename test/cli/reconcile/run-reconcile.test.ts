import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { runReconcile, type ReconcileOptions } from '../../../src/cli/reconcile/run-reconcile.js';
import { listening } from '../../support/listening.js';
import { paidOrder } from '../../support/paid-order.js';
import { useService, useShop } from '../../support/service.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe('profit reconcile', function () {
  this.timeout(240_000);
  const service = useService();
  const shop = useShop(service);
  const folder = temporaryFolder('reconcile');
  before(async () => {
    const line_items = [{ line_id: '1', quantity: '1', unit_price: '10.5' }];
    const orders = ['a', 'b', 'c'].map((id) => paidOrder(id, { total: '10.5', line_items }));
    await shop.call('POST', '/v1/orders', { orders });
    await service.settled();
  });

  async function run(content: string | Buffer, more: Partial<ReconcileOptions> = {}) {
    const file = join(folder, 'store');
    await writeFile(file, content);
    const out = new PassThrough();
    const err = new PassThrough();
    const options = { file, url: service.url, key: shop.key, stdin: Readable.from([]), stdout: out, stderr: err };
    const summary = await runReconcile({ ...options, signal: new AbortController().signal, ...more });
    const report = await readFile(`${file}.differences.ndjson`, 'utf8').catch(() => '');
    const differences = report.split('\n').filter((line) => line !== '');
    return {
      summary,
      out: String(out.read()),
      err: String(err.read()),
      differences: differences.map((line) => JSON.parse(line) as object),
    };
  }
  const failure = (content: string, more: Partial<ReconcileOptions> = {}): Promise<string> =>
    run(content, more).then(
      () => '',
      (error: unknown) => (error as Error).message,
    );

  it('compares orders of a CSV file, reports the differences and sums them up', async () => {
    const csv =
      '\ufefforder_id,name,total,updated_at\r\na,"An, order",10.50,\r\nb,,9.5,2026-03-01T12:00:00Z\r\nd,,1,\r\n';
    const completeFor = { from: '2026-03-01', to: '2026-03-01' };
    const { summary, out, differences } = await run(csv, { completeFor });
    expect(summary).to.deep.equal({ compared: 3, equal: 1, differences: 3, exitCode: 2 });
    expect(differences).to.deep.equal([
      { kind: 'total', order_id: 'b', here: '10.50', there: '9.50' },
      { kind: 'missing_here', order_id: 'd', here: null, there: '1.00' },
      { kind: 'missing_there', order_id: 'c', date: '2026-03-01', here: '10.50', there: null },
    ]);
    expect(out).to.match(/^compared +3\nequal +1\ndifferences +3 {2}see .*store\.differences\.ndjson\n {2}total +1\n/);
  });

  it('compares days, of NDJSON and gzip too, and leaves no report where all is equal', async () => {
    const lines = '{"date":"2026-03-01","orders":3,"revenue":"31.5"}\n\n{"date":"2026-03-02","refunds":"0","note":1}';
    const { summary, differences } = await run(gzipSync(lines));
    expect(summary).to.deep.equal({ compared: 2, equal: 2, differences: 0, exitCode: 0 });
    expect(differences).to.deep.equal([]);
    const other = await run('date,orders,revenue\n2026-03-01,2,31.50\n');
    expect(other.differences).to.deep.equal([
      { kind: 'figure', date: '2026-03-01', figure: 'orders', here: 3, there: 2 },
    ]);
  });

  it('reads semicolons, tabs, a line sep= and headers in any case, and an export of a platform', async () => {
    for (const text of [
      'ORDER_ID;Total\na;10.5\n',
      'order_id\ttotal\na\t10.5\n',
      'sep=;\r\nOrder_Id;TOTAL\r\na;10.5\r\n',
    ]) {
      expect((await run(text)).summary, text).to.include({ compared: 1, equal: 1 });
    }
    const columns =
      'Name,Id,Financial Status,Currency,Shipping,Taxes,Total,Discount Amount,Created at,Lineitem quantity,Lineitem price';
    const csv = `${columns}\n#1,77,paid,EUR,0,0,10.50,0,2026-03-01 12:00:00 +0100,1,10.50\n`;
    const [difference] = (await run(csv)).differences;
    expect(difference).to.deep.equal({ kind: 'missing_here', order_id: '77', here: null, there: '10.50' });
  });

  it('compares what was refunded: of a column, and of whole orders with their refunds or without any', async () => {
    const refunds = [{ refund_id: 'r', refunded_at: '2026-03-01T12:00:00Z', total: '0.1' }];
    const { order_id, line_items, ...more } = paidOrder('refunded', { refunds });
    await shop.call('POST', '/v1/orders', { orders: [{ order_id, line_items, ...more }] });
    await service.settled();
    const csv = await run('order_id,refunded\nrefunded,0.10\na,0\n');
    expect(csv.summary).to.include({ compared: 2, equal: 2 });
    const differs = { kind: 'refunds', order_id, here: '0.10' };
    expect((await run('order_id,refunded\nrefunded,0\n')).differences).to.deep.equal([{ ...differs, there: '0.00' }]);
    const twice = [...refunds, { total: '0.200001' }];
    const whole = (own?: object[]) => run(JSON.stringify({ order_id, line_items, refunds: own }));
    expect((await whole()).differences).to.deep.equal([{ ...differs, there: '0.00' }]);
    expect((await whole(twice)).differences).to.deep.equal([{ ...differs, there: '0.300001' }]);
    expect((await run(JSON.stringify({ order_id }))).summary.equal).to.equal(1);
    expect(await failure(JSON.stringify({ order_id, line_items, refunds: [{ total: 1 }] }))).to.match(
      /^line 1 has a refund/,
    );
  });

  it('never takes a file without entries for an equal one', async () => {
    for (const text of ['', ' \n', '\ufeff']) expect(await failure(text)).to.equal('the file is empty');
    expect(await failure('order_id,total\n')).to.equal('the file has no days and no orders');
  });

  it('sends more than a call may hold in several calls', async () => {
    const ids = Array.from({ length: 10_500 }, (_, i) => `none-${i},1`);
    const { summary } = await run(['order_id,total', 'a,10.5', ...ids, 'b,10.5'].join('\n'));
    expect(summary).to.include({ compared: 10_502, equal: 2, differences: 10_500 });
    expect(
      await failure(['order_id', ...ids.map((line) => line.split(',')[0])].join('\n'), {
        completeFor: { from: '2026-03-01', to: '2026-03-01' },
      }),
    ).to.match(/^--from and --to go with at most 10,000 orders/);
  });

  it('says what is wrong with a file, by its lines, and with an answer', async () => {
    expect(await failure('sku,price\nA,1\n')).to.match(/^line 2 has neither an order_id nor a date/);
    expect(await failure('order_id,total\na\n')).to.equal('line 2 has 1 cells, the header 2');
    expect(await failure('{"order_id":"a"}\nnonsense\n')).to.equal('line 2 is not one JSON object');
    expect(await failure('{"order_id":"a"}\n{"date":"2026-03-01"}\n')).to.match(
      /^line 2 is one of days, those before of orders/,
    );
    expect(await failure('order_id,total\na,1e3\n')).to.match(
      /^lines 2 to 2: POST \/v1\/reconcile was answered with 400: .*\(invalid_money\)$/,
    );
    expect(await failure('order_id\na\n', { key: 'sk_svc_unknown' })).to.match(/answered with 401/);
  });

  it('says of an answer of something else that the url may be wrong', async () => {
    const other = await listening(createServer((_req, res) => res.end('<title>Welcome</title>')));
    expect(await failure('order_id\na\n', { url: other.url })).to.match(
      /^The answer is not one of POST \/v1\/reconcile; is the url right\?$/,
    );
    await other.stop();
  });
});

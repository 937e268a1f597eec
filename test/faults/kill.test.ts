import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Big } from 'big.js';
import { expect } from 'chai';
import { runImportOrders } from '../../src/cli/import/import-orders.js';
import { freePort } from '../../src/embedded/engines/free-port.js';
import { createOrders } from '../support/generated-orders.js';
import { keepAlive } from '../support/keep-alive.js';
import { serviceEnvironment, startService, type Service, type Shop } from '../support/service.js';

const ORDERS = 40_000;
const KILLS = 8;

describe('kill -9 in the middle of an import', () => {
  let observer: Service;
  let shop: Shop;
  let folder: string;

  before(async () => {
    // Nobody works in this process: what is drained, the killed children drain.
    observer = await startService({ workers: false });
    shop = await observer.shop();
    folder = await mkdtemp(join(tmpdir(), 'profit-kill-'));
  });
  after(async () => {
    await observer.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('of the API and the workers loses and doubles nothing', async () => {
    const next = createOrders(7);
    const orders = Array.from({ length: ORDERS }, () => ({ ...next(), currency: 'EUR' }));
    const file = join(folder, 'orders.ndjson');
    await writeFile(file, orders.map((order) => JSON.stringify(order)).join('\n'));

    const port = await freePort();
    const env = { ...(await serviceEnvironment()), PORT: String(port), LOG_LEVEL: 'info' };
    const api = keepAlive('dist/src/main.js', env);
    const worker = keepAlive('dist/workers/main.js', env);
    const progress = { importing: true };
    const silent = (): PassThrough => new PassThrough().resume();
    const imported = runImportOrders({
      file,
      url: `http://127.0.0.1:${port}`,
      key: shop.key,
      stdin: Readable.from([]),
      stdout: silent(),
      stderr: silent(),
      signal: new AbortController().signal,
    }).finally(() => (progress.importing = false));

    // A process is killed only after it has started, so that the import goes on, on a busy machine too.
    let kills = 0;
    for (; progress.importing && kills < KILLS; kills++) {
      await Promise.all([worker.started(), api.started()]);
      await sleep(1_000);
      (kills % 2 === 0 ? worker : api).kill();
    }
    const summary = await imported;
    expect(summary).to.include({ outcome: 'complete', read: ORDERS, rejected: 0 });
    expect(kills).to.be.at.least(4);

    await observer.settled();
    const total = orders.reduce((sum, order) => sum.plus(order.total), Big(0));
    const stored = await observer.stores.warehouse.query<{ n: string; total: string }>(
      'SELECT count() AS n, sum(o.total) AS total FROM orders AS o FINAL WHERE shop_id = {shop:String}',
      { shop: shop.id },
    );
    expect(stored).to.deep.equal([{ n: String(ORDERS), total: total.toFixed() }]);
    const days = await observer.stores.warehouse.query<{ orders: string; revenue: string }>(
      'SELECT sum(orders) AS orders, sum(revenue) AS revenue FROM daily_orders FINAL WHERE shop_id = {shop:String}',
      { shop: shop.id },
    );
    expect(days).to.deep.equal([{ orders: String(ORDERS), revenue: total.toFixed() }]);
    await Promise.all([api.stop(), worker.stop()]);
  });
});

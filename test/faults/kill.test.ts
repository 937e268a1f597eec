import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Big } from 'big.js';
import { expect } from 'chai';
import { runImportOrders } from '../../src/cli/import/import-orders.js';
import { OPEN_END } from '../../src/domain/access-log.js';
import { keptPort } from '../support/remembered-port.js';
import { createLocks } from '../../src/redis/locks.js';
import { json, OPERATOR_ENV, signInAsOperator } from '../console/support.js';
import { createOrders } from '../support/generated-orders.js';
import { keepAlive, type KeptAlive } from '../support/keep-alive.js';
import { serviceEnvironment, startService, type Service, type Shop } from '../support/service.js';
import { until } from '../embedded/processes.js';

/** Orders that are stored between two kills, so that each meets a process at work. */
const ORDERS_A_KILL = 500;
const MAX_ORDERS = 100_000;
const BATCH = 100;

describe('kill -9 in the middle of an import', () => {
  let observer: Service;
  let shop: Shop;
  const running: KeptAlive[] = [];
  const ended = new AbortController();

  before(async () => {
    // Nobody works in this process: what is drained, the killed children drain.
    observer = await startService({ workers: false });
    shop = await observer.shop();
  });
  after(async () => {
    ended.abort();
    await Promise.all(running.map((process) => process.stop()));
    await observer.stop();
  });

  it('of two workers and the API in turns loses and doubles nothing', async () => {
    const port = await keptPort();
    const env = { ...(await serviceEnvironment()), PORT: String(port), LOG_LEVEL: 'info' };
    const start = (script: string): KeptAlive => {
      const process = keepAlive(script, env);
      running.push(process);
      return process;
    };
    const api = start('dist/src/main.js');
    const workers = [start('dist/workers/main.js'), start('dist/workers/main.js')] as const;

    // Orders come until the last process was killed.
    const progress = { killing: true, sent: 0, total: Big(0) };
    const next = createOrders(7);
    async function* lines(): AsyncGenerator<Buffer> {
      while (progress.killing && progress.sent < MAX_ORDERS) {
        const orders = Array.from({ length: BATCH }, () => ({ ...next(), currency: 'EUR' }));
        progress.sent += BATCH;
        for (const order of orders) progress.total = progress.total.plus(order.total);
        yield Buffer.from(orders.map((order) => `${JSON.stringify(order)}\n`).join(''));
        await sleep(0); // others of this process have their turn
      }
    }
    const silent = (): PassThrough => new PassThrough().resume();
    const imported = runImportOrders({
      file: '-',
      url: `http://127.0.0.1:${port}`,
      key: shop.key,
      batchSize: BATCH,
      stdin: Readable.from(lines()),
      stdout: silent(),
      stderr: silent(),
      signal: ended.signal,
    }).finally(() => (progress.killing = false));

    const storedNow = async (): Promise<number> => {
      const [row] = await observer.stores.warehouse.query<{ n: string }>(
        'SELECT count() AS n FROM orders WHERE shop_id = {shop:String}',
        { shop: shop.id },
      );
      return Number(row?.n);
    };
    let kills = 0;
    for (const victim of [workers[0], api, workers[1], workers[0], api, workers[1]]) {
      const before = await storedNow();
      await Promise.all([victim.started(), api.started()]);
      while (progress.killing && (await storedNow()) < before + ORDERS_A_KILL) await sleep(20);
      if (!progress.killing) break;
      victim.kill();
      kills++;
    }
    progress.killing = false;
    const { outcome, read, rejected } = await imported;
    expect({ outcome, read, rejected, kills }).to.deep.equal({
      outcome: 'complete',
      read: progress.sent,
      rejected: 0,
      kills: 6,
    });

    await observer.settled();
    const stored = await observer.stores.warehouse.query<{ n: string; total: string }>(
      'SELECT count() AS n, sum(o.total) AS total FROM orders AS o FINAL WHERE shop_id = {shop:String}',
      { shop: shop.id },
    );
    expect(stored).to.deep.equal([{ n: String(progress.sent), total: progress.total.toFixed() }]);
    const days = await observer.stores.warehouse.query<{ orders: string; revenue: string }>(
      "SELECT toUInt64(sum(sums['orders'])) AS orders, sum(sums['revenue']) AS revenue FROM daily_orders FINAL WHERE shop_id = {shop:String}",
      { shop: shop.id },
    );
    expect(days).to.deep.equal([{ orders: String(progress.sent), revenue: progress.total.toFixed() }]);
    const logged = await observer.stores.warehouse.query<{ accepted: string }>(
      "SELECT sum(accepted) AS accepted FROM ingest_log FINAL WHERE shop_id = {shop:String} AND kind = 'orders'",
      { shop: shop.id },
    );
    expect(Number(logged[0]?.accepted)).to.be.at.least(progress.sent);
  });
});

describe('kill -9 between the line in the log and the change that it is of', () => {
  it('leaves a line that says that its end is not known, and the change can be made again', async () => {
    const observer = await startService({ workers: false });
    const shop = await observer.shop();
    const port = await keptPort();
    const env = { ...(await serviceEnvironment()), ...OPERATOR_ENV, PORT: String(port), LOG_LEVEL: 'info' };
    const api = keepAlive('dist/src/main.js', env);
    const url = `http://127.0.0.1:${port}`;
    const path = `/app/api/shops/${shop.id}/alerts`;
    const change = { rules: [{ kind: 'day_lost', is_on: true, threshold: '7' }] };
    try {
      await api.started();
      const operator = await signInAsOperator({ url });
      const lines = async (): Promise<string[]> => {
        const { entries } = await json(await operator.get('/app/api/log'));
        return entries
          .filter((entry: { shop: string }) => entry.shop === shop.id)
          .map(({ what }: { what: string }) => what);
      };
      const before = await json(await operator.get(path));
      // The change waits for the lock, which this process has; its line is stored before.
      await createLocks(observer.stores.redis)(`alerts:${shop.id}`, async () => {
        const cut = operator.send('PUT', path, change).catch((error: unknown) => error);
        while ((await lines()).length === 0) await sleep(20);
        api.kill();
        expect(await cut).to.be.instanceOf(TypeError);
      });
      await until('the API is back', () =>
        operator.get(path).then(
          () => true,
          () => false,
        ),
      );
      const [cut = ''] = await lines();
      expect(cut.endsWith(OPEN_END), cut).to.equal(true);
      expect(await json(await operator.get(path))).to.deep.equal(before);
      expect((await operator.send('PUT', path, change)).status).to.equal(200);
      const [made = '', ...others] = await lines();
      expect([made, others]).to.deep.equal([cut.slice(0, -OPEN_END.length), [cut]]);
    } finally {
      await api.stop();
      await observer.stop();
    }
  });
});

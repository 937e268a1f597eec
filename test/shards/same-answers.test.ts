import { expect } from 'chai';
import { biUser } from '../../src/embedded/engines/bi-users.js';
import { readDictionary } from '../../src/warehouse/bi/dictionary.js';
import { analystOf, BI_POOL, startBiProxy, type Analyst, type BiProxy } from '../support/bi-proxy.js';
import { startEngines, startShardedEngines, type Engines } from '../support/engines.js';
import { environmentOf, startService, type Service } from '../support/service.js';
import { shardRecords, type Push, type Records } from '../support/shard-records.js';

const SHOP = 'same-shop';
const USERS = BI_POOL.map((user) => biUser(user));

/** Of the moment at which a push arrived, and what stands for the push: no two deployments agree about them. */
const OF_ARRIVAL =
  /"(connected_at|last_synced_at|last_received_at|received_at|registered_at|locked_at|receipt|batch_id|request_id|key_last4|at|last_seen_at)":"[^"]*"/g;

/** Columns of the views that say the same; and the views of what was once, whose shards have moments of their own. */
const COLUMNS_OF_ARRIVAL = ['received_at', 'received_day', 'batch_id', 'request_id'];
const PAST: Readonly<Record<string, string>> = {
  daily_metrics_history:
    'SELECT day, part, sum(revenue), sum(refunds), sum(orders), sum(cogs), sum(ad_spend) FROM bi.daily_metrics_history WHERE valid_until IS NULL GROUP BY ALL ORDER BY ALL',
  restatements:
    "SELECT day, figure, sum(after - before), argMax(after, at) FROM bi.restatements WHERE figure != 'cogs' GROUP BY ALL ORDER BY ALL",
};

interface Deployment {
  engines: Engines;
  proxy: BiProxy;
  analyst: Analyst;
  service: Service;
  call: (method: string, path: string, body?: unknown) => Promise<string>;
  push: (push: Push) => Promise<void>;
}

async function deploy(engines: Engines): Promise<Deployment> {
  const service = await startService({ base: await environmentOf(engines) });
  const [key, pixel] = [await service.key(SHOP), await service.key(SHOP, 'pixel')];
  const proxy = await startBiProxy(engines, BI_POOL);
  return {
    ...{ engines, service, proxy },
    analyst: await analystOf(SHOP, proxy, service.stores.warehouse),
    async call(method, path, body) {
      const { status, body: answer } = await service.call(method, path, { key, ...(body !== undefined && { body }) });
      return `${status} ${(typeof answer === 'string' ? answer : JSON.stringify(answer)).replace(OF_ARRIVAL, '"$1":""')}`;
    },
    async push({ method, path, body, isPixel }) {
      const { status, body: answer } = await service.call(method, path, { key: isPixel === true ? pixel : key, body });
      if (status >= 300) throw new Error(`${method} ${path} was answered with ${status}: ${JSON.stringify(answer)}`);
    },
  };
}

function reads({ from, to, orderIds }: Records): string[] {
  const range = `from=${from}&to=${to}`;
  const figures = ['net_profit', 'revenue', 'refunds', 'cogs', 'gateway_fees', 'ad_spend'];
  return [
    `/v1/metrics?${range}&include=expenses,coverage`,
    `/v1/metrics/daily?${range}&include=expenses`,
    ...['last_touch', 'first_touch', 'linear'].map((model) => `/v1/attribution?${range}&model=${model}`),
    ...figures.flatMap((figure) => [`/v1/metrics/explain?figure=${figure}&${range}&limit=250&sort=amount`]),
    `/v1/metrics/explain?figure=net_profit&${range}&limit=250&sort=time`,
    ...['revenue', 'units_sold', 'gross_profit'].map((sort) => `/v1/products?${range}&sort=${sort}&limit=250`),
    `/v1/products?${range}&missing_cost=1`,
    ...['', '&counted=0', '&missing_cost=1', '&gateway=PAYPAL', '&channel=unattributed', '&status=pending'].map(
      (filter) => `/v1/orders?${range}&limit=100${filter}`,
    ),
    ...orderIds.filter((_, i) => i % 40 === 0).map((id) => `/v1/orders/${id}`),
    ...['/v1/products/costs?limit=100', '/v1/costs/expenses', '/v1/costs/gateway-fees', '/v1/source'],
    ...['/v1/ingest/status', '/v1/ingest/rejections', '/v1/connections'],
  ];
}

describe('two shards that were given the records of a single server', () => {
  const records = shardRecords(20_261_121, Date.now());
  let both: Deployment[] = [];
  let started: Engines[] = [];

  before(async () => {
    started = await Promise.all([startEngines(USERS), startShardedEngines(2, USERS)]);
    both = await Promise.all(started.map(deploy));
    const source = { platform: 'test', currency: 'GBP', timezone: 'Europe/London' };
    for (const { call } of both) expect(await call('PUT', '/v1/source', source)).to.match(/^200 /);
  });
  after(async () => {
    await Promise.all(both.map(({ proxy, service }) => Promise.all([proxy.stop(), service.stop()])));
    await Promise.all(started.map((engines) => engines.stop()));
  });

  const moments: string[] = [];
  const compare = async (path: string, method = 'GET', body?: unknown): Promise<void> => {
    const [one, other] = await Promise.all(both.map(({ call }) => call(method, path, body)));
    expect(one, path).to.match(/^200 /);
    expect(other, path).to.equal(one);
  };

  for (const [i, what] of ['orders and visits', 'costs, spend and expenses', 'changes'].entries()) {
    it(`give the same answers, byte for byte, after ${what}`, async () => {
      for (const push of records.phases[i] ?? []) await Promise.all(both.map((one) => one.push(push)));
      await Promise.all(both.map(({ service }) => service.settled()));
      // The same for both: a cursor is bound to the moment that was asked for.
      moments.push(new Date().toISOString());
      for (const path of reads(records)) await compare(path);
    });
  }

  it('have rows of the shop on either shard', async () => {
    const counts = await both[1]?.service.stores.warehouse.query<{ shard: number; orders: string; days: string }>(
      `SELECT o.shard AS shard, o.orders AS orders, d.days AS days
       FROM (SELECT shardNum() AS shard, count() AS orders FROM orders FINAL GROUP BY shard) AS o
       INNER JOIN (SELECT shardNum() AS shard, count() AS days FROM daily_orders FINAL WHERE orders > 0 GROUP BY shard) AS d
         ON o.shard = d.shard ORDER BY shard`,
    );
    expect(counts?.map(({ shard }) => shard)).to.deep.equal([1, 2]);
    for (const { orders, days } of counts ?? []) {
      expect(Number(orders)).to.be.greaterThan(50);
      expect(Number(days)).to.be.greaterThan(5);
    }
  });

  it('show an analyst the same rows in every view', async () => {
    for (const { name, columns } of await readDictionary('clickhouse/views/bi')) {
      const same = columns.map((column) => column.name).filter((column) => !COLUMNS_OF_ARRIVAL.includes(column));
      const sql = PAST[name] ?? `SELECT ${same.join(', ')} FROM bi.${name} ORDER BY ALL`;
      const [one = [], other] = await Promise.all(both.map(({ analyst }) => analyst(sql)));
      expect(one.length, name).to.be.greaterThan(0);
      expect(other, name).to.deep.equal(one);
    }
  });

  it('answer as they did at a moment of before', async () => {
    const { from, to } = records;
    expect(moments).to.have.length(records.phases.length);
    for (const moment of moments) {
      for (const path of [
        `/v1/metrics?from=${from}&to=${to}&include=expenses`,
        `/v1/metrics/daily?from=${from}&to=${to}`,
        `/v1/attribution?from=${from}&to=${to}&model=linear`,
        `/v1/products?from=${from}&to=${to}&sort=revenue&limit=250`,
      ]) {
        await compare(`${path}&as_of=${moment}`);
      }
    }
  });

  it('reconcile alike', async () => {
    const days = [{ date: records.from, orders: 3, revenue: '1.00', refunds: '0' }];
    await compare('/v1/reconcile', 'POST', { days });
    const orders = records.orderIds.slice(0, 20).map((order_id) => ({ order_id, total: '1.00' }));
    await compare('/v1/reconcile', 'POST', { orders, complete_for: { from: records.from, to: records.to } });
  });
});

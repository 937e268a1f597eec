import { expect } from 'chai';
import { deploy, reads, readsThen, SOURCE, USERS, viewQueries, type Deployment } from '../support/deployments.js';
import { startEngines, startShardedEngines, type Engines } from '../support/engines.js';
import { shardRecords } from '../support/shard-records.js';

/** Of the moment at which a push arrived, and what stands for the push: no two deployments agree about them. */
const OF_ARRIVAL =
  /"(connected_at|last_synced_at|last_received_at|received_at|registered_at|locked_at|receipt|batch_id|request_id|key_last4|at|last_seen_at|ms)":("[^"]*"|\d+)/g;

/** Columns of the views that say the same; and the views of what was once, whose shards have moments of their own. */
const COLUMNS_OF_ARRIVAL = ['received_at', 'received_day', 'registered_at', 'batch_id', 'request_id'];
const PAST: Readonly<Record<string, string>> = {
  daily_metrics_history:
    'SELECT day, part, sum(revenue), sum(refunds), sum(orders), sum(cogs), sum(ad_spend) FROM bi.daily_metrics_history WHERE valid_until IS NULL GROUP BY ALL ORDER BY ALL',
  restatements:
    "SELECT day, figure, sum(after - before), argMax(after, at) FROM bi.restatements WHERE figure != 'cogs' GROUP BY ALL ORDER BY ALL",
};

describe('two shards that were given the records of a single server', () => {
  const records = shardRecords(20_261_121, Date.now());
  let both: Deployment[] = [];
  let started: Engines[] = [];

  before(async () => {
    started = await Promise.all([startEngines(USERS), startShardedEngines(2, USERS)]);
    both = await Promise.all(started.map((engines) => deploy(engines)));
    for (const { call } of both) expect(await call('PUT', '/v1/source', SOURCE)).to.match(/^200 /);
  });
  after(async () => {
    await Promise.all(both.map((one) => one.stop()));
    await Promise.all(started.map((engines) => engines.stop()));
  });

  const moments: string[] = [];
  const compare = async (path: string, method = 'GET', body?: unknown): Promise<void> => {
    const [one, other] = await Promise.all(
      both.map(async ({ call }) => (await call(method, path, body)).replace(OF_ARRIVAL, '"$1":""')),
    );
    expect(one, path).to.match(/^200 /);
    expect(other, path).to.equal(one);
  };

  it('give the same answers, byte for byte, after orders, costs and changes', async () => {
    for (const phase of records.phases) {
      for (const push of phase) await Promise.all(both.map((one) => one.push(push)));
      await Promise.all(both.map(({ service }) => service.settled()));
      // The same for both: a cursor is bound to the moment that was asked for.
      moments.push(new Date().toISOString());
    }
    for (const path of reads(records)) await compare(path);
    const costs = [
      { sku: records.skus[0], unit_cost: '1.23' },
      { sku: 'none', deleted: true },
    ];
    await compare('/v1/products/costs?validate_only=1', 'PUT', { costs });
  });

  it('have all rows of the shop on one shard', async () => {
    const { shards } = both[1]?.service.stores ?? {};
    const counts = await Promise.all(
      ['orders', 'order_days', 'daily_orders', 'daily_orders_history', 'events', 'product_costs', 'ingest_log'].map(
        async (table) => {
          const sql = `SELECT toUInt32(count()) AS rows FROM ${table} WHERE shop_id != ''`;
          const found = await Promise.all((shards?.each ?? []).map((shard) => shard.query<{ rows: number }>(sql)));
          return [table, found.map(([row]) => (row?.rows ?? 0) > 0)];
        },
      ),
    );
    const [, first] = counts[0] ?? [];
    expect(first).to.be.an('array').that.includes(true).and.includes(false);
    for (const [table, place] of counts) expect(place, String(table)).to.deep.equal(first);
  });

  it('show an analyst the same rows in every view', async () => {
    for (const [name, sql] of await viewQueries({ past: PAST, without: COLUMNS_OF_ARRIVAL })) {
      const [one = [], other] = await Promise.all(both.map(({ analyst }) => analyst(sql)));
      expect(one.length, name).to.be.greaterThan(0);
      expect(other, name).to.deep.equal(one);
    }
  });

  it('answer as they did at a moment of before', async () => {
    expect(moments).to.have.length(records.phases.length);
    for (const path of moments.flatMap((moment) => readsThen(records, moment))) await compare(path);
  });

  it('reconcile alike', async () => {
    const days = [{ date: records.from, orders: 3, revenue: '1.00', refunds: '0' }];
    await compare('/v1/reconcile', 'POST', { days });
    const orders = records.orderIds.slice(0, 20).map((order_id) => ({ order_id, total: '1.00' }));
    await compare('/v1/reconcile', 'POST', { orders, complete_for: { from: records.from, to: records.to } });
  });
});

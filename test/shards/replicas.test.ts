import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { runRestore } from '../../src/cli/backup/restore.js';
import { runRebalance } from '../../src/cli/cluster/rebalance.js';
import { totalsOf } from '../../src/cli/demo/demo-month.js';
import { createWriteIntents } from '../../src/redis/write-intents.js';
import { managedExpenseId } from '../../src/repositories/expenses.js';
import { createWarehouse } from '../../src/warehouse/client.js';
import { openRowServers } from '../../src/warehouse/cluster/row-servers.js';
import { ClusterError } from '../../src/warehouse/migrations/cluster.js';
import { expectAlike } from '../support/content-of-server.js';
import { SOURCE } from '../support/deployments.js';
import { startMonth, TOLD_MS, type MonthOnShards } from '../support/month-on-shards.js';

describe('two shards of two replicas each', function () {
  this.timeout(600_000);
  let all: MonthOnShards;

  before(async () => {
    all = await startMonth({ replicas: 2 });
  });
  after(() => all.stop());

  it('are refused by rebalance and restore, before anything is changed', async () => {
    const signal = new AbortController().signal;
    const { config, service } = all;
    const { stores } = service;
    const own = {
      config,
      signal,
      stderr: new PassThrough().resume(),
      redis: stores.redis,
      takeStamps: stores.takeStamps,
    };
    const to = config.shards ?? { cluster: '', nodes: [] };
    const onStep = (step: string): void => expect.fail(step);
    expect(await runRebalance({ ...own, to, onStep }).catch((error: unknown) => error))
      .to.be.instanceOf(ClusterError)
      .with.property('message')
      .that.contains('has several servers a shard');
    const servers = await openRowServers(config, { waitMs: 10_000 });
    const options = {
      ...own,
      servers,
      folder: 'nowhere',
      redisOf: () => stores.redis,
      eventsHome: 'shared' as const,
      producer: service.deps.producer,
    };
    expect(await runRestore(stores, options).catch((error: unknown) => error))
      .to.have.property('message')
      .that.contains('restore into shards of one server');
    await servers.close();
  });

  for (const [index, what] of [
    [0, 'the coordinator'],
    [3, 'another one'],
  ] as const) {
    it(`go on reading while a replica is away, and make it like its sibling later: ${what}`, async () => {
      const { config, engines, service, month, range } = all;
      const key = await all.shopOf(`away-${index}`);
      const half = Math.ceil(month.orders.length / 2);
      await all.push(key, month.orders.slice(0, half));
      await service.settled();
      const paths = ['metrics', 'orders', 'products'].map((path) => `/v1/${path}?${range}`);
      const before = await Promise.all(paths.map(async (path) => (await all.timed(path, key)).body as unknown));
      all.signal(index, 'SIGKILL');
      await all.push(key, month.orders.slice(half));
      for (const [i, path] of paths.entries()) {
        const { status, body, ms } = await all.timed(path, key);
        expect(status, path).to.equal(200);
        expect(body, path).to.deep.equal(before[i]);
        expect(ms, path).to.be.below(TOLD_MS);
      }
      expect((await service.call('PUT', '/v1/source', { key, body: SOURCE })).status).to.equal(503);
      await engines.shards.restart(index);
      await service.settled();
      await all.expectExact(key);
      await expectAlike(config.shards?.nodes ?? []);
    });
  }

  it('have a setting alike that one of them missed and nobody sends again', async () => {
    const { config, engines, service } = all;
    const nodes = config.shards?.nodes ?? [];
    const key = await all.shopOf('missed');
    const body = {
      external_id: 'rent',
      name: 'Rent',
      category: 'other',
      amount: '310.00',
      currency: SOURCE.currency,
      frequency: 'monthly',
      started_on: '2026-01-01',
    };
    for (const index of [1, 3]) all.signal(index, 'SIGKILL');
    expect((await service.call('POST', '/v1/costs/expenses', { key, body })).status).to.equal(503);
    for (const index of [1, 3]) await engines.shards.restart(index);
    await service.settled();
    const listed = async (): Promise<string[]> => {
      const { body: answer } = await service.call('GET', '/v1/costs/expenses', { key });
      return (answer as { expenses: { name: string }[] }).expenses.map(({ name }) => name);
    };
    expect(await listed(), 'the one that was refused').to.deep.equal(['Rent']);
    await expectAlike(nodes);

    // A process that dies when the first server of the shard has the row, and the second one not.
    const row = { shop_id: 'missed', expense_id: managedExpenseId('rent'), version: Date.now() * 2_000, is_deleted: 1 };
    const intents = createWriteIntents(service.stores.redis);
    await intents.open({ shopId: 'missed', id: 'half', table: 'expenses', row }, Date.now());
    for (const index of [0, 2]) {
      const server = createWarehouse({ url: nodes[index] ?? '', database: 'profit_local' });
      const [known] = await server.query<{ n: string }>(
        'SELECT count() AS n FROM profit_local.expenses WHERE shop_id = {shop:String}',
        { shop: 'missed' },
      );
      if (known?.n !== '0') await server.insert('expenses', [row]);
      await server.close();
    }
    await service.settled();
    expect(await listed()).to.deep.equal([]);
    await expectAlike(nodes);
  });

  // One of them is the coordinator, and one the first replica of its shard.
  for (const index of [0, 2]) {
    it(`answer exactly or not at all while a server stands still: ${index}`, async () => {
      const { service, month, range } = all;
      const key = await all.shopOf(`frozen-${index}`);
      await all.push(key, month.orders);
      await service.settled();
      all.signal(index, 'SIGSTOP');
      try {
        for (let i = 0; i < 3; i++) {
          const { status, body, ms } = await all.timed(`/v1/metrics?${range}`, key);
          expect(ms).to.be.below(TOLD_MS);
          expect(status).to.be.oneOf([200, 503]);
          if (status === 200) expect(body).to.include(totalsOf(month.days));
        }
      } finally {
        all.signal(index, 'SIGCONT');
      }
      await service.settled();
      await all.expectExact(key);
    });
  }

  it('tell nothing while both servers of a shard are away', async () => {
    const { engines, service, month, range } = all;
    const key = await all.shopOf('dead-shard');
    await all.push(key, month.orders);
    await service.settled();
    for (const index of [2, 3]) all.signal(index, 'SIGKILL');
    const { status, ms } = await all.timed(`/v1/metrics?${range}`, key);
    expect(status).to.equal(503);
    expect(ms).to.be.below(TOLD_MS);
    for (const index of [2, 3]) await engines.shards.restart(index);
    await service.settled();
    await all.expectExact(key);
  });
});

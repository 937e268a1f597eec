import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { runMigrate } from '../../src/cli/commands/migrate.js';
import { runRepair, type RepairStep } from '../../src/cli/cluster/repair.js';
import { guardShards } from '../../src/warehouse/cluster/guard-shards.js';
import { ClusterError } from '../../src/warehouse/migrations/cluster.js';
import { loadConfig, type Config } from '../../src/config.js';
import type { RunningShards } from '../../src/embedded/engines/shards.js';
import { runCommand } from '../support/command.js';
import { expectAlike } from '../support/content-of-server.js';
import { allAnswers, deploy, expectFigures, pushAll, USERS, type Deployment } from '../support/deployments.js';
import { startShardedEngines, type Engines } from '../support/engines.js';
import type { Shop } from '../support/service.js';
import { shardRecords } from '../support/shard-records.js';
import { storeOrder } from '../support/store-order.js';

const DAY = '2026-03-02';

describe('a server of a shard that is filled from the other one', function () {
  this.timeout(600_000);
  const records = shardRecords(20_261_124, Date.now());
  const moments: string[] = [];
  let engines: Engines & { shards: RunningShards };
  let service: Deployment;
  let config: Config;
  let other: Shop;
  let expected: Map<string, unknown>;
  let orders: unknown[] | undefined;
  let pushed = 0;

  const nodes = (): readonly string[] => config.shards?.nodes ?? [];
  const nameOf = (index: number): string => new URL(nodes()[index] ?? '').host;

  before(async () => {
    engines = await startShardedEngines(2, USERS, {}, 2);
    service = await deploy(engines);
    config = loadConfig({ ...engines.shards.env, DATA_DIR: engines.dataDir, REDIS_URL: engines.redis.url });
    moments.push(...(await pushAll(service, records)));
    other = await service.service.shop();
    expected = await allAnswers(service, records, moments);
    await expectOrders();
  });
  after(async () => {
    await service.stop();
    await engines.stop();
  });

  const refused = async (work: Promise<unknown>, message: string): Promise<void> => {
    expect(await work.catch((error: unknown) => error))
      .to.be.instanceOf(ClusterError)
      .with.property('message')
      .that.contains(message);
  };

  const repair = (node: string, onStep: (step: RepairStep) => void = () => undefined): Promise<void> =>
    runRepair({
      redis: service.service.stores.redis,
      config,
      node,
      onStep,
      stderr: new PassThrough().resume(),
      signal: new AbortController().signal,
    });

  const guard = (): Promise<void> => guardShards({ cluster: 'shards', nodes: nodes(), database: 'profit' });

  /** An order of 10.00, which may have to wait. */
  async function pushOne(): Promise<void> {
    const order = storeOrder(`r-${++pushed}`, `${DAY}T12:00:00Z`, '10.00');
    const { status, body } = await other.call('POST', '/v1/orders', { orders: [order] });
    expect(body, String(status)).to.include({ accepted: 1 });
  }

  /** Whichever server of a shard an analyst is given. */
  async function expectOrders(): Promise<void> {
    const sql = 'SELECT count() AS orders, sum(total) AS total FROM bi.orders';
    orders ??= await service.analyst(sql);
    for (let i = 0; i < 8; i++) expect(await service.analyst(sql)).to.deep.equal(orders);
  }

  async function expectAll(): Promise<void> {
    await service.service.settled();
    for (const [path, answer] of await allAnswers(service, records, moments)) {
      // Of changes on two shards, milliseconds apart by the clock of each server, either may be told first.
      if (path !== 'restatements') expect(answer, path).to.deep.equal(expected.get(path));
    }
    const { body } = await other.call('GET', `/v1/metrics?from=${DAY}&to=${DAY}`);
    expect(body).to.include({ orders: pushed, revenue: `${pushed * 10}.00` });
  }

  it('is refused until it is filled where it lost its disk, whatever cuts that off, and figures are exact meanwhile', async () => {
    process.kill(engines.shards.shards[0]?.pid ?? 0, 'SIGKILL');
    await engines.shards.shards[0]?.stop();
    await rm(join(engines.dataDir, 'clickhouse', 'shard-1', 'data'), { recursive: true });
    await engines.shards.restart(0);
    await refused(runMigrate(config), `profit cluster repair ${nameOf(0)}`);
    await refused(guard(), `profit cluster repair ${nameOf(0)}`);
    await refused(repair(nameOf(1)), 'only one server can be filled');
    const error: unknown = await repair(`http://profit:hush@${nameOf(0)}`).catch((failure: unknown) => failure);
    expect(String(error))
      .to.match(/give the server by host and port, one of /)
      .and.not.to.contain('hush');

    const steps: RepairStep[] = ['close', 'drop', 'copy', 'place', 'open', 'clear'];
    for (const cut of steps) {
      await pushOne();
      const fault = new Error(`cut at ${cut}`);
      const work = repair(nameOf(0), (step) => {
        if (step === cut) throw fault;
      });
      expect(await work.catch((error: unknown) => error)).to.equal(fault);
      await expectFigures(service, { answers: expected, isRead: true });
      await refused(runMigrate(config), `profit cluster repair ${nameOf(0)}`);
    }
    await repair(nameOf(0));
    expect(await runMigrate(config)).to.deep.equal([]);
    await guard();
    await expectAll();
    await expectAlike(nodes());
  });

  it('has the same rows as the other one, where it had rows of its own and the command was killed at its steps', async () => {
    const env = { ...engines.shards.env, DATA_DIR: engines.dataDir, REDIS_URL: engines.redis.url };
    const args = ['cluster', 'repair', nameOf(3)];
    for (const sentence of ['Writing stops', 'is dropped', 'are copied', 'are opened']) {
      await pushOne();
      const { status, out } = await runCommand(args, env, (printed) => printed.includes(sentence));
      expect({ status, out }).to.deep.include({ status: null });
      await expectFigures(service, { answers: expected, isRead: true });
      await expectOrders();
    }
    const { status, err } = await runCommand(args, env);
    expect(status, err).to.equal(0);
    await expectAll();
    await expectAlike(nodes());
  });

  it('is like the other one in every row, moments included, while nothing is written', async () => {
    await repair(nameOf(3));
    await expectAlike(nodes().slice(2), { isExact: true });
  });
});

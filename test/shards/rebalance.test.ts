import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { cancelRebalance, runRebalance } from '../../src/cli/cluster/rebalance.js';
import type { RebalanceOptions, Step } from '../../src/cli/cluster/steps.js';
import { loadConfig } from '../../src/config.js';
import type { RunningShards } from '../../src/embedded/engines/shards.js';
import { QUEUES } from '../../src/queue/jobs.js';
import { schemaOf } from '../../src/warehouse/backup/tables.js';
import { createWarehouse } from '../../src/warehouse/client.js';
import { guardShards } from '../../src/warehouse/cluster/guard-shards.js';
import { KEYED, shardOf } from '../../src/warehouse/cluster/placement.js';
import { openRowServers } from '../../src/warehouse/cluster/row-servers.js';
import { quoted } from '../../src/warehouse/sql.js';
import { ClusterError } from '../../src/warehouse/migrations/cluster.js';
import { runCommand } from '../support/command.js';
import { allAnswers, deploy, expectFigures, pushAll, USERS, type Deployment } from '../support/deployments.js';
import { startShardedEngines, type Engines } from '../support/engines.js';
import type { Shop } from '../support/service.js';
import { shardRecords } from '../support/shard-records.js';
import { storeOrder } from '../support/store-order.js';

/** The first two servers as shards; all three are `shards`. */
const TWO = 'shards_2';
const DAY = '2026-03-02';

describe('rows that are moved to other shards', function () {
  this.timeout(600_000);
  const records = shardRecords(20_261_123, Date.now());
  const moments: string[] = [];
  let engines: Engines & { shards: RunningShards };
  let service: Deployment;
  let other: Shop;
  let pushed = 0;
  let expected: Map<string, unknown>;

  const envOf = (count: number): RunningShards['env'] => {
    const { env } = engines.shards;
    const urls = env.CLICKHOUSE_NODES.split(',').slice(0, count).join(',');
    const cluster = count === 2 ? TWO : env.CLICKHOUSE_CLUSTER;
    return { ...env, CLICKHOUSE_URL: urls, CLICKHOUSE_NODES: urls, CLICKHOUSE_CLUSTER: cluster };
  };
  const shardsOf = (count: number) => {
    const { shards, clickhouseDatabase: database } = loadConfig(envOf(count));
    if (shards === undefined) throw new RangeError('there are no shards');
    return { ...shards, database };
  };

  before(async () => {
    engines = await startShardedEngines(3, USERS, { [TWO]: 2 });
    service = await deploy({ ...engines, shards: { ...engines.shards, env: envOf(2) } });
    moments.push(...(await pushAll(service, records)));
    other = await service.service.shop();
    expected = await allAnswers(service, records, moments);
  });
  after(async () => {
    await service.stop();
    await engines.stop();
  });

  const options = (from: number, to: number, onStep: (step: Step) => void = () => undefined): RebalanceOptions => {
    const { config, stores } = service.service;
    return {
      redis: stores.redis,
      takeStamps: stores.takeStamps,
      onStep,
      stderr: new PassThrough().resume(),
      config: { ...config, shards: shardsOf(from) },
      to: shardsOf(to),
      signal: new AbortController().signal,
    };
  };

  async function fail(step: Step, nth = 1): Promise<void> {
    let count = 0;
    const fault = new Error(`failed at ${step}`);
    const onStep = (begun: Step): void => {
      if (begun === step && ++count === nth) throw fault;
    };
    expect(await runRebalance(options(2, 3, onStep)).catch((error: unknown) => error)).to.equal(fault);
  }

  const FEES = '/v1/costs/gateway-fees';
  const RULES = [{ payment_gateway: 'PayPal', percent: '1.00', fixed: '0.00' }];

  /** Figures are those of before or are not told, settings are refused, and an order of 10.00 is accepted. */
  async function lookAround(isRead: boolean): Promise<void> {
    await expectFigures(service, { answers: expected, isRead });
    const { status: refused, body: why } = await other.call('PUT', FEES, { rules: RULES });
    expect(why.errors?.[0]?.code, String(refused)).to.equal('store_unavailable');
    const order = storeOrder(`m-${++pushed}`, `${DAY}T12:00:00Z`, '10.00');
    const { status, body } = await other.call('POST', '/v1/orders', { orders: [order] });
    expect(body, String(status)).to.include({ accepted: 1 });
  }

  /** Of changes that lie milliseconds apart on two shards another one may have the causes; see clickhouse/deploy/README.md. */
  const withoutCauses = (answer: unknown): unknown =>
    Array.isArray(answer) ? answer.map((row: object) => ({ ...row, causes: undefined })) : answer;

  async function expectAll(): Promise<void> {
    await service.service.settled();
    for (const [path, answer] of await allAnswers(service, records, moments))
      expect(withoutCauses(answer), path).to.deep.equal(withoutCauses(expected.get(path)));
    const { body } = await other.call('GET', `/v1/metrics?from=${DAY}&to=${DAY}`);
    expect(body).to.include({ orders: pushed, revenue: `${pushed * 10}.00` });
    expect((await other.call('GET', FEES)).body.rules, 'what was refused, once it can be written').to.deep.equal(RULES);
    for (const queue of QUEUES)
      expect(await service.service.deps.producer.counts(queue), queue).to.include({ failed: 0 });
  }

  /** How many rows of each table are on each shard, how many of them out of place, and what the keyed tables come to as a whole. */
  async function placesOf(count: number) {
    const servers = await openRowServers({ ...service.service.config, shards: shardsOf(count) }, { waitMs: 60_000 });
    try {
      const { tables } = await schemaOf(servers);
      const list = tables.flatMap((table) =>
        KEYED.filter((keyed) => keyed.table === table.name).map((keyed) => ({ ...table, ...keyed })),
      );
      const found = list.map(async ({ name, columns, key }) => {
        const each = servers.holders.map(async ({ warehouse, shard }) => {
          const [row] = await warehouse.query<{ rows: string; wrong: string; hash: string }>(
            `SELECT toString(count()) AS rows, toString(countIf(${shardOf(key, count)} != ${shard - 1})) AS wrong,
               toString(sumIf(sipHash64(tuple(${quoted(columns)})), shop_id = 'same-shop')) AS hash
             FROM ${servers.rows}.${name} FINAL`,
          );
          return { rows: Number(row?.rows), wrong: Number(row?.wrong), hash: BigInt(row?.hash ?? 0) };
        });
        const parts = await Promise.all(each);
        const hash = BigInt.asUintN(
          64,
          parts.reduce((sum, part) => sum + part.hash, 0n),
        );
        return [name, { rows: parts.map((part) => part.rows), wrong: parts.map((part) => part.wrong), hash }] as const;
      });
      return new Map(await Promise.all(found));
    } finally {
      await servers.close();
    }
  }

  it('are moved by a command that is run again wherever it fails, and no figure is wrong meanwhile', async () => {
    const before = await placesOf(2);
    await fail('close');
    await fail('copy');
    await lookAround(true);
    await fail('switch');
    expect(await cancelRebalance(options(2, 3)).catch((error: unknown) => error)).to.be.instanceOf(ClusterError);
    await fail('place');
    await fail('place', 9);
    await lookAround(false);
    await fail('open');
    await lookAround(false);
    await fail('clear');
    expect(await runRebalance(options(2, 3))).to.equal(true);
    expect(await runRebalance(options(2, 3))).to.equal(false);
    await expectAll();
    const after = await placesOf(3);
    for (const [table, { hash }] of before) {
      const there = after.get(table);
      expect(there?.wrong, table).to.deep.equal([0, 0, 0]);
      if (table !== 'push_hours') expect(there?.hash, table).to.equal(hash);
    }
    for (const table of ['orders', 'events'])
      expect(Math.min(...(after.get(table)?.rows ?? [])), table).to.be.above(20);
  });

  it('are used by a service that names those shards, and not by one that names the earlier ones', async () => {
    await guardShards(shardsOf(3));
    expect(await guardShards(shardsOf(2)).catch((error: unknown) => error))
      .to.be.instanceOf(ClusterError)
      .with.property('message')
      .that.matches(/holds the rows of shard 1 of 3, but is shard 1 of 2 of "shards_2": .* profit cluster rebalance/);
  });

  function rebalance(isTime: (printed: string) => Promise<boolean> | boolean): ReturnType<typeof runCommand> {
    const env = { ...envOf(3), DATA_DIR: engines.dataDir, REDIS_URL: engines.redis.url };
    const nodes = shardsOf(2).nodes.map((node) => new URL(node).origin);
    return runCommand(['cluster', 'rebalance', '--cluster', TWO, '--nodes', nodes.join(',')], env, isTime);
  }

  it('are moved to fewer by a command that is killed and run again', async () => {
    const [first] = shardsOf(2).nodes;
    const server = createWarehouse({ url: first ?? '', database: 'system' });
    const isLoaded = async (): Promise<boolean> => {
      const [found] = await server.query<{ rows: string }>(
        `SELECT sum(p.rows) AS rows FROM system.parts AS p WHERE p.database = 'profit_restore_local' AND p.table = 'order_days'`,
      );
      return Number(found?.rows) > 0;
    };
    try {
      for (const isTime of [
        isLoaded,
        (lines: string) => lines.includes('put in place'),
        (lines: string) => lines.includes('are opened'),
      ])
        expect(await rebalance(isTime)).to.include({ status: null });
    } finally {
      await server.close();
    }
    expect(await rebalance(() => false)).to.include({ status: 0 });
    await expectAll();
    for (const [table, { wrong }] of await placesOf(2)) expect(wrong, table).to.deep.equal([0, 0]);
  });

  it('are not moved to a server that has rows, and go on where they are when the move is given up', async () => {
    expect(await runRebalance(options(2, 3)).catch((error: unknown) => error))
      .to.be.instanceOf(ClusterError)
      .with.property('message')
      .that.matches(/ has rows already \(profit_local\.\w+\): add a server that has none$/);
    await lookAround(true);
    expect(await cancelRebalance(options(2, 3))).to.equal(true);
    expect(await cancelRebalance(options(2, 3))).to.equal(false);
    await service.service.settled();
    const { body } = await other.call('GET', `/v1/metrics?from=${DAY}&to=${DAY}`);
    expect(body).to.include({ orders: pushed, revenue: `${pushed * 10}.00` });
    expect((await other.call('GET', FEES)).body.rules, 'what was refused, once it can be written').to.deep.equal(RULES);
  });
});

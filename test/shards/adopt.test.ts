import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { runAdopt, type AdoptStep } from '../../src/cli/cluster/adopt.js';
import { runRebalance } from '../../src/cli/cluster/rebalance.js';
import { runMigrate } from '../../src/cli/commands/migrate.js';
import { loadConfig, type Config } from '../../src/config.js';
import { startClickHouse } from '../../src/embedded/engines/clickhouse.js';
import { startRedis, type RunningRedis } from '../../src/embedded/engines/redis.js';
import { startShards, type RunningShards } from '../../src/embedded/engines/shards.js';
import { QUEUES } from '../../src/queue/jobs.js';
import { createWarehouse, type Warehouse } from '../../src/warehouse/client.js';
import { guardShards } from '../../src/warehouse/cluster/guard-shards.js';
import { openRowServers } from '../../src/warehouse/cluster/row-servers.js';
import { ClusterError } from '../../src/warehouse/migrations/cluster.js';
import {
  allAnswers,
  deploy,
  expectFigures,
  pushAll,
  USERS,
  type Deployment,
  type Keys,
} from '../support/deployments.js';
import { quietLog, type Engines } from '../support/engines.js';
import type { Shop } from '../support/service.js';
import { shardRecords } from '../support/shard-records.js';
import { storeOrder } from '../support/store-order.js';

/** The server that is adopted as a cluster; it and another are `shards`. */
const ONE = 'shards_1';
const DAY = '2026-03-02';

describe('a single server that becomes the first shard of a cluster', function () {
  this.timeout(600_000);
  // While its tables are closed nothing settles.
  this.bail(true);
  const records = shardRecords(20_261_124, Date.now());
  const moments: string[] = [];
  const opened: Warehouse[] = [];
  let dataDir: string;
  let redis: RunningRedis;
  let shards: RunningShards | undefined;
  let engines: Engines;
  let service: Deployment & { keys: Keys };
  let server: Warehouse;
  let other: Shop;
  let pushed = 0;
  let expected: Map<string, unknown>;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'profit-test-'));
    const options = { log: quietLog, biUsers: USERS };
    const alone = join(dataDir, 'clickhouse', 'shard-1');
    redis = await startRedis({ dataDir: join(dataDir, 'redis'), log: quietLog });
    const clickhouse = await startClickHouse({ ...options, dataDir: alone });
    engines = { clickhouse, redis, dataDir, stop: () => Promise.resolve() };
    try {
      service = await deploy(engines);
      server = createWarehouse({ url: service.service.config.clickhouseUrl ?? '', database: 'system' });
      opened.push(server);
      moments.push(...(await pushAll(service, records)));
      other = await service.service.shop();
      expected = await allAnswers(service, records, moments);
    } finally {
      await clickhouse.stop();
    }
    // The same folder, now of a server that knows clusters.
    await copyFile(join(alone, 'password'), join(dataDir, 'clickhouse', 'password'));
    shards = await startShards({ ...options, dataDir: join(dataDir, 'clickhouse'), count: 2, others: { [ONE]: 1 } });
  });
  after(async () => {
    await Promise.all(opened.map((one) => one.close()));
    await service.stop();
    await Promise.all([shards?.stop(), redis.stop()]);
    await rm(dataDir, { recursive: true, force: true });
  });

  const envOf = (cluster: string, count: number): NodeJS.ProcessEnv => {
    const urls = shards?.env.CLICKHOUSE_NODES.split(',').slice(0, count).join(',');
    return {
      CLICKHOUSE_URL: urls,
      CLICKHOUSE_NODES: urls,
      CLICKHOUSE_CLUSTER: cluster,
      REDIS_URL: redis.url,
      DATA_DIR: dataDir,
    };
  };
  const configOf = (cluster: string, count: number): Config => loadConfig(envOf(cluster, count));
  const shardsOf = (cluster: string, count: number) => {
    const { shards: named, clickhouseDatabase: database } = configOf(cluster, count);
    if (named === undefined) throw new RangeError('there are no shards');
    return { ...named, database };
  };
  const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);
  const expectRefused = async (work: Promise<unknown>, message: RegExp): Promise<void> => {
    expect(await failureOf(work))
      .to.be.instanceOf(ClusterError)
      .with.property('message')
      .that.matches(message);
  };

  async function countOf(from: string): Promise<number> {
    const [row] = await server.query<{ count: string }>(`SELECT count() AS count FROM system.${from}`);
    return Number(row?.count);
  }

  const adopt = (onStep: (step: AdoptStep) => void = () => undefined, cluster = ONE): Promise<boolean> => {
    const { config, stores } = service.service;
    return runAdopt({ config, cluster, redis: stores.redis, onStep, signal: new AbortController().signal });
  };
  /** Ends it as a step begins for the nth time. */
  async function fail(step: AdoptStep, nth = 1): Promise<void> {
    let count = 0;
    const fault = new Error(`failed at ${step}`);
    const onStep = (begun: AdoptStep): void => {
      if (begun === step && ++count === nth) throw fault;
    };
    expect(await failureOf(adopt(onStep))).to.equal(fault);
  }

  /** Figures are those of before or are not told, and an order of 10.00 is accepted. */
  async function lookAround(isRead: boolean): Promise<void> {
    await expectFigures(service, { answers: expected, isRead });
    const order = storeOrder(`a-${++pushed}`, `${DAY}T12:00:00Z`, '10.00');
    const { status, body } = await other.call('POST', '/v1/orders', { orders: [order] });
    expect(body, String(status)).to.include({ accepted: 1 });
  }

  async function expectAll(of: Deployment): Promise<void> {
    await of.service.settled();
    for (const [path, answer] of await allAnswers(of, records, moments))
      expect(answer, path).to.deep.equal(expected.get(path));
    const { body } = await other.call('GET', `/v1/metrics?from=${DAY}&to=${DAY}`);
    expect(body).to.include({ orders: pushed, revenue: `${pushed * 10}.00` });
    for (const queue of QUEUES) expect(await of.service.deps.producer.counts(queue), queue).to.include({ failed: 0 });
  }

  it('is not taken for a shard before, and loses nothing to who does', async () => {
    const adoptIt = /has the tables of a single server: make it a shard with profit cluster adopt/;
    await expectRefused(runMigrate(configOf(ONE, 1)), adoptIt);
    await expectRefused(guardShards(shardsOf(ONE, 1)), adoptIt);
    await expectRefused(adopt(undefined, 'missing'), /knows no cluster "missing"/);
    await expectRefused(adopt(undefined, 'shards'), /^"shards" has 2 servers: name a cluster of \S+ alone/);
    await server.command('CREATE TABLE profit.notes (line String) ENGINE = MergeTree ORDER BY line');
    await expectRefused(adopt(), /^not of the service: profit\.notes; move them/);
    await server.command('DROP TABLE profit.notes SYNC');
    await lookAround(true);
  });

  /** Runs the command as a process, which is killed once it has said so. */
  async function command(lines: string): Promise<{ status: unknown; err: string }> {
    const env = { CLICKHOUSE_URL: service.service.config.clickhouseUrl, REDIS_URL: redis.url, DATA_DIR: dataDir };
    const child = spawn(process.execPath, ['dist/src/cli/main.js', 'cluster', 'adopt', '--cluster', ONE], { env });
    let said = '';
    child.stdout.on('data', (data: Buffer) => {
      said += data.toString();
      if (lines !== '' && said.includes(lines)) child.kill('SIGKILL');
    });
    const [err, [status]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    return { status, err };
  }

  it('becomes one by a command that is run again wherever it fails, and no figure is wrong meanwhile', async () => {
    await fail('place', 3);
    await lookAround(true);
    const tables = await countOf("tables WHERE database = 'profit' AND engine LIKE '%MergeTree'");
    expect(await command('The tables of the shard are made')).to.include({ status: null });
    // On a busy machine it may have put the tables aside before its death.
    const inTrial = (await countOf("databases WHERE name = 'profit_single'")) === 0 ? tables : 0;
    await fail('place', inTrial + 2);
    await lookAround(false);
    await expectRefused(runMigrate(service.service.config), /becoming those of a shard, or that was cut off/);
    await expectRefused(runMigrate(configOf(ONE, 1)), /make it a shard with profit cluster adopt/);
    await fail('open');
    await lookAround(false);
    await fail('clear');
    await lookAround(true);
    // On a busy machine it may be faster than its death.
    await command('The tables are opened');
    expect(await command('')).to.deep.equal({ status: 0, err: '' });
    expect(await adopt()).to.equal(false);
    expect(await countOf("databases WHERE name = 'profit_single'")).to.equal(0);
    await expectRefused(runMigrate(service.service.config), /are those of a shard: set CLICKHOUSE_CLUSTER/);
  });

  it('answers a service that runs on as before, and one that names the shard', async () => {
    await expectAll(service);
    await guardShards(shardsOf(ONE, 1));
  });

  it('shares its rows with another one, beside services that know of neither', async () => {
    const { stores } = service.service;
    const options = { redis: stores.redis, takeStamps: stores.takeStamps, onStep: () => undefined };
    const more = { stderr: new PassThrough().resume(), signal: new AbortController().signal };
    const to = shardsOf('shards', 2);
    expect(await runRebalance({ ...options, ...more, config: configOf(ONE, 1), to })).to.equal(true);
    await lookAround(true);
    await expectAll(service);
    const servers = await openRowServers(configOf('shards', 2), { waitMs: 60_000 });
    try {
      for (const { warehouse } of servers.holders) {
        const [row] = await warehouse.query<{ rows: string }>('SELECT count() AS rows FROM profit_local.orders');
        expect(Number(row?.rows)).to.be.above(20);
      }
    } finally {
      await servers.close();
    }
  });
});

import { expect } from 'chai';
import { runMigrate } from '../../src/cli/commands/migrate.js';
import { loadConfig } from '../../src/config.js';
import { createWarehouse, type Warehouse } from '../../src/warehouse/client.js';
import { guardShards } from '../../src/warehouse/cluster/guard-shards.js';
import { ClusterError } from '../../src/warehouse/cluster/cluster-error.js';
import { createShardOf } from '../../src/domain/shard-of.js';
import { startShardedEngines, type Engines } from '../support/engines.js';
import type { RunningShards } from '../../src/embedded/engines/shards.js';

describe('the migrations of two shards', () => {
  let engines: Engines & { shards: RunningShards };
  let opened: Warehouse[];

  before(async () => {
    engines = await startShardedEngines(2);
    opened = [];
  });
  after(async () => {
    await Promise.all(opened.map((one) => one.close()));
    await engines.stop();
  });

  const nodes = (): string[] => engines.shards.env.CLICKHOUSE_NODES.split(',');
  const migrate = (env: NodeJS.ProcessEnv = {}) =>
    runMigrate(loadConfig({ ...engines.shards.env, DATA_DIR: engines.dataDir, ...env }));
  const failure = (env: NodeJS.ProcessEnv) => migrate(env).catch((error: unknown) => error);
  const open = (index: number, database: string): Warehouse => {
    const warehouse = createWarehouse({ url: nodes()[index] ?? '', database, isSharded: true });
    opened.push(warehouse);
    return warehouse;
  };
  const countOf = async (warehouse: Warehouse, table: string): Promise<number> =>
    Number((await warehouse.query<{ count: string }>(`SELECT count() AS count FROM ${table}`))[0]?.count);

  it('are refused where the servers do not fit the configuration, before anything is made', async () => {
    const env = (cluster: string) => ({ CLICKHOUSE_CLUSTER: cluster });
    for (const [change, message] of [
      [env('missing'), 'knows no cluster "missing"'],
      [{ CLICKHOUSE_NODES: nodes()[1] }, 'has 2 servers in 2 shards, but CLICKHOUSE_NODES names 1, 1 for each shard'],
      [
        { CLICKHOUSE_NODES: nodes().reverse().join(',') },
        'is of shard 2 of "shards", but CLICKHOUSE_NODES names it as one of shard 1',
      ],
    ] as const) {
      expect(await failure(change))
        .to.be.instanceOf(ClusterError)
        .with.property('message')
        .that.contains(message);
    }
    expect(await countOf(open(0, 'system'), "databases WHERE startsWith(name, 'profit')")).to.equal(0);
  });

  it('give every server the tables and the way to all shards, and may be repeated', async () => {
    const all = await migrate();
    expect(all).to.include('bi.daily_metrics');
    const applied = all.filter((name) => name.endsWith('.sql'));
    expect(applied[0]).to.equal('001_orders.sql');
    expect(await migrate()).to.deep.equal([]);
    for (const index of [0, 1]) {
      const local = open(index, 'profit_local');
      const files = applied.map((file) => `'${file}'`).join(', ');
      expect(await countOf(local, `schema_migrations FINAL WHERE name IN (${files})`)).to.equal(applied.length);
      const [tables] = await local.query<{ missing: string[] }>(
        `SELECT groupArray(name) AS missing FROM system.tables WHERE database = 'profit_local' AND engine NOT LIKE '%View'
         AND name NOT IN ('schema_migrations', 'bi_users') AND name NOT IN (SELECT name FROM system.tables WHERE database = 'profit')`,
      );
      expect(tables?.missing).to.deep.equal([]);
    }
  });

  it('place all rows of a shop on one shard, and keys by their hash', async () => {
    const all = open(0, 'profit');
    const days = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].flatMap((shop) =>
      Array.from({ length: 20 }, (_, i) => ({
        shop_id: shop,
        order_id: `o-${i}`,
        day: '2026-01-01',
        placed_day: '2026-01-01',
        version: 1,
      })),
    );
    await all.insert('order_days', days);
    await open(1, 'profit').insert(
      'order_days',
      days.map((row) => ({ ...row, version: 2 })),
    );
    const shardOf = createShardOf(2);
    for (const table of ['order_days', 'order_keys'])
      for (const index of [0, 1]) {
        const rows = await open(index, 'profit_local').query<{ shop: string; rows: string }>(
          `SELECT shop_id AS shop, count() AS rows FROM ${table} FINAL GROUP BY shop ORDER BY shop`,
        );
        expect(rows.length, table).to.be.greaterThan(0);
        for (const { shop, rows: held } of rows) expect([shardOf(shop), held], shop).to.deep.equal([index, '20']);
      }
    expect(await countOf(all, 'order_days FINAL')).to.equal(days.length);
  });

  it('bring a server that was lost up to the others', async () => {
    const second = open(1, 'system');
    await second.command('DROP DATABASE profit SYNC');
    expect(await migrate()).to.deep.equal([]);
    expect(await countOf(second, "tables WHERE database = 'profit' AND engine = 'Distributed'")).to.be.greaterThan(25);
  });

  it('are refused where servers ask each other as a user by name: BI users would see a part', async () => {
    for (const index of [0, 1]) {
      const local = open(index, 'profit_local');
      await local.command("CREATE OR REPLACE VIEW profit_local.signed_in AS SELECT 'by_name' AS user");
    }
    expect(await failure({}))
      .to.be.instanceOf(ClusterError)
      .with.property('message')
      .that.matches(/asks other servers of "shards" as a user by name: give "shards" a <secret>/);
    for (const index of [0, 1]) await open(index, 'profit_local').command('DROP VIEW profit_local.signed_in');
    expect(await migrate()).to.deep.equal([]);
  });

  it('have to be done on every server before a service uses them', async () => {
    const shards = { cluster: 'shards', nodes: nodes(), replicas: 1, database: 'profit' };
    await guardShards(shards);
    const second = open(1, 'profit_local');
    await second.insert('schema_migrations', [{ name: '999_later.sql', checksum: 'x' }]);
    expect(await guardShards(shards).catch((error: unknown) => error))
      .to.be.instanceOf(ClusterError)
      .with.property('message', 'the servers of "shards" do not have one schema: run profit migrate');
  });

  it('are refused where rows were stored for another number of shards', async () => {
    const second = open(1, 'profit_local');
    await second.insert('schema_migrations', [
      { name: 'shard', checksum: '2 of 3', applied_at: '2100-01-01 00:00:00' },
    ]);
    expect(await failure({}))
      .to.be.instanceOf(ClusterError)
      .with.property('message')
      .that.matches(/has the rows of shard 2 of 3, but is shard 2 of 2: name the shards that its rows were stored for/);
  });
});

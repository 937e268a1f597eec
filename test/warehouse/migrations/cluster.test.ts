import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runMigrate } from '../../../src/cli/commands/migrate.js';
import { loadConfig } from '../../../src/config.js';
import { startClickHouse, type RunningClickHouse } from '../../../src/embedded/engines/clickhouse.js';
import { createWarehouse } from '../../../src/warehouse/client.js';
import { ClusterError, requireOneShard } from '../../../src/warehouse/migrations/cluster.js';
import { quietLog } from '../../support/engines.js';

const node = (nativePort: number) => ({ host: '127.0.0.1', nativePort });

describe('a cluster of ClickHouse', () => {
  let folder: string;
  let clickhouse: RunningClickHouse;
  let url: URL;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'profit-cluster-'));
    const clusters = { secret: 's', shards: { replicas: [[node(1), node(2)]], shards: [[node(1)], [node(2)]] } };
    clickhouse = await startClickHouse({ dataDir: folder, log: quietLog, clusters });
    url = new URL(clickhouse.url);
    url.username = clickhouse.username;
    url.password = clickhouse.password;
  });
  after(async () => {
    await clickhouse.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const migrateOn = (cluster: string) =>
    runMigrate(loadConfig({ CLICKHOUSE_URL: url.href, CLICKHOUSE_CLUSTER: cluster, DATA_DIR: folder })).catch(
      (error: unknown) => error,
    );

  it('of one shard is taken, with the number of its replicas', async () => {
    const warehouse = createWarehouse({ url: url.href, database: 'system' });
    try {
      await requireOneShard(warehouse, 'replicas', 2);
      const error: unknown = await requireOneShard(warehouse, 'replicas', 1).catch((failure: unknown) => failure);
      expect(error)
        .to.be.instanceOf(ClusterError)
        .with.property('message')
        .that.contains('"replicas" has 2 servers, but CLICKHOUSE_REPLICAS is 1');
    } finally {
      await warehouse.close();
    }
  });

  it('of two shards is refused by the migrations, before anything is made', async () => {
    const error = await migrateOn('shards');
    expect(error).to.be.instanceOf(ClusterError).with.property('message').that.contains('has 2 shards');
    const warehouse = createWarehouse({ url: url.href, database: 'system' });
    try {
      expect(await warehouse.query("SELECT name FROM databases WHERE name IN ('profit', 'bi')")).to.deep.equal([]);
    } finally {
      await warehouse.close();
    }
  });

  it('of replicas has each write on all of them before it is answered', async () => {
    const quorumOf = async (replicas: number): Promise<unknown> => {
      const warehouse = createWarehouse({ url: url.href, database: 'system', replicas });
      try {
        return await warehouse.query("SELECT toString(getSetting('insert_quorum')) AS quorum");
      } finally {
        await warehouse.close();
      }
    };
    expect(await quorumOf(1)).to.deep.equal([{ quorum: '0' }]);
    expect(await quorumOf(3)).to.deep.equal([{ quorum: '3' }]);
  });

  it('is refused by name if the server does not know it', async () => {
    const error = await migrateOn('missing');
    expect(error).to.be.instanceOf(ClusterError).with.property('message').that.contains('no cluster "missing"');
  });
});

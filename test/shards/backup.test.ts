import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { runBackup } from '../../src/cli/backup/backup.js';
import { runRestore } from '../../src/cli/backup/restore.js';
import { connectWorker } from '../../src/redis/redis.js';
import { openRowServers } from '../../src/warehouse/cluster/row-servers.js';
import { deploy, reads, readsThen, SOURCE, USERS, viewQueries, type Deployment } from '../support/deployments.js';
import { startEngines, startShardedEngines, type Engines } from '../support/engines.js';
import { shardRecords } from '../support/shard-records.js';
import type { Service } from '../support/service.js';

const start = (shards: number): Promise<Engines> =>
  shards === 1 ? startEngines(USERS) : startShardedEngines(shards, USERS);

/** Runs a backup or a restore of a service. */
async function withServers<T>(
  { config }: Service,
  work: (options: Omit<Parameters<typeof runBackup>[1], 'folder'>) => Promise<T>,
): Promise<T> {
  const servers = await openRowServers(config, { waitMs: 60_000 });
  const redis = connectWorker({ url: config.redisUrl ?? '' });
  const stderr = new PassThrough().resume();
  try {
    return await work({ servers, redisOf: () => redis, stderr, signal: new AbortController().signal });
  } finally {
    redis.disconnect();
    await servers.close();
  }
}

describe('a backup of shards', () => {
  const records = shardRecords(20_261_122, Date.now());
  const moments: string[] = [];
  let folder: string;
  let started: Engines[] = [];
  let origin: Deployment & { keys: { secret: string; pixel: string } };
  let deployed: Deployment[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'profit-backup-'));
    started = [await start(2)];
    for (const engines of started) origin = await deploy(engines);
    deployed = [origin];
    expect(await origin.call('PUT', '/v1/source', SOURCE)).to.match(/^200 /);
    for (const phase of records.phases) {
      for (const push of phase) await origin.push(push);
      await origin.service.settled();
      moments.push(new Date().toISOString());
    }
  });
  after(async () => {
    await Promise.all(deployed.map((one) => one.stop()));
    await Promise.all(started.map((engines) => engines.stop()));
    await rm(folder, { recursive: true, force: true });
  });

  const backup = (from: Deployment, to: string) =>
    withServers(from.service, (options) => runBackup(from.service.stores, { ...options, folder: join(folder, to) }));

  async function restore(from: string, shards: number): Promise<Deployment> {
    const engines = await start(shards);
    started.push(engines);
    const to = await deploy(engines, origin.keys);
    deployed.push(to);
    const { stores, deps } = to.service;
    await withServers(to.service, (options) =>
      runRestore(stores, { ...options, folder: join(folder, from), producer: deps.producer }),
    );
    await to.service.settled();
    return to;
  }

  async function expectSame(other: Deployment): Promise<void> {
    for (const path of [...reads(records), ...moments.flatMap((moment) => readsThen(records, moment))]) {
      const [one, two] = await Promise.all([origin, other].map(({ call }) => call('GET', path)));
      expect(one, path).to.match(/^200 /);
      expect(two, path).to.equal(one);
    }
    for (const [name, sql] of await viewQueries({ past: {}, without: [] })) {
      const [one = [], two] = await Promise.all([origin, other].map(({ analyst }) => analyst(sql)));
      expect(one.length, name).to.be.greaterThan(0);
      expect(two, name).to.deep.equal(one);
    }
  }

  it('brings every answer, of now and of then, into as many shards', async () => {
    await backup(origin, 'two');
    await expectSame(await restore('two', 2));
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { runBackup } from '../../src/cli/backup/backup.js';
import { runRestore } from '../../src/cli/backup/restore.js';
import { connectWorker } from '../../src/redis/redis.js';
import { openRowServers } from '../../src/warehouse/cluster/row-servers.js';
import { guardRestore, readRestoreState, RestoreUnderWayError } from '../../src/redis/restore-state.js';
import { allAnswers, deploy, pushAll, USERS, type Deployment, type Keys } from '../support/deployments.js';
import { startEngines, startShardedEngines, type Engines } from '../support/engines.js';
import { shardRecords } from '../support/shard-records.js';
import type { Service } from '../support/service.js';

/** The ten days from a day on. */
const daysOf = (from: string): string[] =>
  Array.from({ length: 10 }, (_, i) => new Date(Date.parse(from) + i * 86_400_000).toISOString().slice(0, 10));

const start = (shards: number, replicas = 1): Promise<Engines> =>
  shards * replicas === 1 ? startEngines(USERS) : startShardedEngines(shards, USERS, {}, replicas);

/** Runs a backup or a restore of a service. */
async function withServers<T>(
  { config }: Service,
  work: (options: Omit<Parameters<typeof runBackup>[1], 'folder'>) => Promise<T>,
): Promise<T> {
  const servers = await openRowServers(config, { waitMs: 60_000 });
  const redis = connectWorker({ url: config.redisUrl ?? '' });
  const stderr = new PassThrough().resume();
  try {
    return await work({
      servers,
      redisOf: () => redis,
      eventsHome: 'shared',
      stderr,
      signal: new AbortController().signal,
    });
  } finally {
    redis.disconnect();
    await servers.close();
  }
}

describe('a backup that is restored into another number of shards', () => {
  const records = shardRecords(20_261_122, Date.now());
  const moments: string[] = [];
  let folder: string;
  /** Those that run, with their engines. */
  const running = new Map<Deployment, Engines>();
  let origin: Deployment & { keys: Keys };
  const run = async (shards: number, keys?: Keys, replicas = 1) => {
    const engines = await start(shards, replicas);
    try {
      const deployment = await deploy(engines, keys);
      running.set(deployment, engines);
      return deployment;
    } catch (error) {
      await engines.stop();
      throw error;
    }
  };
  /** What nobody asks any more gives its memory back: every shard is an engine. */
  const end = async (deployment: Deployment): Promise<void> => {
    const engines = running.get(deployment);
    running.delete(deployment);
    await deployment.stop();
    await engines?.stop();
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'profit-backup-'));
    origin = await run(1);
    moments.push(...(await pushAll(origin, records)));
  });
  after(async () => {
    await Promise.all([...running.keys()].map(end));
    await rm(folder, { recursive: true, force: true });
  });

  const backup = (from: Deployment, to: string) =>
    withServers(from.service, (options) => runBackup(from.service.stores, { ...options, folder: join(folder, to) }));

  async function restore(from: string, shards: number, keys = origin.keys): Promise<Deployment> {
    const to = await run(shards, keys);
    const { stores, deps, config } = to.service;
    const { redis } = stores;
    const load = (signal: AbortSignal) =>
      withServers(to.service, (options) =>
        runRestore(stores, { ...options, signal, folder: join(folder, from), producer: deps.producer }),
      );
    // Cut off once, while rows are loaded.
    const cut = new AbortController();
    const attempt = { isOver: false };
    const first = load(cut.signal).then(
      () => 'restored',
      () => 'cut off',
    );
    void first.then(() => (attempt.isOver = true));
    while (!attempt.isOver && (await readRestoreState(redis)) === null) await sleep(5);
    cut.abort();
    expect(await first).to.equal('cut off');
    const server = { url: config.redisUrl ?? '', sentinels: config.redisSentinels };
    expect(await guardRestore(server).catch((error: unknown) => error)).to.be.instanceOf(RestoreUnderWayError);
    await load(new AbortController().signal);
    await guardRestore(server);
    await to.service.settled();
    return to;
  }

  const answersOf = (of: Deployment) => allAnswers(of, records, moments);

  let expected = new Map<string, unknown>();
  let last: Deployment;

  it('is made of a deployment that answers all that is asked', async () => {
    expected = await answersOf(origin);
    for (const [path, answer] of expected) {
      if (path.startsWith('/')) expect(answer, path).to.match(/^200 /);
      else expect(answer, path).to.have.property('length').that.is.greaterThan(0);
    }
    last = origin;
  });

  const moves = (shards: number): void => {
    it(`brings every answer, of now and of then, into ${shards}, and one that is cut off is gone on with`, async () => {
      const [name, from] = [`before ${shards}`, last];
      await backup(from, name);
      last = await restore(name, shards);
      for (const [path, answer] of await answersOf(last)) expect(answer, path).to.deep.equal(expected.get(path));
      await end(from);
    });
  };
  moves(2);

  it('leaves the past alone when a day is computed again and is found the same', async () => {
    const path = `/v1/restatements?from=${records.from}&to=${records.to}`;
    const before = await last.call('GET', path);
    await last.service.stores.dirtyDays.mark('fresh', new Map([['same-shop', daysOf(records.from)]]));
    await last.service.settled();
    expect(await last.call('GET', path)).to.equal(before);
  });

  moves(3);
  moves(1);

  it('of shards of two servers each has their rows once', async () => {
    const replicated = await run(2, undefined, 2);
    const then = await pushAll(replicated, records);
    const found = await allAnswers(replicated, records, then);
    await backup(replicated, 'replicated');
    const restored = await restore('replicated', 2, replicated.keys);
    for (const [path, answer] of await allAnswers(restored, records, then)) {
      // Of changes on two shards, milliseconds apart by the clock of each server, either may be told first.
      if (path !== 'restatements') expect(answer, path).to.deep.equal(found.get(path));
    }
    await Promise.all([end(replicated), end(restored)]);
  });
});

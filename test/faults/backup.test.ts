import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { runBackup } from '../../src/cli/backup/backup.js';
import { runRestore } from '../../src/cli/backup/restore.js';
import { runVerify } from '../../src/cli/backup/verify.js';
import { eventQueuePlace } from '../../src/composition/stores.js';
import { startRedis, type RunningRedis } from '../../src/embedded/engines/redis.js';
import { jobKey, type QueueName } from '../../src/queue/jobs.js';
import { connectWorker } from '../../src/redis/redis.js';
import { openRowServers, type RowServers } from '../../src/warehouse/cluster/row-servers.js';
import { createBiUsers } from '../../src/warehouse/bi/users.js';
import { storedDays } from '../../src/warehouse/queries/rollups.js';
import { quietLog, startEngines, type Engines } from '../support/engines.js';
import { environmentOf, startService, type Service, type Shop } from '../support/service.js';
import { answersOf, ordersOf, pushAll, viewsOf } from '../support/whole-shop.js';

const DEAD_LETTERS_OF: readonly QueueName[] = ['spend', 'events'];
const silent = (): PassThrough => new PassThrough().resume();

describe('backup and restore', function () {
  this.timeout(600_000);
  let folder: string;
  let first: Engines;
  let second: Engines;
  /** Each deployment has one for its events. */
  let eventsRedis: RunningRedis[];
  let source: Service;
  let target: Service;

  const connections: Redis[] = [];
  const connect = (url = ''): Redis => {
    const connection = connectWorker({ url });
    connections.push(connection);
    return connection;
  };
  const opened: RowServers[] = [];
  const common = async (service: Service) => {
    const { config } = service;
    const servers = await openRowServers(config, { waitMs: 60_000 });
    opened.push(servers);
    const [main, events] = [connect(config.redisUrl), connect(config.eventsRedisUrl)];
    return {
      servers,
      folder: join(folder, 'backup'),
      stderr: silent(),
      eventQueuePlace: eventQueuePlace(config),
      redisOf: (queue: QueueName) => (queue === 'events' ? events : main),
      signal: new AbortController().signal,
    };
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'profit-backup-'));
    [first, second] = await Promise.all([startEngines(), startEngines()]);
    const start = (name: string) => startRedis({ dataDir: join(folder, name), log: quietLog });
    eventsRedis = await Promise.all([start('source'), start('target')]);
    const [here, there] = eventsRedis.map(({ url }) => ({ EVENTS_REDIS_URL: url }));
    source = await startService({ base: { ...(await environmentOf(first)), ...here }, workers: false });
    target = await startService({ base: { ...(await environmentOf(second)), ...there } });
  });
  after(async () => {
    for (const connection of connections) connection.disconnect();
    await Promise.all(opened.map((servers) => servers.close()));
    await Promise.all([source.stop(), target.stop()]);
    await Promise.all([first, second, ...eventsRedis].map((one) => one.stop()));
    await rm(folder, { recursive: true, force: true });
  });

  it('brings every figure, job, key and setting into a new deployment while pushes go on', async () => {
    const workers = source.startWorkers();
    const shops: Shop[] = [await source.shop(), await source.shop({ timezone: 'America/New_York' })];
    const busy = await source.shop();
    for (const shop of shops) await pushAll(source, shop, 0);
    await createBiUsers(source.stores.warehouse, 'profit').bind('profit', shops[0]?.id ?? '');
    await source.settled();
    const asOf = new Date().toISOString();
    // What comes now waits in the queues, but for a dead letter.
    await workers.stop();
    for (const shop of shops) await pushAll(source, shop, 17);
    const options = await common(source);
    for (const queue of DEAD_LETTERS_OF) {
      const redis = options.redisOf(queue);
      await redis.hset(jobKey(queue, 'dead'), {
        name: queue,
        opts: '{}',
        failedReason: 'Type mismatch',
        timestamp: '1',
        data: JSON.stringify({ schema: 1, pushes: [], rows: 'AAAA' }),
      });
      await redis.zadd(`bull:${queue}:failed`, 1_700_000_000_000, 'dead');
    }
    // Its events wait until the backup is made, whatever the workers do.
    const events = new Queue('events', { connection: options.redisOf('events') });
    await events.pause();

    source.startWorkers();
    let pushed = 0;
    const backup = { isUnderWay: true };
    const load = (async () => {
      for (; backup.isUnderWay; pushed += 2) {
        await busy.call('POST', '/v1/orders', { orders: ordersOf(pushed, pushed + 2) });
        await sleep(50);
      }
    })();
    const manifest = await runBackup(source.stores, options).finally(() => (backup.isUnderWay = false));
    await load;
    await events.resume();
    expect(manifest.queues.find(({ name }) => name === 'events'))
      .to.have.property('entries')
      .that.is.at.least(shops.length);
    expect(manifest.tables.find(({ name }) => name === 'orders'))
      .to.have.property('rows')
      .that.is.not.equal('0');

    const restored = await common(target);
    await runRestore(target.stores, { ...restored, producer: target.deps.producer });
    const lines: string[] = [];
    const verified = await runVerify(target.stores, { ...restored, print: (line) => lines.push(line) });
    expect(verified, lines.join('\n')).to.include({ differences: 0, behind: 0 });
    const [day] = await storedDays(target.stores.warehouse, {});
    const ofDay = await runVerify(target.stores, {
      ...restored,
      print: String,
      from: day?.day ?? '',
      to: day?.day ?? '',
    });
    expect(ofDay.days).to.be.within(1, verified.days - 1);
    await source.settled();
    for (const shop of shops)
      expect(await answersOf(target, shop, asOf)).to.deep.equal(await answersOf(source, shop, asOf));
    const [there, here] = [await viewsOf(target.stores.warehouse), await viewsOf(source.stores.warehouse)];
    for (const view of Object.keys(here)) expect(there[view], view).to.deep.equal(here[view]);
    const { body } = await target.call('GET', '/v1/orders?from=2026-01-01&to=2026-01-31', { key: busy.key });
    expect(body.orders.length, 'what was pushed meanwhile is there or not').to.be.at.most(pushed);
    for (const queue of DEAD_LETTERS_OF) {
      const score = await restored.redisOf(queue).zscore(`bull:${queue}:failed`, 'dead');
      expect(score, queue).to.equal('1700000000000');
    }
    // Workers look for events there too, which leaves two keys of theirs.
    const found = await target.stores.redis.keys('bull:events:*');
    const jobs = found.filter((key) => !['bull:events:meta', 'bull:events:stalled-check'].includes(key));
    expect(jobs, 'in the Redis of the other queues').to.deep.equal([]);
  });

  it('take no settings by which the queue of events would be left out', async () => {
    const home = { ...(await common(source)), folder: join(folder, 'other'), eventQueuePlace: 'shared' as const };
    const refusal = 'set EVENTS_REDIS_URL here as there';
    const producer = target.deps.producer;
    for (const refused of [
      runBackup(source.stores, home),
      runRestore(target.stores, { ...home, folder: join(folder, 'backup'), producer }),
    ]) {
      const said = await refused.then(
        () => 'done',
        (error: unknown) => String(error),
      );
      expect(said).to.include(refusal);
    }
  });
});

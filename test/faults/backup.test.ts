import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { runBackup } from '../../src/cli/backup/backup.js';
import { runRestore } from '../../src/cli/backup/restore.js';
import { runVerify } from '../../src/cli/backup/verify.js';
import { jobKey } from '../../src/queue/jobs.js';
import { connectWorker } from '../../src/redis/redis.js';
import { openRowServers, type RowServers } from '../../src/warehouse/cluster/row-servers.js';
import { createBiUsers } from '../../src/warehouse/bi/users.js';
import { startEngines, type Engines } from '../support/engines.js';
import { environmentOf, startService, type Service, type Shop } from '../support/service.js';
import { answersOf, ordersOf, pushAll, viewsOf } from '../support/whole-shop.js';

const silent = (): PassThrough => new PassThrough().resume();

describe('backup and restore', function () {
  this.timeout(600_000);
  let folder: string;
  let first: Engines;
  let second: Engines;
  let source: Service;
  let target: Service;

  const connections: ReturnType<typeof connectWorker>[] = [];
  const jobsOf = (service: Service) => {
    const connection = connectWorker({ url: service.config.redisUrl ?? '' });
    connections.push(connection);
    return connection;
  };
  const opened: RowServers[] = [];
  const common = async (service: Service) => {
    const servers = await openRowServers(service.config, { waitMs: 60_000 });
    opened.push(servers);
    return {
      ...{ servers, folder: join(folder, 'backup'), stderr: silent() },
      ...{ redisOf: () => jobsOf(service), signal: new AbortController().signal },
    };
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'profit-backup-'));
    [first, second] = await Promise.all([startEngines(), startEngines()]);
    source = await startService({ base: await environmentOf(first), workers: false });
    target = await startService({ base: await environmentOf(second) });
  });
  after(async () => {
    for (const connection of connections) connection.disconnect();
    await Promise.all(opened.map((servers) => servers.close()));
    await Promise.all([source.stop(), target.stop()]);
    await Promise.all([first.stop(), second.stop()]);
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
    await source.stores.redis.hset(jobKey('spend', 'dead'), {
      ...{ name: 'spend', opts: '{}', failedReason: 'Type mismatch', timestamp: '1' },
      data: JSON.stringify({ schema: 5, pushes: [], rows: 'AAAA' }),
    });
    await source.stores.redis.zadd('bull:spend:failed', 1_700_000_000_000, 'dead');

    source.startWorkers();
    const options = await common(source);
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
    expect(manifest.tables.find(({ name }) => name === 'orders'))
      .to.have.property('rows')
      .that.is.not.equal('0');

    await runRestore(target.stores, { ...(await common(target)), producer: target.deps.producer });
    const lines: string[] = [];
    const verified = await runVerify(target.stores, { ...(await common(target)), print: (line) => lines.push(line) });
    expect(verified, lines.join('\n')).to.include({ differences: 0, behind: 0 });
    await source.settled();
    for (const shop of shops)
      expect(await answersOf(target, shop, asOf)).to.deep.equal(await answersOf(source, shop, asOf));
    const [there, here] = [await viewsOf(target.stores.warehouse), await viewsOf(source.stores.warehouse)];
    for (const view of Object.keys(here)) expect(there[view], view).to.deep.equal(here[view]);
    const { body } = await target.call('GET', '/v1/orders?from=2026-01-01&to=2026-01-31', { key: busy.key });
    expect(body.orders.length, 'what was pushed meanwhile is there or not').to.be.at.most(pushed);
    expect(await target.stores.redis.zscore('bull:spend:failed', 'dead')).to.equal('1700000000000');
  });
});

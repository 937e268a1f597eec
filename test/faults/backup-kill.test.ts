import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { cp, mkdtemp, readdir, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { startEngines, type Engines } from '../support/engines.js';
import { environmentOf, startService, type Service, type Shop } from '../support/service.js';
import { answersOf, pushAll } from '../support/whole-shop.js';

const CLI = 'dist/src/cli/main.js';
const NOT_EMPTY = /^profit: this deployment is not empty \(ad_spend, /;

/** The command line as a process of its own, beside the service in this one. */
async function profit(args: string[], env: NodeJS.ProcessEnv): Promise<{ status: unknown; err: string }> {
  const child = spawn(process.execPath, [CLI, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [err, [status]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { status, err };
}

/** Starts a command and kills it as soon as the condition holds; where it ends first, that is as good. */
async function killedWhen(
  args: string[],
  env: NodeJS.ProcessEnv,
  isTime: () => Promise<boolean> | boolean,
): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [CLI, ...args], { env, stdio: 'ignore' });
  const exited = once(child, 'exit');
  try {
    while (child.exitCode === null && !(await isTime())) await sleep(10);
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}

describe('a backup and a restore that are killed', function () {
  this.timeout(600_000);
  let folder: string;
  let engines: Engines;
  let service: Service;
  let env: NodeJS.ProcessEnv;
  const shops: Shop[] = [];
  /** A whole one, after which nothing is pushed. */
  let whole: string;
  let asOf: string;
  let count = 0;
  const newFolder = (): string => join(folder, `backup-${++count}`);
  const has = (path: string): boolean => existsSync(path);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'profit-backup-'));
    engines = await startEngines();
    env = { PATH: process.env.PATH, DATA_DIR: folder, ...(await environmentOf(engines)) };
    service = await startService({ base: env });
    for (let i = 0; i < 2; i++) {
      const shop = await service.shop();
      shops.push(shop);
      await pushAll(service, shop, i);
    }
    await service.settled();
    asOf = new Date().toISOString();
  });
  after(async () => {
    await service.stop();
    await engines.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** In the order in which a backup comes to them: each gets past what the one before left behind. */
  const steps: Record<string, (to: string) => boolean> = {
    'before its folder is there': () => true,
    'while the queues are written': (to) => has(join(to, 'queues')),
    'while the tables are copied': (to) => has(join(to, 'state', 'rebuild_queue.ndjson.gz')),
    'while the tables are read': (to) => has(join(to, 'tables')),
    'near its end': (to) => has(join(to, 'tables', 'sources')),
    'as it is made whole': (to) => has(join(to, 'manifest.json.tmp')) || has(join(to, 'manifest.json')),
  };
  it('a backup killed at each step holds nobody up, is refused by a restore, and the next one comes farther', async () => {
    for (const [step, isTime] of Object.entries(steps)) {
      const to = newFolder();
      await killedWhen(['backup', to], env, () => isTime(to));
      expect(isTime(to), step).to.equal(true);
      const { status, err } = await profit(['restore', to], env);
      expect(status, step).to.equal(1);
      if (!has(join(to, 'manifest.json'))) {
        expect(err, step).to.match(
          /^profit: .* holds no whole backup: manifest\.json, which is written last, is not there\n$/,
        );
      }
      // Settings are refused until the hold of the killed process has ended, some seconds later.
      const rules = [{ payment_gateway: 'paypal', percent: '2.9', fixed: '0.30' }];
      while ((await shops[0]?.call('PUT', '/v1/costs/gateway-fees', { rules }))?.status === 503) await sleep(100);
      const shop = shops[count % shops.length];
      if (shop !== undefined) await pushAll(service, shop, 0);
      await service.settled();
    }
    whole = newFolder();
    expect(await profit(['backup', whole], env)).to.include({ status: 0 });
    for (const name of await readdir(whole)) {
      expect(statSync(join(whole, name)).mode & 0o077, name).to.equal(0);
    }
    const databases = await service.stores.warehouse.query<{ name: string }>(
      "SELECT name FROM system.databases WHERE name = 'profit_backup'",
    );
    expect(databases).to.deep.equal([]);
  });

  describe('into another deployment', () => {
    let fresh: Engines;
    let own: NodeJS.ProcessEnv;
    let target: Service;
    before(async () => {
      fresh = await startEngines();
      own = { PATH: process.env.PATH, DATA_DIR: folder, ...(await environmentOf(fresh)) };
      target = await startService({ base: own });
    });
    after(async () => {
      await target.stop();
      await fresh.stop();
    });

    it('a restore takes no file that is not what the backup wrote, and says which', async () => {
      const from = newFolder();
      await cp(whole, from, { recursive: true });
      const file = join(from, 'tables', 'orders', '000001.native.gz');
      await truncate(file, statSync(file).size - 1);
      const { status, err } = await profit(['restore', from], own);
      expect(status).to.equal(1);
      expect(err.trim().split('\n').at(-1)).to.equal(`profit: ${file} is damaged: it is not what the backup wrote`);
    });

    it('a restore killed at each step is run again and ends with every figure of the backup', async () => {
      const expected = await Promise.all(shops.map((shop) => answersOf(service, shop, asOf)));
      const { redis, warehouse } = target.stores;
      const step = async (name: string): Promise<boolean> => (await redis.hget('restore', 'step')) === name;
      const rowsIn = async (database: string, table: string): Promise<boolean> => {
        const [found] = await warehouse.query<{ rows: string }>(
          'SELECT sum(p.rows) AS rows FROM system.parts AS p WHERE p.database = {database:String} AND p.table = {table:String} AND p.active',
          { database, table },
        );
        return found?.rows !== '0';
      };
      for (const isTime of [
        () => step('tables'),
        () => rowsIn('profit_restore', 'sources'),
        () => rowsIn('profit', 'ad_spend'),
        () => rowsIn('profit', 'orders'),
        () => step('queues'),
        () => rowsIn('profit', 'api_keys'),
      ]) {
        await killedWhen(['restore', whole], own, isTime);
      }
      // The last one may have come to its end before it was killed.
      const last = await profit(['restore', whole, '--verify'], own);
      if (last.status !== 0) expect(last.err).to.match(NOT_EMPTY);
      await target.settled();
      const found = await Promise.all(shops.map((shop) => answersOf(target, shop, asOf)));
      expect(found).to.deep.equal(expected);
      expect((await profit(['restore', whole], own)).err).to.match(NOT_EMPTY);
    });
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { runBackup } from '../../src/cli/backup/backup.js';
import { readChain } from '../../src/cli/backup/chain.js';
import { readManifest, writeManifest, type Manifest } from '../../src/cli/backup/manifest.js';
import { idOfServers } from '../../src/composition/fenced-warehouse.js';
import { runRestore } from '../../src/cli/backup/restore.js';
import { createBiUsers } from '../../src/warehouse/bi/users.js';
import { contentOf, storedTables } from '../../src/warehouse/backup/tables.js';
import { startDeployment, type Deployment } from '../support/backup-deployment.js';
import type { Shop } from '../support/service.js';
import { answersOf, ordersOf, pushAll, viewsOf } from '../support/whole-shop.js';

const CLI = 'dist/src/cli/main.js';

/** The command line as a process of its own. */
async function profit(args: string[], env: NodeJS.ProcessEnv): Promise<{ status: unknown; out: string; err: string }> {
  const child = spawn(process.execPath, [CLI, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { status, out, err };
}

const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: unknown) => String(error),
  );

describe('backups in increments', function () {
  this.timeout(600_000);
  let folder: string;
  let source: Deployment;
  let target: Deployment;
  const shops: Shop[] = [];
  const at = (name: string): string => join(folder, name);
  const backUp = (to: string, since?: string): Promise<Manifest> =>
    runBackup(source.service.stores, {
      ...source.options,
      folder: at(to),
      ...(since !== undefined && { since: at(since) }),
    });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'profit-increments-'));
    [source, target] = await Promise.all([startDeployment(), startDeployment()]);
  });
  after(async () => {
    await Promise.all([source.stop(), target.stop()]);
    await rm(folder, { recursive: true, force: true });
  });

  it('bring every figure back, whatever changed between: edits, deletions, an erased customer, a merge', async () => {
    const { service, servers, env } = source;
    const { warehouse } = service.stores;
    const workers = service.startWorkers();
    for (let i = 0; i < 2; i++) shops.push(await service.shop());
    for (const shop of shops) await pushAll(service, shop, 0);
    const erased = { ...ordersOf(1, 2)[0], order_id: 'erased', customer: { id: 'somebody' } };
    const answer = await shops[0]?.call('POST', '/v1/orders', { orders: [erased] });
    expect(answer?.body).to.include({ accepted: 1 });
    await createBiUsers(warehouse, 'profit').bind('profit', shops[0]?.id ?? '');
    await service.settled();
    expect((await profit(['backup', at('first')], env)).err).to.not.match(/profit:/);

    for (const shop of shops) await pushAll(service, shop, 17);
    await service.settled();
    for (const table of ['orders', 'order_facts'])
      await warehouse.command(`ALTER TABLE ${table} DELETE WHERE customer_id = 'somebody' SETTINGS mutations_sync = 2`);
    const tables = await storedTables(warehouse, 'profit');
    for (const { name } of tables) await warehouse.command(`OPTIMIZE TABLE ${name} FINAL`);
    const second = await profit(['backup', at('second'), '--since', at('first')], env);
    expect(second.out, second.err).to.match(/jobs are in .*second, an increment of first\n$/);

    const asOf = new Date().toISOString();
    await workers.stop();
    // These wait in the queues.
    for (const shop of shops) await pushAll(service, shop, 3);
    const third = await backUp('third', 'second');
    expect(third.queues.reduce((sum, { entries }) => sum + entries, 0)).to.be.at.least(4);
    const contents = await Promise.all(tables.map((table) => contentOf(warehouse, 'profit', table)));

    const { producer } = target.service.deps;
    await runRestore(target.service.stores, { ...target.options, producer, folder: at('third') });
    const there = target.service.stores.warehouse;
    for (const [i, table] of tables.entries())
      expect(await contentOf(there, 'profit', table), table.name).to.deep.equal(contents[i]);
    expect(servers.rows).to.equal(target.servers.rows);
    for (const table of ['orders', 'order_facts'])
      expect(await there.query(`SELECT count() AS n FROM ${table} WHERE customer_id = 'somebody'`)).to.deep.equal([
        { n: '0' },
      ]);
    service.startWorkers();
    target.service.startWorkers();
    await Promise.all([service.settled(), target.service.settled()]);
    for (const shop of shops) {
      const [restored, expected] = [target, source].map((one) => answersOf(one.service, shop, asOf));
      const found = (await restored) ?? {};
      for (const [path, answer] of Object.entries((await expected) ?? {}))
        expect(found[path], path).to.deep.equal(answer);
    }
    expect(await viewsOf(there)).to.deep.equal(await viewsOf(warehouse));
  });

  it('that are killed are no backup, and leave the next one nothing to do', async () => {
    const child = spawn(process.execPath, [CLI, 'backup', at('killed'), '--since', at('third')], {
      env: source.env,
      stdio: 'ignore',
    });
    const exited = once(child, 'exit');
    while (child.exitCode === null && !existsSync(at('killed/state'))) await sleep(10);
    child.kill('SIGKILL');
    await exited;
    expect(await refusalOf(readChain(at('killed')))).to.match(/killed holds no whole backup/);
    const next = await profit(['backup', at('fourth'), '--since', at('third')], source.env);
    expect(next.status, next.err).to.equal(0);
    expect(
      await source.service.stores.warehouse.query("SELECT name FROM system.databases WHERE name LIKE '%backup%'"),
    ).to.deep.equal([]);
  });

  it('are refused where a backup before them is missing, changed or damaged, and found under another name', async () => {
    await rename(at('first'), at('renamed'));
    // Beside it lies what is no backup and can't be read as one.
    await mkdir(at('another/manifest.json'), { recursive: true });
    expect((await readChain(at('third'))).map(({ folder: own }) => own)).to.deep.equal(
      ['renamed', 'second', 'third'].map(at),
    );
    const manifest = at('renamed/manifest.json');
    const bytes = await readFile(manifest, 'utf8');
    await writeFile(manifest, bytes.replace('"release": "', '"release": "9'));
    expect(await refusalOf(readChain(at('third')))).to.match(/renamed\/manifest\.json is not what it was when/);
    await writeFile(manifest, bytes);
    await rename(at('renamed'), join(folder, '..', 'away'));
    const { status, err } = await profit(['restore', at('third')], target.env);
    expect(status).to.equal(1);
    expect(err).to.match(/second is an increment of the backup "first", which is not beside it: put that into /);
    await rename(join(folder, '..', 'away'), at('first'));
    await rm(at('first/lists/orders/000001.native.gz'));
    expect(await refusalOf(backUp('fifth', 'third'))).to.match(/first\/lists\/orders\/000001\.native\.gz is damaged/);
  });

  it('are not made of another deployment, of another folder, or of what is from before an upgrade', async () => {
    const { stores } = target.service;
    const common = { ...target.options, since: at('first') };
    expect(await refusalOf(runBackup(stores, { ...common, folder: at('x') }))).to.match(
      /first is of another deployment: without --since all of this one is written/,
    );
    expect(await refusalOf(runBackup(stores, { ...common, folder: at('deeper/x') }))).to.match(
      /an increment lies beside its base/,
    );
    await mkdir(at('old'));
    const old = { ...(await readManifest(at('first'))), deployment: await idOfServers(target.servers) };
    await writeManifest(at('old'), { ...old, migrations: {}, tables: [], queues: [], state: [] });
    const why: string[] = [];
    const whole = await runBackup(stores, {
      ...common,
      folder: at('x'),
      since: at('old'),
      onWhole: (reason) => why.push(reason),
    });
    expect(why).to.deep.equal(['old is of other tables, from before an upgrade']);
    expect(whole).to.not.have.property('base');
    expect(await readManifest(at('x'))).to.deep.equal(whole);
  });
});

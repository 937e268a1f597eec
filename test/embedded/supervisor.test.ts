import { readFileSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { ticketLifetime } from '../../src/console/server/ticket.js';
import { changeBiUsers, takeAccount } from '../../src/embedded/engines/bi-users.js';
import { clickHouseQuery } from '../../src/embedded/engines/clickhouse-query.js';
import { readRuntime, type Runtime } from '../../src/embedded/supervisor/runtime.js';
import { startEngines } from '../support/engines.js';
import {
  allProcesses,
  environmentOf,
  isAlive,
  processesOf,
  runScript,
  until,
  withFolder,
  type Script,
} from './processes.js';

const pidsOf = (at: Runtime): number[] =>
  [at.pid, at.api.pid, at.worker.pid, at.bi?.pid, at.clickhouse.pid, at.redis.pid].filter((pid) => pid !== undefined);

async function ready(service: Script, folder: string): Promise<Runtime> {
  await until(
    'the service is ready',
    () => {
      if (!isAlive(service.pid)) throw new Error(`the supervisor ended: ${service.output()}`);
      return service.output().includes('Ready at');
    },
    180_000,
  );
  return until('runtime.json is there', () => readRuntime(folder));
}

const start = (folder: string, env: Record<string, string> = {}, ...args: string[]) =>
  runScript('start.mjs', { DATA_DIR: folder, PORT: '0', ...env }, ...args);

/** A started service that is stopped, and its folder removed, after `use`. */
const withService = (use: (at: Runtime, folder: string, service: Script) => Promise<void>, env = {}) =>
  withFolder(async (folder) => {
    const service = start(folder, env);
    try {
      await use(await ready(service, folder), folder, service);
    } finally {
      service.process.kill('SIGTERM');
      await service.exited;
    }
    expect(processesOf(folder)).to.deep.equal([]);
  });

const ask = async (url: string) => (await (await fetch(url)).json()) as Record<string, string>;

describe('supervisor', function () {
  this.timeout(600_000);

  it('starts the tree, says where it is, and Ctrl-C ends all of it', () =>
    withFolder(async (folder) => {
      const service = start(folder);
      const at = await ready(service, folder);
      expect(service.output())
        .to.contain(at.url)
        .and.contain('npm run --silent profit -- keys create --shop demo --kind secret')
        .and.contain(`${at.url}/developers`);
      expect(statSync(join(folder, 'runtime.json')).mode & 0o777).to.equal(0o600);
      const { CLICKHOUSE_URL, REDIS_URL, DATA_DIR, ADMIN_TOKEN, SECRETS_KEY } = await ask(at.url);
      expect({ CLICKHOUSE_URL, REDIS_URL, DATA_DIR }).to.deep.equal({
        CLICKHOUSE_URL: at.clickhouse.url,
        REDIS_URL: at.redis.url,
        DATA_DIR: folder,
      });
      expect(ADMIN_TOKEN).to.equal(readFileSync(join(folder, 'admin-token'), 'utf8').trim());
      expect(SECRETS_KEY).to.equal(readFileSync(join(folder, 'secrets-key'), 'utf8').trim());
      expect(statSync(join(folder, 'secrets-key')).mode & 0o777).to.equal(0o600);
      const ticket = /\/signin#ticket=(\S+)/.exec(service.output())?.[1] ?? '';
      expect(ticketLifetime(ADMIN_TOKEN ?? '', ticket, Date.now())).to.be.above(0);
      expect(service.output()).to.not.contain(ADMIN_TOKEN);

      const begun = Date.now();
      // The terminal's Ctrl-C reaches the supervisor, and npm passes the same one on.
      service.process.kill('SIGINT');
      service.process.kill('SIGINT');
      expect(await service.exited).to.equal(0);
      expect(Date.now() - begun).to.be.below(20_000);
      expect(pidsOf(at).filter(isAlive)).to.deep.equal([]);
      expect(processesOf(folder)).to.deep.equal([]);
      expect(readRuntime(folder)).to.equal(undefined);
    }));

  it('gives an ADMIN_TOKEN that is set to the API, and to no other child', () => {
    const token = 'x'.repeat(24);
    return withService(
      async (at, folder) => {
        expect((await ask(at.url)).ADMIN_TOKEN).to.equal(token);
        if (process.platform !== 'linux') return;
        const children = processesOf(folder).filter((pid) => pid !== at.pid);
        expect(children).to.include.members(pidsOf(at).filter((pid) => pid !== at.pid));
        const holders = children.filter((pid) => /ADMIN_TOKEN|x{24}/.test(environmentOf(pid)));
        expect(holders).to.deep.equal([at.api.pid]);
      },
      { ADMIN_TOKEN: token },
    );
  });

  it('starts each child again that is killed, at the same address', () =>
    withService(async (first, folder) => {
      for (const part of ['api', 'worker', 'redis', 'clickhouse', 'bi'] as const) {
        const before = first[part]?.pid ?? 0;
        process.kill(before, 'SIGKILL');
        const after = await until(`${part} is back`, () => {
          const now = readRuntime(folder);
          return now && now[part]?.pid !== before && isAlive(now[part]?.pid ?? 0) ? now : undefined;
        });
        expect(after.url).to.equal(first.url);
        expect(after.redis.url).to.equal(first.redis.url);
        expect(after.clickhouse.url).to.equal(first.clickhouse.url);
        expect(after.bi?.port).to.equal(first.bi?.port);
      }
      const ping = `http://127.0.0.1:${first.bi?.port ?? 0}/ping`;
      await until('the way of BI tools is open', async () => (await fetch(ping).catch(() => undefined))?.ok);
      await until('the API answers', () => ask(first.url).catch(() => undefined));
      const { username, password } = new URL(first.clickhouse.url);
      const url = `http://127.0.0.1:${first.clickhouse.httpPort ?? 0}`;
      expect(await clickHouseQuery({ url, username, password }, 'SELECT 1', 60_000)).to.equal('1');
    }));

  it('refuses a second start on the folder, and leaves the first alone', () =>
    withService(async (at, folder) => {
      const second = start(folder);
      expect(await second.exited).to.equal(1);
      expect(second.output()).to.contain('already runs').and.contain(`process ${at.pid}, ${at.url}`);
      expect(readRuntime(folder)).to.deep.equal(at);
      expect(pidsOf(at).every(isAlive)).to.equal(true);
    }));

  it('runs beside another one, with another folder and port', () =>
    withService((first) =>
      withService(async (second) => {
        expect((await ask(first.url)).DATA_DIR).not.to.equal((await ask(second.url)).DATA_DIR);
      }),
    ));

  it('takes everything with it when it is killed, and starts anew on the same ports', () =>
    withFolder(async (folder) => {
      const service = start(folder);
      const at = await ready(service, folder);
      service.process.kill('SIGKILL');
      await until('all are gone', () => !pidsOf(at).some(isAlive) && processesOf(folder).length === 0);
      expect(readRuntime(folder)).to.equal(undefined);

      const next = start(folder);
      const again = await ready(next, folder);
      expect(again.clickhouse.url).to.equal(at.clickhouse.url);
      expect(again.redis.url).to.equal(at.redis.url);
      next.process.kill('SIGINT');
      expect(await next.exited).to.equal(0);
    }));

  it('uses the servers of CLICKHOUSE_URL and REDIS_URL and starts none', async () => {
    const engines = await startEngines();
    const url = engines.clickhouse.url.replace('//', `//profit:${engines.clickhouse.password}@`);
    try {
      await withService(
        async (at) => {
          expect(at.clickhouse).to.deep.equal({ url });
          expect(at.redis).to.deep.equal({ url: engines.redis.url });
          const { CLICKHOUSE_URL, REDIS_URL } = await ask(at.url);
          expect([CLICKHOUSE_URL, REDIS_URL]).to.deep.equal([url, engines.redis.url]);
        },
        { CLICKHOUSE_URL: url, REDIS_URL: engines.redis.url },
      );
      expect([engines.clickhouse.pid, engines.redis.pid].every(isAlive)).to.equal(true);
    } finally {
      await engines.stop();
    }
  });

  it('says plainly that the port is taken', () =>
    withFolder(async (folder) => {
      const other = createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => other.once('listening', resolve));
      const { port } = other.address() as AddressInfo;
      const service = start(folder, { PORT: String(port) });
      expect(await service.exited).to.equal(1);
      expect(service.output()).to.contain(`port ${port} on 127.0.0.1 is taken by another program`);
      expect(processesOf(folder)).to.deep.equal([]);
      other.close();
    }));

  it('stops everything when the migrations fail, and says why', () =>
    withFolder(async (folder) => {
      const service = start(folder, {}, 'fail');
      expect(await service.exited).to.equal(1);
      expect(service.output()).to.contain('the migrations failed').and.contain('table is in the way');
      expect(processesOf(folder)).to.deep.equal([]);
    }));

  it('names every variable at fault', () =>
    withFolder(async (folder) => {
      const service = start(folder, { PORT: 'http', REDIS_PORT: '70000', CLICKHOUSE_URL: 'localhost' });
      expect(await service.exited).to.equal(1);
      for (const name of ['PORT must be', 'REDIS_PORT must be', 'CLICKHOUSE_URL must be']) {
        expect(service.output()).to.contain(name);
      }
    }));

  it('ends while it is still starting', () =>
    withFolder(async (folder) => {
      const service = start(folder);
      await until('the first engine is there', () =>
        allProcesses().some(({ pid, command }) => pid !== service.pid && command.includes(folder)),
      );
      service.process.kill('SIGINT');
      expect(await service.exited).to.equal(0);
      expect(processesOf(folder)).to.deep.equal([]);
    }));

  it('starts ClickHouse anew on SIGUSR2, with more accounts for BI users', () =>
    withService(async (at, folder) => {
      const url = `http://127.0.0.1:${at.bi?.port ?? 0}`;
      const query = () =>
        clickHouseQuery({ url, username: 'bi_new', password: 'secret' }, 'SELECT currentUser()', 60_000);
      while ((await takeAccount(folder)) !== undefined);
      // Analysts sign in to the database of the views, which the migrations make.
      const { username, password, origin } = new URL(at.clickhouse.url);
      await clickHouseQuery({ url: origin, username, password }, 'CREATE DATABASE bi', 30_000);
      process.kill(at.pid, 'SIGUSR2');
      const account = await until('there are accounts', () => takeAccount(folder));
      const passwordSha256 = '2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b';
      await changeBiUsers(folder, () => [{ name: 'bi_new', passwordSha256, account }]);
      expect(await until('the user is known', () => query().catch(() => undefined))).to.equal(account.name);
    }));
});

import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { accessLines, createBiUser, dropBiUser, listBiUsers, openBiUser } from '../../src/cli/commands/bi.js';
import { runMigrate } from '../../src/cli/commands/migrate.js';
import { loadConfig, type Config } from '../../src/config.js';
import { changeBiUsers, takeAccount } from '../../src/embedded/engines/bi-users.js';
import { PROXY_KEY_HEADER } from '../../src/embedded/engines/proxy-key.js';
import { clickHouseQuery } from '../../src/embedded/engines/clickhouse-query.js';
import { readRuntime } from '../../src/embedded/supervisor/runtime.js';
import {
  dropUserStatements,
  profileStatements,
  readerStatements,
  userStatements,
} from '../../src/warehouse/bi/access-sql.js';
import { runScript, until, withFolder } from '../embedded/processes.js';
import { startEngines } from '../support/engines.js';
import { textsBelow } from '../support/texts-below.js';

describe('users for BI tools', function () {
  this.timeout(600_000);

  it('are made and taken away beside the running service', () =>
    withFolder(async (folder) => {
      const service = runScript('start.mjs', { DATA_DIR: folder, PORT: '0' });
      try {
        await until('the service is ready', () => service.output().includes('Ready at'), 180_000);
        const runtime = await until('runtime.json is there', () => readRuntime(folder));
        const config: Config = loadConfig({ DATA_DIR: folder, CLICKHOUSE_URL: runtime.clickhouse.url });
        expect(await runMigrate(config)).to.include('bi.daily_metrics');
        expect(await runMigrate(config)).to.deep.equal([]);
        const engine = { url: new URL(runtime.clickhouse.url).origin, username: 'profit', password: '' };
        engine.password = new URL(runtime.clickhouse.url).password;
        await clickHouseQuery(
          engine,
          `INSERT INTO profit.daily_orders (shop_id, day, computed_at, sums) VALUES ('my-shop', '2026-01-01', 1, map('orders', 7)),
           ('other', '2026-01-01', 1, map('orders', 9))`,
          60_000,
        );

        const access = await createBiUser(config, { shop: 'my-shop' });
        expect(access).to.deep.include({
          host: '127.0.0.1',
          database: 'bi',
          httpPort: runtime.bi?.port,
          nativePort: null,
        });
        expect(access.user).to.match(/^bi_my_shop_[0-9a-f]{6}$/);
        expect(accessLines(access).map((line) => line.split(':')[0])).to.deep.equal([
          'host',
          'port',
          'database',
          'user',
          'password',
        ]);
        const second = await createBiUser(config, { shop: 'other', name: 'second' });
        const url = `http://127.0.0.1:${access.httpPort}`;
        const ask = (username: string, password: string, sql = 'SELECT orders FROM daily_metrics'): Promise<string> =>
          clickHouseQuery({ url, username, password }, sql, 60_000);
        expect(await ask(access.user, access.password)).to.equal('7');
        expect(await ask(second.user, second.password)).to.equal('9');
        expect(await listBiUsers(config)).to.deep.equal([
          { user: access.user, shop: 'my-shop', isClosed: false },
          { user: 'bi_second', shop: 'other', isClosed: false },
        ]);
        await changeBiUsers(folder, (users) => users.map((user) => ({ ...user, closed: user.name === 'bi_second' })));
        expect((await listBiUsers(config)).map(({ isClosed }) => isClosed)).to.deep.equal([false, true]);
        const closed = await ask('bi_second', second.password).catch((error: unknown) => (error as Error).message);
        expect(closed).to.contain('open-user');
        await openBiUser(config, 'bi_second');
        expect(await ask('bi_second', second.password)).to.equal('9');
        const again = await openBiUser(config, 'bi_second').catch((error: unknown) => (error as Error).message);
        expect(again).to.equal('there is no closed user bi_second');
        expect((await textsBelow(folder)).filter((text) => text.includes(access.password))).to.deep.equal([]);

        const long = ask(
          'bi_second',
          second.password,
          'SELECT sum(sleepEachRow(1)) FROM numbers(50) SETTINGS max_block_size = 1',
        );
        const running = "SELECT count() FROM system.processes WHERE query LIKE 'SELECT sum(sleepEachRow%'";
        await until('a query of it runs', async () => (await clickHouseQuery(engine, running, 60_000)) === '1');
        await dropBiUser(config, 'bi_second');
        expect(await long.catch((error: unknown) => (error as Error).message)).to.include('QUERY_WAS_CANCELLED');
        const gone = await ask('bi_second', second.password).catch((error: unknown) => (error as Error).message);
        expect(gone).to.include('AUTHENTICATION_FAILED');
        expect(await ask(access.user, access.password)).to.equal('7');
        const pid = () => readRuntime(folder)?.clickhouse.pid;
        expect(pid(), 'the engine of the start').to.equal(runtime.clickhouse.pid);

        let spares = 0;
        while ((await takeAccount(folder)) !== undefined) spares++;
        expect(spares).to.equal(18);
        const third = await createBiUser(config, { shop: 'other', name: 'third' });
        expect(pid(), 'the engine with more accounts').not.to.equal(runtime.clickhouse.pid);
        expect(await ask(third.user, third.password)).to.equal('9');
        expect(await ask(access.user, access.password)).to.equal('7');
        for (const [options, message] of [
          [{ shop: 'not a shop' }, 'a shop id has'],
          [{ shop: 's', name: 'a"b' }, '--name takes'],
          [{ shop: 's', name: 'reader' }, 'owner of the views'],
          [{ shop: 's', name: access.user.slice(3) }, 'already'],
        ] as const) {
          const refusal = await createBiUser(config, options).catch((error: unknown) => (error as Error).message);
          expect(refusal).to.contain(message);
        }
      } finally {
        service.process.kill('SIGTERM');
        await service.exited;
      }
    }));

  it('on a server come by SQL that the engine takes, up to the storage of users that the embedded one has not', async () => {
    const password = 'admin';
    const passwordSha256 = createHash('sha256').update(password).digest('hex');
    const grants = ['GRANT ALL ON *.* WITH GRANT OPTION'];
    const engines = await startEngines([{ name: 'admin', passwordSha256, grants }]);
    try {
      const { url, proxyKey } = engines.clickhouse;
      const headers = { [PROXY_KEY_HEADER]: proxyKey, 'X-ClickHouse-User': 'admin', 'X-ClickHouse-Key': password };
      const ask = async (sql: string) => (await fetch(url, { method: 'POST', headers, body: sql })).text();
      const names = (await ask("SELECT name FROM system.settings WHERE alias_for = ''")).trim().split('\n');
      const user = { name: 'bi_x', passwordSha256 };
      const statements = [
        ...profileStatements(names),
        ...readerStatements({ database: 'profit' }),
        ...userStatements(user),
        ...profileStatements(names, { isSharded: true }),
        ...readerStatements({ database: 'profit_local', isSharded: true }),
        ...userStatements(user, { isSharded: true }),
        ...dropUserStatements('bi_x'),
      ];
      expect(statements.length).to.be.greaterThan(30);
      for (const statement of statements) {
        const answer = await ask(statement);
        expect(answer, statement.slice(0, 200)).to.match(
          /^$|ACCESS_STORAGE_FOR_INSERTION_NOT_FOUND|ACCESS_ENTITY_NOT_FOUND|ACCESS_STORAGE_READONLY|There is no /,
        );
        expect(answer).not.to.match(/SYNTAX_ERROR|UNKNOWN_SETTING/);
      }
    } finally {
      await engines.stop();
    }
  });
});

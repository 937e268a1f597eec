import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { PROXY_KEY_HEADER } from '../../src/embedded/engines/proxy-key.js';
import { clickHouseQuery } from '../../src/embedded/engines/clickhouse-query.js';
import type { ClickHouseUser } from '../../src/embedded/engines/clickhouse-users.js';
import { readKnownSettings } from '../../src/embedded/engines/known-settings.js';
import { startClickHouse, type RunningClickHouse } from '../../src/embedded/engines/clickhouse.js';
import { startRedis } from '../../src/embedded/engines/redis.js';
import { askRedis } from '../../src/redis/one-connection.js';
import { quietLog, startEngines } from '../support/engines.js';
import { isAlive, until, withFolder } from './processes.js';

const run = (at: RunningClickHouse, sql: string) => clickHouseQuery(at, sql, 60_000);
/** Another user, past the first door: with the key of the proxy. */
const as = (at: RunningClickHouse, username: string, password: string) => async (sql: string) => {
  const headers = { [PROXY_KEY_HEADER]: at.proxyKey, 'X-ClickHouse-User': username, 'X-ClickHouse-Key': password };
  const answer = await fetch(at.url, { method: 'POST', headers, body: sql });
  const text = (await answer.text()).trim();
  if (answer.status !== 200) throw new Error(text);
  return text;
};
/** The messages of an error and its causes; an answer is none. */
const refusal = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => 'no refusal',
    (error: unknown) => {
      const { message, cause } = error as Error;
      return cause instanceof Error ? `${message}: ${cause.message}` : message;
    },
  );

describe('embedded engines', () => {
  it('start, take writes, and end without leaving a process', async () => {
    const engines = await startEngines();
    const { clickhouse, redis } = engines;
    expect(await run(clickhouse, 'SELECT version()')).to.match(/^26\./);
    expect(await run(clickhouse, 'SELECT timezone()')).to.equal('UTC');
    expect(await run(clickhouse, "SELECT toDecimal64('1.10', 6) AS m FORMAT JSONEachRow")).to.equal('{"m":"1.1"}');
    expect(await askRedis(redis, (state) => state.set('a', '1'), 60_000)).to.equal('OK');
    // So that another folder starts once, also with BI users.
    expect(await readKnownSettings('no folder'))
      .to.include('max_threads')
      .and.not.include('');
    await engines.stop();
    expect([clickhouse.pid, redis.pid].filter(isAlive)).to.deep.equal([]);
  });

  it('keep data, ports and passwords over a restart and over kill -9', () =>
    withFolder(async (folder) => {
      const start = () =>
        Promise.all([
          startClickHouse({ dataDir: join(folder, 'ch'), log: quietLog }),
          startRedis({ dataDir: join(folder, 'redis'), log: quietLog }),
        ]);
      const [clickhouse, redis] = await start();
      await run(clickhouse, 'CREATE DATABASE kept ENGINE = Atomic');
      await run(clickhouse, 'CREATE TABLE kept.rows (n UInt64) ENGINE = MergeTree ORDER BY n');
      await run(clickhouse, 'INSERT INTO kept.rows SELECT number FROM numbers(1000)');
      await askRedis(redis, (state) => state.set('kept', 'yes'), 60_000);
      await Promise.all([clickhouse.stop(), redis.stop()]);

      const second = await start();
      expect(second.map((engine) => ('httpPort' in engine ? engine.httpPort : engine.port))).to.deep.equal([
        clickhouse.httpPort,
        redis.port,
      ]);
      await run(second[0], 'INSERT INTO kept.rows SELECT number FROM numbers(1000, 500)');
      await askRedis(second[1], (state) => state.set('again', 'yes'), 60_000);
      for (const { pid } of second) process.kill(pid, 'SIGKILL');
      await until('the killed engines are gone', () => second.every(({ pid }) => !isAlive(pid)));

      const third = await start();
      expect(await run(third[0], 'SELECT count(), sum(n) FROM kept.rows')).to.equal('1500\t1124250');
      expect(await askRedis(third[1], (state) => state.exists('kept', 'again'), 60_000)).to.equal(2);
      expect(third[0].httpPort).to.equal(clickhouse.httpPort);
      await Promise.all(third.map((engine) => engine.stop()));
    }));

  it('tell the owner when an engine ends by itself, and not when it was stopped', () =>
    withFolder(async (folder) => {
      const ends: string[] = [];
      const [clickhouse, redis] = await Promise.all([
        startClickHouse({
          dataDir: join(folder, 'ch'),
          log: quietLog,
          onExit: (exit) => ends.push(`ch ${exit.signal}`),
        }),
        startRedis({
          dataDir: join(folder, 'redis'),
          log: quietLog,
          onExit: (exit) => ends.push(`redis ${exit.signal}`),
        }),
      ]);
      await redis.stop();
      process.kill(clickhouse.pid, 'SIGKILL');
      await until('the end of ClickHouse is told', () => ends.length > 0);
      await clickhouse.stop();
      expect(ends).to.deep.equal(['ch SIGKILL']);
    }));

  it('refuse an asked port that is taken', () =>
    withFolder(async (folder) => {
      const other = createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => other.once('listening', resolve));
      const { port } = other.address() as AddressInfo;
      const options = { dataDir: folder, log: quietLog };
      expect(await refusal(startRedis({ ...options, port }))).to.contain(`port ${port} (redis) is taken`);
      const httpPort = port;
      expect(await refusal(startClickHouse({ ...options, httpPort }))).to.contain(`port ${port} (http)`);
      other.close();
    }));

  it('refuse a second engine on the same folder', () =>
    withFolder(async (folder) => {
      for (const start of [startClickHouse, startRedis] as const) {
        const first = await start({ dataDir: folder, log: quietLog });
        expect(await refusal(start({ dataDir: folder, log: quietLog }))).to.contain('another process uses the folder');
        expect(isAlive(first.pid)).to.equal(true);
        await first.stop();
      }
    }));
});

describe('users of the embedded ClickHouse', () => {
  const password = 'a password & <more>';
  const analyst: ClickHouseUser = {
    name: 'bi_shop_a',
    passwordSha256: createHash('sha256').update(password).digest('hex'),
    defaultDatabase: 'shop',
    grants: ['GRANT SELECT ON shop.orders'],
    rowFilters: [{ database: 'shop', table: 'orders', filter: "shop_id = 'a' AND 1 < 2" }],
  };
  let engines: Awaited<ReturnType<typeof startEngines>>;
  before(async () => {
    engines = await startEngines([analyst]);
    await run(engines.clickhouse, 'CREATE DATABASE shop ENGINE = Atomic');
    await run(engines.clickhouse, 'CREATE TABLE shop.orders (shop_id String) ENGINE = MergeTree ORDER BY shop_id');
    await run(engines.clickhouse, "INSERT INTO shop.orders VALUES ('a'), ('a'), ('b')");
  });
  after(() => engines.stop());

  it('default is nobody but the engine itself, and has one query, even past the first door', async () => {
    const nobody = as(engines.clickhouse, 'default', '');
    for (const sql of ['SELECT 1', 'SELECT sleep(3)', 'KILL QUERY WHERE 1 ASYNC', 'SYSTEM STOP LISTEN HTTP']) {
      expect(await refusal(nobody(sql)), sql).to.contain('USER_SESSION_LIMIT_EXCEEDED');
    }
    const many = await Promise.all(Array.from({ length: 230 }, () => refusal(nobody('SELECT sleep(3)'))));
    expect(many.filter((text) => !text.includes('USER_SESSION_LIMIT_EXCEEDED'))).to.deep.equal([]);
    expect(await run(engines.clickhouse, 'SELECT 1')).to.equal('1');
    expect(
      await run(engines.clickhouse, "SELECT count() FROM system.processes WHERE user IN ('', 'default')"),
    ).to.equal('1');
  });

  it('answers another user of the machine with 404 whatever is asked, before any sign-in', async () => {
    const { url, httpPort } = engines.clickhouse;
    const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` });
    for (const headers of [
      {},
      basic('default:'),
      basic('profit:'),
      basic(`bi_shop_a:${password}`),
      { 'X-ClickHouse-User': 'default' },
      { [PROXY_KEY_HEADER]: '' },
      { [PROXY_KEY_HEADER]: 'regex:.*' },
      { 'X-Forwarded-For': '0.0.0.0' },
    ]) {
      for (const path of [
        '/',
        '/?query=SELECT+1',
        '/?user=default',
        '/?query=SELECT+sleep(3)&user=default&password=',
      ]) {
        const answer = await fetch(url + path, { method: 'POST', headers, body: 'SELECT 1' });
        expect([answer.status, await answer.text()].join(' '), path).to.contain('404 There is no handle');
      }
      for (const path of ['/ping', '/play', '/dashboard', '/webterminal', '/replicas_status', '/binary', '/merges']) {
        expect((await fetch(url + path, { headers })).status, path).to.equal(404);
      }
    }
    const listening = execFileSync('cat', ['/proc/net/tcp', '/proc/net/tcp6'], { encoding: 'utf8' });
    const inodes = new Set(
      execFileSync('ls', ['-l', `/proc/${engines.clickhouse.pid}/fd`], { encoding: 'utf8' }).match(
        /(?<=socket:\[)\d+/g,
      ),
    );
    const ports = listening
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === '0A' && inodes.has(fields[9] ?? ''))
      .map((fields) => parseInt(fields[1]?.split(':')[1] ?? '', 16));
    expect(ports).to.deep.equal([httpPort]);
  });

  it('nobody gets in with a wrong or no password', async () => {
    for (const [user, word] of [
      ['profit', ''],
      ['profit', 'x'],
      ['bi_shop_a', ''],
      ['nobody', ''],
    ] as const) {
      expect(await refusal(as(engines.clickhouse, user, word)('SELECT 1'))).to.contain('AUTHENTICATION_FAILED');
    }
  });

  it('a further user sees its rows alone and nothing else', async () => {
    const query = as(engines.clickhouse, 'bi_shop_a', password);
    expect(await query('SELECT shop_id, count() FROM orders GROUP BY shop_id')).to.equal('a\t2');
    expect(await run(engines.clickhouse, 'SELECT count() FROM shop.orders')).to.equal('3');
    for (const sql of [
      "INSERT INTO shop.orders VALUES ('a')",
      'SELECT * FROM system.users',
      "SELECT * FROM file('/etc/passwd', 'LineAsString')",
      'CREATE TABLE shop.mine (n Int8) ENGINE = Memory',
    ]) {
      expect(await refusal(query(sql)), sql).to.contain('ACCESS_DENIED');
    }
  });

  it('the service itself reads no file of the machine and makes no users', async () => {
    for (const sql of [
      "SELECT * FROM file('/etc/passwd', 'LineAsString')",
      'CREATE USER x',
      'GRANT ALL ON *.* TO profit',
    ]) {
      expect(await refusal(run(engines.clickhouse, sql)), sql).to.contain('ACCESS_DENIED');
    }
  });

  it('each user has threads of its own, after a restart too', () =>
    withFolder(async (folder) => {
      for (let i = 0; i < 2; i++) {
        const clickhouse = await startClickHouse({ dataDir: folder, log: quietLog, biUsers: [analyst] });
        expect(await run(clickhouse, "SELECT name FROM system.workloads WHERE parent = 'bi'")).to.equal('bi_shop_a');
        await clickhouse.stop();
      }
    }));

  it('a users file that could not hold a user is never written', () =>
    withFolder(async (folder) => {
      const start = (user: Partial<ClickHouseUser>) =>
        refusal(startClickHouse({ dataDir: folder, log: quietLog, biUsers: [{ ...analyst, ...user }] }));
      expect(await start({ name: 'a/><b' })).to.contain('cannot be a name');
      expect(await start({ name: 'profit' })).to.contain('is there already');
      expect(await start({ passwordSha256: '' })).to.contain('no SHA-256');
    }));
});

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { keptPort } from '../support/remembered-port.js';
import { findRedis } from '../../src/embedded/engines/redis.js';
import { readLoading } from '../../src/redis/loading.js';
import { until } from '../embedded/processes.js';
import { listening } from '../support/listening.js';
import { serviceEnvironment } from '../support/service.js';
import { writeSlowFile } from '../support/slow-redis-file.js';

/** Read in ten seconds or more: a busy machine takes some to start a process. */
const COMMANDS = 60_000;

describe('a start with a Redis that still reads its file back', () => {
  const children: ChildProcess[] = [];
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'profit-loading-'));
  });
  after(async () => {
    for (const child of children) child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });

  it('ends well for the migrations, the API and the worker, which are started at the same moment', async () => {
    await writeSlowFile(folder, COMMANDS);
    const [redisPort, port] = [await keptPort(), await keptPort()];
    const redisUrl = `redis://127.0.0.1:${redisPort}`;
    const env = {
      ...process.env,
      ...(await serviceEnvironment()),
      REDIS_URL: redisUrl,
      PORT: String(port),
      API_PROCESSES: '2',
      LOG_LEVEL: 'info',
    };
    const run = (program: string, ...args: string[]) => {
      const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
      children.push(child);
      const run = { child, output: '' };
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (part: Buffer) => (run.output += part.toString()));
      return run;
    };
    run(findRedis() ?? '', '--bind', '127.0.0.1', '--port', `${redisPort}`, '--dir', folder, '--appendonly', 'yes');
    await until('Redis reads its file', () => readLoading({ url: redisUrl }).catch(() => undefined));
    const migrate = run(process.execPath, 'dist/src/cli/main.js', 'migrate');
    const worker = run(process.execPath, 'dist/workers/main.js');
    const api = run(process.execPath, 'dist/src/main.js');

    await until('the migrations end', () => migrate.child.exitCode ?? undefined);
    expect(migrate.child.exitCode, migrate.output).to.equal(0);
    expect(migrate.output).to.match(/^Redis is reading its files back \(\d+ % of \d+ MB\)$/m);
    const url = `http://127.0.0.1:${port}`;
    const ready = async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200;
    await until('the API is ready', ready);

    const made = run(
      process.execPath,
      'dist/src/cli/main.js',
      'keys',
      'create',
      '--shop',
      'loaded',
      '--kind',
      'secret',
    );
    const key = await until('a key is made', () => /sk_svc_[\w-]+/.exec(made.output)?.[0]);
    const call = async (method: string, path: string, body?: object) => {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
      const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    await call('PUT', '/v1/source', { platform: 'test', currency: 'EUR', timezone: 'UTC' });
    const order = { order_id: '1', placed_at: '2026-03-01T10:00:00Z', updated_at: '2026-03-01T10:00:00Z' };
    const line = { line_id: '1', quantity: '1', unit_price: '10' };
    const pushed = await call('POST', '/v1/orders', {
      orders: [{ ...order, currency: 'EUR', status: 'paid', total: '10', line_items: [line] }],
    });
    expect(pushed.body.accepted, JSON.stringify(pushed.body)).to.equal(1);
    await until('the worker has stored the order', async () => {
      const answer = await call('GET', '/v1/orders?from=2026-03-01&to=2026-03-01');
      return (answer.body.orders as unknown[] | undefined)?.length === 1;
    });
    // It is not the service's own Redis, so holes of its version are told.
    for (const { output } of [api, worker]) {
      expect(output).to.match(/"stores":\["ClickHouse 26\.[\d.]+ at 127\.0\.0\.1:\d+","(Redis|Valkey) \d[\d.]+ at/);
      expect(output.match(/versions of the stores/g)).to.have.length(1);
    }
    for (const { child, output } of [api, worker]) expect(child.exitCode, output).to.equal(null);
  });
});

describe('a start with a ClickHouse that is too old', () => {
  it('is refused by the migrations, the API and the worker, in a sentence', async () => {
    const old = createServer((_req, res) => {
      res.setHeader('X-ClickHouse-Summary', '{"result_rows":"1"}');
      res.end('{"version":"25.8.29.21"}\n');
    });
    const { url, stop } = await listening(old);
    const env = { ...process.env, ...(await serviceEnvironment()), CLICKHOUSE_URL: url, PORT: '0' };
    const sentence = `ClickHouse 25.8.29.21 at ${new URL(url).host} is too old: the service needs 26.7 or later`;
    for (const script of [['dist/src/cli/main.js', 'migrate'], ['dist/src/main.js'], ['dist/workers/main.js']]) {
      const child = spawn(process.execPath, script, { env, stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (part: Buffer) => (output += part.toString()));
      const [status] = await once(child, 'close');
      expect(status, output).to.equal(1);
      expect(output).to.contain(sentence);
    }
    await stop();
  });
});

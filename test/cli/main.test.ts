import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { JOB_SCHEMA, jobKey } from '../../src/queue/jobs.js';
import { connectWorker } from '../../src/redis/redis.js';
import { withFolder } from '../embedded/processes.js';
import { startEngines, type Engines } from '../support/engines.js';
import { environmentOf } from '../support/service.js';

const NOBODY = 'http://127.0.0.1:1';

/** The command line as a process of its own, in a folder where no service runs. */
function profit(args: string[], env: NodeJS.ProcessEnv = {}) {
  const command = ['dist/src/cli/main.js', ...args];
  const ran = spawnSync(process.execPath, command, {
    env: { PATH: process.env.PATH, DATA_DIR: '/nowhere', ...env },
    encoding: 'utf8',
    timeout: 240_000,
  });
  return { status: ran.status, out: ran.stdout, err: ran.stderr };
}

describe('the command line', () => {
  it('tells its version, and shows examples that exist in the help of every group', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(profit(['--version'])).to.deep.equal({ status: 0, out: `${version}\n`, err: '' });
    for (const command of [[], ['keys'], ['import', 'orders'], ['queue', 'failed'], ['rollups', 'rebuild'], ['demo']]) {
      const { status, out } = profit([...command, '--help']);
      expect(status, command.join(' ')).to.equal(0);
      expect(out, command.join(' ')).to.match(/\nExamples:\n( {2}npm run --silent profit -- \S.*\n)+$/);
    }
  }).timeout(600_000);

  it('says what is wrong with a file without the codes of the system', () => {
    const key = ['--key', 'k', '--url', NOBODY];
    expect(profit(['import', 'orders', 'nowhere.ndjson', ...key])).to.deep.equal({
      status: 1,
      out: '',
      err: 'profit: nowhere.ndjson: there is no such file or folder\n',
    });
    expect(profit(['import', 'orders', 'src', ...key]).err).to.equal('profit: src: this is a folder, not a file\n');
  });

  it('takes the key of an import from PROFIT_KEY, and asks for one where none is given', () => {
    const args = ['import', 'orders', 'nowhere.ndjson', '--url', NOBODY];
    expect(profit(args).err).to.match(/^profit: no key is given: set PROFIT_KEY, or give --key/);
    expect(profit(args, { PROFIT_KEY: '' }).err).to.match(/^profit: no key is given/);
    expect(profit(args, { PROFIT_KEY: 'k' }).err).to.equal('profit: nowhere.ndjson: there is no such file or folder\n');
    expect(profit(['import', 'orders', '--help'], { PROFIT_KEY: 'my-secret' }).out).not.to.contain('my-secret');
  });

  it('says what to do where no service runs', () => {
    const { status, err } = profit(['keys', 'list']);
    expect(status).to.equal(1);
    expect(err).to.match(/^profit: no service runs on the data folder "\/nowhere": start one with npm start/);
  });

  it('refuses a number that is none', () => {
    const env = { CLICKHOUSE_URL: NOBODY, REDIS_URL: 'redis://127.0.0.1:1' };
    expect(profit(['queue', 'failed', 'orders', '--limit', 'x'], env).err).to.equal(
      'profit: --limit must be a whole number, 1 to 999999\n',
    );
  });
});

describe('the command line beside real stores', function () {
  this.timeout(600_000);
  let engines: Engines;
  let env: NodeJS.ProcessEnv;
  before(async () => {
    engines = await startEngines();
    env = await environmentOf(engines);
  });
  after(() => engines.stop());

  it('prints a line where a list is empty', () => {
    expect(profit(['keys', 'list'], env)).to.deep.equal({
      status: 0,
      out: 'No keys yet; keys create makes one.\n',
      err: '',
    });
    expect(profit(['bi', 'list-users'], env).out).to.equal('No BI users yet; bi create-user makes one.\n');
    expect(profit(['queue', 'failed', 'orders'], env)).to.deep.equal({
      status: 0,
      out: '',
      err: 'No job of the queue orders has failed.\n',
    });
    expect(profit(['queue', 'retry', 'orders'], env).out).to.equal('0 jobs put back\n');
    expect(profit(['migrate'], env)).to.deep.equal({
      status: 0,
      out: 'The warehouse has the newest schema.\n',
      err: '',
    });
  });

  it('ends without a word when nobody reads on', async () => {
    const child = spawn(process.execPath, ['dist/src/cli/main.js', 'keys', 'list'], {
      env: { PATH: process.env.PATH, ...env },
    });
    child.stdout.destroy();
    let err = '';
    child.stderr.on('data', (chunk) => (err += String(chunk)));
    const [code] = (await once(child, 'close')) as [number];
    expect([code, err]).to.deep.equal([141, '']);
  });

  it('lists, exports, deletes and brings back dead letters, and deletes none without being told which', async () => {
    const redis = connectWorker({ url: env.REDIS_URL ?? '', sentinels: undefined });
    const header = { shop_id: 'a', batch_id: 'b', request_id: 'r' };
    const data = JSON.stringify({ schema: JOB_SCHEMA, pushes: [{ header, bytes: [0, 0] }], rows: 'AAAA' });
    const keep = async (id: string, reason: string): Promise<void> => {
      await redis.hset(jobKey('orders', id), { name: 'orders', opts: '{}', data, failedReason: reason });
      await redis.zadd('bull:orders:failed', 1_700_000_000_000, id);
    };
    const queue = (...args: string[]) => profit(['queue', ...args], env);
    try {
      await keep('job-1', 'Type mismatch');
      await keep('job-2', 'Too large');
      const { out, err } = queue('failed', 'orders', '--limit', '1');
      expect(JSON.parse(out)).to.deep.equal({
        id: 'job-2',
        failed_at: '2023-11-14T22:13:20.000Z',
        reason: 'Too large',
        bytes: data.length,
        pushes: 1,
        shops: ['a'],
        batch_ids: ['b'],
        request_ids: ['r'],
      });
      expect(err).to.equal('More may follow: --limit shows more.\n');
      expect(queue('failed', 'orders').out).to.contain('job-1');
      expect(queue('failed', 'orders', '--shop', 'another').out).to.equal('');

      expect(queue('drop', 'orders')).to.include({
        status: 1,
        err: 'profit: say which: ids, --shop, --reason or --all\n',
      });
      await withFolder(async (folder) => {
        const file = join(folder, 'letters.ndjson');
        expect(queue('export', 'orders', file, '--reason', 'TOO', '--drop').out).to.equal(
          `1 jobs written to ${file} and deleted\n`,
        );
        expect(statSync(file).mode & 0o777).to.equal(0o600);
        expect(queue('export', 'orders', file).status).to.equal(1);
        expect(queue('drop', 'orders', '--all').out).to.equal('1 jobs deleted\n');
        expect(await redis.zcard('bull:orders:failed')).to.equal(0);
        expect(queue('import', 'spend', file).err).to.match(/line 1: this is no job of the queue spend\n$/);
        for (let i = 0; i < 2; i++) expect(queue('import', 'orders', file).out).to.equal('1 jobs put back\n');
      });
      expect(await redis.lrange('bull:orders:wait', 0, -1)).to.deep.equal(['job-2']);
      expect(JSON.parse((await redis.hget(jobKey('orders', 'job-2'), 'data')) ?? '')).to.deep.equal(JSON.parse(data));
    } finally {
      await redis.del('bull:orders:wait', 'bull:orders:failed', jobKey('orders', 'job-1'), jobKey('orders', 'job-2'));
      redis.disconnect();
    }
  });

  it('lists what is there', () => {
    const key = profit(['keys', 'create', '--shop', 'a', '--kind', 'secret'], env).out.trim();
    const { out } = profit(['keys', 'list'], env);
    expect(out).to.contain(key.slice(-4)).and.not.to.contain('No keys yet');
  });

  it('names the store that does not answer or refuses the password, within seconds', () => {
    const away = (changed: NodeJS.ProcessEnv, ...args: string[]) => profit(args, { ...env, ...changed });
    const closed = 'does not answer: nothing listens there; is the service running?';
    expect(away({ CLICKHOUSE_URL: NOBODY }, 'keys', 'list')).to.deep.equal({
      status: 1,
      out: '',
      err: `profit: ClickHouse at 127.0.0.1:1 ${closed}\n`,
    });
    const redis = { REDIS_URL: 'redis://127.0.0.1:1' };
    for (const args of [
      ['keys', 'list'],
      ['queue', 'failed', 'orders'],
      ['queue', 'retry', 'orders'],
    ])
      expect(away(redis, ...args).err, args.join(' ')).to.equal(`profit: Redis at 127.0.0.1:1 ${closed}\n`);
    expect(away({ CLICKHOUSE_URL: NOBODY }, 'migrate').err).to.equal(
      'profit: no answer from 127.0.0.1:1: nothing listens there; is the service running?\n',
    );

    const wrong = (url = '') => Object.assign(new URL(url), { password: 'wrong' }).href;
    expect(away({ CLICKHOUSE_URL: wrong(env.CLICKHOUSE_URL) }, 'keys', 'list').err).to.match(
      /^profit: ClickHouse at 127\.0\.0\.1:\d+ refuses the user or password\n$/,
    );
    expect(away({ REDIS_URL: wrong(env.REDIS_URL) }, 'keys', 'list').err).to.match(
      /^profit: Redis at 127\.0\.0\.1:\d+ refuses the user or password\n$/,
    );
  });

  it('ends at once on SIGTERM while it waits for a store', async () => {
    // Takes connections and never answers.
    const mute = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as AddressInfo;
    const changed = { ...env, PATH: process.env.PATH, REDIS_URL: `redis://127.0.0.1:${port}` };
    const child = spawn(process.execPath, ['dist/src/cli/main.js', 'queue', 'failed', 'orders'], { env: changed });
    const ended = once(child, 'exit');
    await once(mute, 'connection');
    child.kill('SIGTERM');
    expect(await ended).to.deep.equal([null, 'SIGTERM']);
    mute.close();

    const late = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(late, 'listening');
    const url = `redis://127.0.0.1:${(late.address() as AddressInfo).port}`;
    const args = ['dist/src/cli/main.js', 'queue', 'failed', 'orders'];
    const slow = spawn(process.execPath, args, { env: { ...changed, REDIS_URL: url } });
    let said = '';
    slow.stderr.on('data', (part: Buffer) => (said += part.toString()));
    expect(await once(slow, 'close')).to.deep.equal([1, null]);
    expect(said).to.match(/^profit: Redis at 127\.0\.0\.1:\d+ does not answer: it took longer than 5 s\n$/);
    late.close();
  });

  it('refuses a day that is none', () => {
    expect(profit(['rollups', 'rebuild', '--to', '2026-02-30'], env)).to.deep.equal({
      status: 1,
      out: '',
      err: 'profit: --to must be a day such as 2026-03-01\n',
    });
  });

  it('refuses days that end before they begin, of which it would find none and call them right', () => {
    for (const command of [['rollups', 'rebuild'], ['audit'], ['days', 'check'], ['days', 'mend']])
      expect(profit([...command, '--from', '2026-03-02', '--to', '2026-03-01'], env)).to.deep.equal({
        status: 1,
        out: '',
        err: 'profit: --from must not be after --to\n',
      });
  });

  it('says that a gzip file is cut short', () =>
    withFolder((folder) => {
      const file = join(folder, 'orders.ndjson.gz');
      writeFileSync(file, gzipSync('{"order_id":"1"}\n'.repeat(10_000)).subarray(0, 60));
      const { status, err } = profit(['import', 'orders', file, '--key', 'k', '--url', NOBODY]);
      expect(status).to.equal(1);
      expect(err).to.contain('the gzip data is damaged or cut short');
      return Promise.resolve();
    }));
});

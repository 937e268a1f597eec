import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { runImportOrders, type ImportOptions, type ImportSummary } from '../../src/cli/import-orders.js';
import { refusal, startOrderServer, type Instead, type OrderServer, type SeenRequest } from './order-server.js';

const KEY = `sk_svc_${'a1'.repeat(32)}`;

function lines(count: number, extra: (index: number) => object = () => ({})): string {
  return Array.from({ length: count }, (_, i) => `${JSON.stringify({ order_id: `o${i}`, ...extra(i) })}\n`).join('');
}

describe('runImportOrders', () => {
  let folder: string;
  let file: string;
  let server: OrderServer;
  let printed: { stdout: string; stderr: string };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'import-orders-'));
    file = join(folder, 'orders.ndjson');
  });
  afterEach(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  async function serve(instead?: (request: SeenRequest) => Instead | Promise<Instead>): Promise<void> {
    server = await startOrderServer(instead);
  }

  async function run(options: Partial<ImportOptions> = {}): Promise<ImportSummary> {
    const stdout = new PassThrough();
    const stderr = new PassThrough();
    const fixed = { file, url: server.url, key: KEY, stdin: Readable.from([]), signal: new AbortController().signal };
    const summary = await runImportOrders({ ...fixed, stdout, stderr, ...options });
    printed = { stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') };
    return summary;
  }

  function rejected(): unknown[] {
    const text = readFileSync(`${file}.rejected.ndjson`, 'utf8').trim();
    return text.split('\n').map((line) => JSON.parse(line) as unknown);
  }

  const statePath = () => `${file}.import-state.json`;

  it('sends every order once, in batches of at most 250, several at once, and leaves nothing behind', async () => {
    await serve(() => delay(20, undefined));
    writeFileSync(file, lines(2_100));
    const summary = await run();
    expect(summary).to.include({
      outcome: 'complete',
      exitCode: 0,
      read: 2100,
      accepted: 2100,
      superseded: 0,
      rejected: 0,
    });
    expect(server.accepted.size).to.equal(2100);
    expect(server.seen.map(({ orders }) => orders.length).sort((a, b) => b - a)).to.deep.equal([
      ...Array<number>(8).fill(250),
      100,
    ]);
    expect(server.mostAtOnce).to.equal(4);
    expect(server.seen[0]?.authorization).to.equal(`Bearer ${KEY}`);
    expect(existsSync(statePath())).to.equal(false);
    expect(existsSync(`${file}.rejected.ndjson`)).to.equal(false);
    expect(printed.stdout).to.match(
      /^read {12}2,100\naccepted {8}2,100\nsuperseded {6}0\nrejected {8}0\nretried batches 0\n/,
    );
  });

  it('keeps a request under 3.5 MB, and sends a larger order alone', async () => {
    await serve();
    writeFileSync(
      file,
      lines(8, (i) => ({ title: 'x'.repeat(i === 7 ? 3_900_000 : 900_000) })),
    );
    expect((await run({ concurrency: 1 })).accepted).to.equal(8);
    expect(server.seen.map(({ orders }) => orders.length)).to.deep.equal([3, 3, 1, 1]);
    expect(Math.max(...server.seen.slice(0, 3).map(({ bytes }) => bytes))).to.be.below(3_500_000);
  });

  it('reads gzip by its first bytes, from a file and from standard input, and can gzip requests', async () => {
    await serve();
    writeFileSync(file, gzipSync(lines(300)));
    expect((await run({ gzip: true })).accepted).to.equal(300);
    expect(server.seen[0]?.bytes).to.be.below(server.seen[0]?.text.length ?? 0);
    const stdin = Readable.from([gzipSync(lines(10)).subarray(0, 1), gzipSync(lines(10)).subarray(1)]);
    expect((await run({ file: '-', stdin })).accepted).to.equal(10);
  });

  it('says what is wrong with a damaged gzip file', async () => {
    await serve();
    const whole = gzipSync(lines(300, () => ({ title: Math.random().toString() })));
    writeFileSync(file, whole.subarray(0, whole.length - 100));
    expect(await run()).to.include({ outcome: 'stopped', exitCode: 1, reason: 'unexpected end of file' });
  });

  it('writes rejected orders and lines that are not JSON to a file, numbers as they stood', async () => {
    await serve();
    const text = Buffer.concat([
      Buffer.from('\ufeff{"order_id":"a"}\r\n\n   \n{"order_id":"b","reject":true,"n":12345678901234567890.10}\n'),
      Buffer.from('{"order_id":"c",}\n{"order_id":"d"},{"order_id":"e"}\n{"order_id":"'),
      Buffer.from([0xa3]),
      Buffer.from('"}\n{"order_id":"f","supersede":true}'),
    ]);
    writeFileSync(file, text);
    const summary = await run();
    const counts = {
      exitCode: 2,
      read: 6,
      accepted: 1,
      superseded: 1,
      rejected: 4,
      rejectedFile: `${file}.rejected.ndjson`,
    };
    expect(summary).to.include({ outcome: 'complete', ...counts });
    expect(rejected()).to.have.length(4);
    const [first] = readFileSync(`${file}.rejected.ndjson`, 'utf8').split('\n');
    expect(first).to.equal(
      '{"line":4,"order_id":"b","errors":[{"code":"sum_mismatch","message":"The total does not match.",' +
        '"computed":"1.00","supplied":"2.00"}],"order":{"order_id":"b","reject":true,"n":12345678901234567890.10}}',
    );
    expect(rejected()[1]).to.deep.include({ line: 5, order_id: null, order: '{"order_id":"c",}' });
    const codes = (rejected() as { line: number; errors: { code: string }[] }[]).map((r) => [
      r.line,
      r.errors[0]?.code,
    ]);
    expect(codes.slice(1)).to.deep.equal([5, 6, 7].map((line) => [line, 'invalid_json']));
  });

  it('removes the rejected orders of an earlier run when it starts over', async () => {
    await serve();
    writeFileSync(`${file}.rejected.ndjson`, 'old');
    writeFileSync(file, lines(1));
    expect((await run()).exitCode).to.equal(0);
    expect(existsSync(`${file}.rejected.ndjson`)).to.equal(false);
  });

  it('isolates the order for which the service refuses the whole request', async () => {
    await serve(({ orders }) => {
      if (orders.some(({ order_id: id }) => id === 'o5')) return refusal(400, 'invalid_request', 'Nested too deep.');
      return orders.some(({ order_id: id }) => id === 'o9') ? { status: 413, body: '<html>' } : undefined;
    });
    writeFileSync(file, lines(12));
    expect(await run()).to.include({ exitCode: 2, read: 12, accepted: 10, rejected: 2 });
    expect(rejected()).to.deep.equal([
      {
        line: 6,
        order_id: 'o5',
        errors: [{ code: 'invalid_request', message: 'Nested too deep.' }],
        order: { order_id: 'o5' },
      },
      {
        line: 10,
        order_id: 'o9',
        errors: [{ code: 'body_too_large', message: 'The order is too large to send.' }],
        order: { order_id: 'o9' },
      },
    ]);
  });

  it('refuses a line that no request could hold without keeping it in memory', async () => {
    await serve();
    const huge = Readable.from(
      (function* () {
        for (let i = 0; i < 100; i++) yield Buffer.alloc(100_000, 'x');
        yield Buffer.from(`\n${lines(1)}`);
      })(),
    );
    const before = process.cwd();
    process.chdir(folder);
    try {
      expect(await run({ file: '-', stdin: huge })).to.include({ read: 2, accepted: 1, rejected: 1 });
    } finally {
      process.chdir(before);
    }
    const [entry = ''] = readFileSync(join(folder, 'stdin.rejected.ndjson'), 'utf8').split('\n');
    expect(entry).to.contain('body_too_large');
    expect(entry.length).to.be.below(11_000);
  });

  describe('when the service is busy or gone', () => {
    it('waits as long as Retry-After says, with all batches', async () => {
      const times: number[] = [];
      await serve(({ index }) => {
        times.push(Date.now());
        if (index === 0) return refusal(429, 'rate_limited', 'Too many.', { 'retry-after': '1' });
        return delay(50, undefined);
      });
      writeFileSync(file, lines(100));
      const summary = await run({ batchSize: 10, concurrency: 2 });
      expect(summary).to.include({ exitCode: 0, accepted: 100, retriedBatches: 1 });
      const [first = 0, ...others] = times;
      expect(others.slice(1).every((time) => time - first >= 1000)).to.equal(true);
      expect(printed.stderr).to.contain('the service answered 429: Too many.; trying again in 1 s');
    });

    it('sends again after a cut connection, a 500 and a 503', async () => {
      const instead: Instead[] = [
        'cut',
        { status: 500 },
        refusal(503, 'queue_unavailable', 'Later.', { 'retry-after': '0' }),
      ];
      await serve(({ index }) => instead[index]);
      writeFileSync(file, lines(10));
      expect(await run()).to.include({ exitCode: 0, accepted: 10, retriedBatches: 3 });
    });

    it('waits for a service that starts later', async () => {
      await serve();
      const { url } = server;
      await server.close();
      writeFileSync(file, lines(10));
      const running = run({ url });
      await delay(300);
      server = await startOrderServer(undefined, Number(new URL(url).port));
      expect(await running).to.include({ exitCode: 0, accepted: 10 });
    });

    it('stops after the time it may keep trying, and keeps the state', async () => {
      await serve(({ index }) => (index >= 2 ? { status: 502 } : undefined));
      writeFileSync(file, lines(100));
      const summary = await run({ batchSize: 10, concurrency: 1, retryForMs: 300 });
      expect(summary).to.include({ outcome: 'stopped', exitCode: 1, read: 20, accepted: 20 });
      expect(summary.reason).to.match(/^the service answered 502; gave up after \d+ s of trying$/);
      expect(printed.stderr).to.match(
        /Stopped after line 20 of .*\nRun the same command again to go on from there\.\n$/,
      );
    });

    it('does not wait for a Retry-After beyond that time', async () => {
      await serve(() => refusal(503, 'store_unavailable', 'Closed.', { 'retry-after': '3600' }));
      writeFileSync(file, lines(1));
      expect((await run()).reason).to.contain('Closed.; gave up');
    });
  });

  for (const [status, code] of [
    [401, 'unauthorized'],
    [403, 'forbidden_scope'],
    [409, 'source_not_registered'],
    [404, 'not_found'],
  ] as const) {
    it(`stops at once on ${status} with the service's message`, async () => {
      await serve(() => refusal(status, code, 'Register the source first.'));
      writeFileSync(file, lines(5_000));
      const summary = await run();
      const reason = `POST /v1/orders was answered with ${status}: Register the source first. (${code})`;
      expect(summary).to.include({ outcome: 'stopped', exitCode: 1, read: 0, reason });
      expect(server.seen.length).to.be.at.most(4);
    });
  }

  it('stops when something else than the service answers', async () => {
    await serve(() => ({ status: 200, body: '<html>' }));
    writeFileSync(file, lines(10));
    expect((await run()).reason).to.contain('no answer of the profit service; is the url right?');
  });

  it('refuses to begin with a wrong url, key, size or file', async () => {
    await serve();
    const begin = (options: Partial<ImportOptions>) => run(options).then(() => '', String);
    expect(await begin({})).to.contain('ENOENT');
    writeFileSync(file, lines(1));
    expect(await begin({ url: 'localhost:3000' })).to.contain('is not the address of a service');
    expect(await begin({ key: 'a b' })).to.contain('the key is empty or has characters');
    expect(await begin({ batchSize: 251 })).to.contain('batch size must be a whole number, 1 to 250');
  });

  it('only has orders checked when asked to', async () => {
    await serve();
    writeFileSync(file, lines(3));
    await run({ validateOnly: true });
    expect(server.seen[0]?.path).to.equal('/v1/orders?validate_only=1');
  });

  for (const packing of ['plain', 'gzip'] as const) {
    it(`goes on where an interrupted import of a ${packing} file stopped, with exact counts`, async () => {
      const text = lines(5_000, (i) => ({ ...(i % 7 === 0 && { reject: true }), pad: 'é'.repeat(i % 50) }));
      writeFileSync(file, packing === 'gzip' ? gzipSync(text) : text);
      const abort = new AbortController();
      await serve(async ({ index }) => {
        if (index === 12) abort.abort();
        return delay(index % 4 === 0 ? 30 : 5, undefined);
      });
      const first = await run({ batchSize: 100, signal: abort.signal });
      expect(first).to.include({ outcome: 'stopped', exitCode: 1, reason: 'interrupted' });
      expect(first.read).to.be.within(900, 1600);
      expect(first.read).to.equal(server.seen.length * 100);
      expect(existsSync(statePath())).to.equal(true);
      expect(readFileSync(statePath(), 'utf8')).not.to.contain(KEY);

      const sentBefore = server.seen.length;
      const second = await run({ batchSize: 100 });
      expect(printed.stderr).to.contain(`going on after line ${first.read} `);
      expect(server.seen.length - sentBefore).to.equal(50 - sentBefore);
      const counts = { read: 5000, accepted: 4285, rejected: 715, superseded: 0 };
      expect(second).to.include({ outcome: 'complete', exitCode: 2, ...counts });
      expect((rejected() as { line: number }[]).map(({ line }) => line)).to.deep.equal(
        Array.from({ length: 715 }, (_, i) => 7 * i + 1),
      );
      expect(existsSync(statePath())).to.equal(false);
    });
  }

  it('begins at the first line when the file changed, or --restart is given', async () => {
    await serve(({ index }) => (index === 1 ? refusal(401, 'unauthorized', 'Unknown key.') : undefined));
    writeFileSync(file, lines(20));
    expect((await run({ batchSize: 10, concurrency: 1 })).read).to.equal(10);
    expect((await run({ batchSize: 10, restart: true })).read).to.equal(20);
    expect(server.accepted.size).to.equal(20);
    server.seen.length = 0;
    expect((await run({ batchSize: 10, concurrency: 1 })).read).to.equal(10);
    writeFileSync(file, lines(30));
    expect((await run({ batchSize: 10 })).read).to.equal(30);
    expect(printed.stderr).to.contain('is of another file content, service or key; beginning at the first line');
  });
});

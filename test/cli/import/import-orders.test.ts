import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { ImportOptions } from '../../../src/cli/import/import-orders.js';
import { importBench, KEY, orderLines } from './import-bench.js';
import { refusal } from './order-server.js';

describe('runImportOrders', () => {
  const bench = importBench();
  const statePath = () => `${bench.file}.import-state.json`;

  it('sends every order once, in batches of at most 250, several at once, and leaves nothing behind', async () => {
    // None is answered before as many are under way as may be, or more.
    await bench.serve(async ({ index }) => {
      while (bench.server.mostAtOnce < 4) await delay(5);
      return delay(index < 4 ? 50 : 0, undefined);
    });
    writeFileSync(bench.file, orderLines(2_100));
    const summary = await bench.run();
    expect(summary).to.include({
      outcome: 'complete',
      exitCode: 0,
      read: 2100,
      accepted: 2100,
      superseded: 0,
      rejected: 0,
    });
    expect(bench.server.accepted.size).to.equal(2100);
    expect(bench.server.seen.map(({ orders }) => orders.length).sort((a, b) => b - a)).to.deep.equal([
      ...Array<number>(8).fill(250),
      100,
    ]);
    expect(bench.server.mostAtOnce).to.equal(4);
    expect(bench.server.seen[0]?.authorization).to.equal(`Bearer ${KEY}`);
    expect(existsSync(statePath())).to.equal(false);
    expect(existsSync(`${bench.file}.rejected.ndjson`)).to.equal(false);
    expect(bench.printed.stdout).to.match(
      /^read {12}2,100\naccepted {8}2,100\nsuperseded {6}0\nrejected {8}0\nretried batches 0\n/,
    );
  });

  it('keeps a request under 3.5 MB, and sends a larger order alone', async () => {
    await bench.serve();
    writeFileSync(
      bench.file,
      orderLines(8, (i) => ({ title: 'x'.repeat(i === 7 ? 3_900_000 : 900_000) })),
    );
    expect((await bench.run({ concurrency: 1 })).accepted).to.equal(8);
    expect(bench.server.seen.map(({ orders }) => orders.length)).to.deep.equal([3, 3, 1, 1]);
    expect(Math.max(...bench.server.seen.slice(0, 3).map(({ bytes }) => bytes))).to.be.below(3_500_000);
  });

  it('reads gzip by its first bytes, from a file and from standard input', async () => {
    await bench.serve();
    writeFileSync(bench.file, gzipSync(orderLines(300)));
    expect((await bench.run()).accepted).to.equal(300);
    const stdin = Readable.from([gzipSync(orderLines(10)).subarray(0, 1), gzipSync(orderLines(10)).subarray(1)]);
    expect((await bench.run({ file: '-', stdin })).accepted).to.equal(10);
  });

  it('says what is wrong with a damaged gzip file', async () => {
    await bench.serve();
    const whole = gzipSync(orderLines(300, () => ({ title: Math.random().toString() })));
    writeFileSync(bench.file, whole.subarray(0, whole.length - 100));
    const reason = 'the gzip data is damaged or cut short (unexpected end of file)';
    expect(await bench.run()).to.include({ outcome: 'stopped', exitCode: 1, reason });
  });

  it('writes rejected orders and lines that are not JSON to a file, numbers as they stood', async () => {
    await bench.serve();
    const text = Buffer.concat([
      Buffer.from('\ufeff{"order_id":"a"}\r\n\n   \n{"order_id":"b","reject":true,"n":12345678901234567890.10}\n'),
      Buffer.from('{"order_id":"c",}\n{"order_id":"d"},{"order_id":"e"}\n{"order_id":"'),
      Buffer.from([0xa3]),
      Buffer.from('"}\n{"order_id":"f","supersede":true}'),
    ]);
    writeFileSync(bench.file, text);
    const summary = await bench.run();
    const counts = {
      exitCode: 2,
      read: 6,
      accepted: 1,
      superseded: 1,
      rejected: 4,
      rejectedFile: `${bench.file}.rejected.ndjson`,
    };
    expect(summary).to.include({ outcome: 'complete', ...counts });
    expect(bench.rejected()).to.have.length(4);
    const [first] = readFileSync(`${bench.file}.rejected.ndjson`, 'utf8').split('\n');
    expect(first).to.equal(
      '{"line":4,"order_id":"b","errors":[{"code":"sum_mismatch","message":"The total does not match.",' +
        '"computed":"1.00","supplied":"2.00"}],"order":{"order_id":"b","reject":true,"n":12345678901234567890.10}}',
    );
    expect(bench.rejected()[1]).to.deep.include({ line: 5, order_id: null, order: '{"order_id":"c",}' });
    const codes = bench.rejected().map((r) => [r.line, r.errors[0]?.code]);
    expect(codes.slice(1)).to.deep.equal([5, 6, 7].map((line) => [line, 'invalid_json']));
  });

  it('stops when none of the first 250 lines is taken, says why, and begins anew the next time', async () => {
    await bench.serve();
    writeFileSync(bench.file, '{"order_id": 1001\n'.repeat(20_001));
    const summary = await bench.run();
    const reason = 'none of the first 250 lines is an order that the service takes';
    expect(summary).to.include({ outcome: 'stopped', exitCode: 1, reason, read: 250, rejected: 250 });
    expect(bench.server.seen).to.have.length(0);
    expect(bench.printed.stdout).to.match(
      /Most frequent reasons .*:\n {4}250 {2}invalid_json: The line is not one JSON/,
    );
    expect(bench.printed.stderr).to.contain(`Stopped: ${reason}.\n`).and.to.contain("jq -c '.[]'");
    expect(existsSync(statePath())).to.equal(false);
    expect(await bench.run({ keepGoing: true })).to.include({ outcome: 'complete', exitCode: 2, rejected: 20_001 });
  });

  it('stops when the service rejects all of the first 250 lines, however small the batches are', async () => {
    await bench.serve();
    writeFileSync(
      bench.file,
      orderLines(10_000, () => ({ reject: true })),
    );
    const summary = await bench.run({ batchSize: 20, concurrency: 2 });
    expect(summary).to.include({ outcome: 'stopped', exitCode: 1, read: 260, rejected: 260 });
    expect(bench.server.seen.length).to.be.at.most(13 + 8);
    expect(bench.printed.stdout).to.contain('    260  sum_mismatch: The total does not match.\n');
  });

  it('goes on when one of the first 250 lines is taken, and when the file is shorter', async () => {
    await bench.serve();
    writeFileSync(
      bench.file,
      orderLines(600, (i) => ({ reject: i !== 200 })),
    );
    expect(await bench.run()).to.include({ outcome: 'complete', exitCode: 2, accepted: 1, rejected: 599 });
    writeFileSync(
      bench.file,
      orderLines(100, () => ({ reject: true })),
    );
    expect(await bench.run()).to.include({ outcome: 'complete', exitCode: 2, rejected: 100 });
  });

  it('removes the rejected orders of an earlier run when it starts over', async () => {
    await bench.serve();
    writeFileSync(`${bench.file}.rejected.ndjson`, 'old');
    writeFileSync(bench.file, orderLines(1));
    expect((await bench.run()).exitCode).to.equal(0);
    expect(existsSync(`${bench.file}.rejected.ndjson`)).to.equal(false);
  });

  it('isolates the order for which the service refuses the whole request', async () => {
    await bench.serve(({ orders }) => {
      if (orders.some(({ order_id: id }) => id === 'o5')) return refusal(400, 'invalid_request', 'Nested too deep.');
      return orders.some(({ order_id: id }) => id === 'o9') ? { status: 413, body: '<html>' } : undefined;
    });
    writeFileSync(bench.file, orderLines(12));
    expect(await bench.run()).to.include({ exitCode: 2, read: 12, accepted: 10, rejected: 2 });
    expect(bench.rejected()).to.deep.equal([
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
    await bench.serve();
    const huge = Readable.from(
      (function* () {
        yield Buffer.from('{"order_id":"');
        for (let i = 0; i < 100; i++) yield Buffer.alloc(100_000, 'x');
        yield Buffer.from(`\n${orderLines(1)}`);
      })(),
    );
    const before = process.cwd();
    process.chdir(bench.folder);
    try {
      expect(await bench.run({ file: '-', stdin: huge })).to.include({ read: 2, accepted: 1, rejected: 1 });
    } finally {
      process.chdir(before);
    }
    const [entry = ''] = readFileSync(join(bench.folder, 'stdin.rejected.ndjson'), 'utf8').split('\n');
    expect(entry).to.contain('body_too_large');
    expect(entry.length).to.be.below(11_000);
  });

  it('refuses to begin with a wrong url, key or file', async () => {
    await bench.serve();
    const begin = (options: Partial<ImportOptions>) => bench.run(options).then(() => '', String);
    expect(await begin({})).to.contain('ENOENT');
    writeFileSync(bench.file, orderLines(1));
    expect(await begin({ url: 'localhost:3000' })).to.contain('is not the address of a service');
    expect(await begin({ key: 'a b' })).to.contain('the key is empty or has characters');
  });
});

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { importBench, KEY, orderLines } from './import-bench.js';
import { refusal } from './order-server.js';

describe('runImportOrders, when it was stopped before', () => {
  const bench = importBench();
  const statePath = () => `${bench.file}.import-state.json`;

  for (const packing of ['plain', 'gzip'] as const) {
    it(`goes on where an interrupted import of a ${packing} file stopped, with exact counts`, async () => {
      const text = orderLines(5_000, (i) => ({ ...(i % 7 === 0 && { reject: true }), pad: 'é'.repeat(i % 50) }));
      writeFileSync(bench.file, packing === 'gzip' ? gzipSync(text) : text);
      const abort = new AbortController();
      await bench.serve(async ({ index }) => {
        if (index === 12) abort.abort();
        return delay(index % 4 === 0 ? 30 : 5, undefined);
      });
      const first = await bench.run({ batchSize: 100, signal: abort.signal });
      expect(first).to.include({ outcome: 'stopped', exitCode: 1, reason: 'interrupted' });
      expect(first.read).to.be.within(900, 1600);
      expect(first.read).to.equal(bench.server.seen.length * 100);
      expect(existsSync(statePath())).to.equal(true);
      expect(readFileSync(statePath(), 'utf8')).not.to.contain(KEY);

      const sentBefore = bench.server.seen.length;
      const second = await bench.run({ batchSize: 100 });
      expect(bench.printed.stderr).to.contain(`going on after line ${first.read} `);
      expect(bench.server.seen.length - sentBefore).to.equal(50 - sentBefore);
      const counts = { read: 5000, accepted: 4285, rejected: 715, superseded: 0 };
      expect(second).to.include({ outcome: 'complete', exitCode: 2, ...counts });
      expect(bench.rejected().map(({ line }) => line)).to.deep.equal(Array.from({ length: 715 }, (_, i) => 7 * i + 1));
      expect(existsSync(statePath())).to.equal(false);
    });
  }

  it('begins at the first line when the file changed, or --restart is given', async () => {
    await bench.serve(({ index }) => (index === 1 ? refusal(401, 'unauthorized', 'Unknown key.') : undefined));
    writeFileSync(bench.file, orderLines(20));
    expect((await bench.run({ batchSize: 10, concurrency: 1 })).read).to.equal(10);
    expect((await bench.run({ batchSize: 10, restart: true })).read).to.equal(20);
    expect(bench.server.accepted.size).to.equal(20);
    bench.server.seen.length = 0;
    expect((await bench.run({ batchSize: 10, concurrency: 1 })).read).to.equal(10);
    writeFileSync(bench.file, orderLines(30));
    expect((await bench.run({ batchSize: 10 })).read).to.equal(30);
    expect(bench.printed.stderr).to.contain('is of another file content, service or key; beginning at the first line');
  });
});

import { execFile } from 'node:child_process';
import { PassThrough, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { runImportOrders } from '../../src/cli/import/import-orders.js';
import type { BenchContext } from './context.js';
import type { Section } from './harness.js';
import { createOrders } from '../support/generated-orders.js';

const ORDERS = 100_000;
const LIMIT_MB = 300;
const SAMPLE_MS = 250;
const run = promisify(execFile);

/** The most memory that the API process holds while a history is imported through it and a worker drains it. */
export const importMemory: Section<BenchContext> = {
  name: 'import-memory',
  async run({ service, newShop }) {
    const { key } = await newShop('import');
    const worker = service.startWorker();
    let most = 0;
    const sample = async () => {
      const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(service.apiPid)]);
      most = Math.max(most, Number(stdout.trim()) / 1024);
    };
    const timer = setInterval(() => void sample(), SAMPLE_MS);
    try {
      const next = createOrders(3_000);
      const lines = Readable.from(
        (function* () {
          for (let i = 0; i < ORDERS / 500; i++) {
            yield Buffer.from(Array.from({ length: 500 }, () => `${JSON.stringify(next())}\n`).join(''));
          }
        })(),
      );
      const stdout = new PassThrough().resume();
      const signal = new AbortController().signal;
      const target = { file: '-', url: service.url, key, stdin: lines, stdout, stderr: process.stderr, signal };
      const { exitCode, accepted, reason } = await runImportOrders(target);
      if (exitCode !== 0 || accepted !== ORDERS) throw new Error(`the import ended with ${exitCode}: ${reason ?? ''}`);
    } finally {
      clearInterval(timer);
      await worker.stop();
    }
    const what = `API memory while ${ORDERS.toLocaleString('en-US')} orders are imported`;
    return [
      { what, ours: `${Math.round(most)} MB`, against: `${LIMIT_MB} MB`, ratio: most / LIMIT_MB, goal: { atMost: 1 } },
    ];
  },
};

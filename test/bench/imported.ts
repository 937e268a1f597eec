import { execFile } from 'node:child_process';
import { PassThrough, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { runImportOrders } from '../../src/cli/import/import-orders.js';
import type { BenchContext } from './context.js';
import { engineMicros } from './engine-cpu.js';
import type { Section } from './harness.js';
import { createOrders } from '../support/generated-orders.js';

const ORDERS = 100_000;
const LIMIT_MB = 300;
const SAMPLE_MS = 250;
const LIMIT_MS = 0.4;
/** 0.60 of what 6179dea8 took. */
const LIMIT_BYTES = 207;
const TABLES = ['orders', 'order_days', 'order_keys', 'order_facts', 'daily_products', 'daily_orders'];
const run = promisify(execFile);

/** What an imported history costs until all its figures show: memory of the API, CPU of the warehouse, and disk. */
export const imported: Section<BenchContext> = {
  name: 'import',
  async run({ service, newShop, warehouse }) {
    const { key } = await newShop('import');
    const bytes = async (): Promise<number> => {
      for (const table of TABLES) await warehouse.command(`OPTIMIZE TABLE ${table} FINAL`);
      const [row] = await warehouse.query<{ bytes: string }>(
        `SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = currentDatabase()`,
      );
      return Number(row?.bytes);
    };
    const bytesBefore = await bytes();
    const microsBefore = await engineMicros(warehouse);
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
    const ms = ((await engineMicros(warehouse)) - microsBefore) / 1000 / ORDERS;
    const size = ((await bytes()) - bytesBefore) / ORDERS;
    const what = `API memory while ${ORDERS.toLocaleString('en-US')} orders are imported`;
    return [
      { what, ours: `${Math.round(most)} MB`, against: `${LIMIT_MB} MB`, ratio: most / LIMIT_MB, goal: { atMost: 1 } },
      {
        what: 'CPU of the warehouse an imported order, until the figures show (6179dea8: 0.37 to 0.62 ms)',
        ours: `${ms.toFixed(3)} ms`,
        against: `${LIMIT_MS} ms`,
        ratio: ms / LIMIT_MS,
        goal: { atMost: 1 },
      },
      {
        what: 'disk of all tables an imported order, merged (6179dea8: 345 bytes)',
        ours: `${size.toFixed(0)} bytes`,
        against: `${LIMIT_BYTES} bytes`,
        ratio: size / LIMIT_BYTES,
        goal: { atMost: 1 },
      },
    ];
  },
};

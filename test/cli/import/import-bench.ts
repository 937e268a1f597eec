import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { runImportOrders, type ImportOptions, type ImportSummary } from '../../../src/cli/import/import-orders.js';
import { startOrderServer, type Instead, type OrderServer, type SeenRequest } from './order-server.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

export const KEY = `sk_svc_${'a1'.repeat(32)}`;

/** What every test of the import has: a folder and a server of its own, and the import with all that it must be given. */
export interface ImportBench {
  folder: string;
  /** Where `run` reads from unless told otherwise. */
  file: string;
  server: OrderServer;
  /** What the last import printed. */
  printed: { stdout: string; stderr: string };
  serve(instead?: (request: SeenRequest) => Instead | Promise<Instead>): Promise<void>;
  run(options?: Partial<ImportOptions>): Promise<ImportSummary>;
  /** The lines of the file of rejected orders. */
  rejected(): { line: number; order_id: string | null; errors: { code: string }[]; order: unknown }[];
}

/** NDJSON of orders `o0`, `o1`, …, with fields of their own. */
export function orderLines(count: number, extra: (index: number) => object = () => ({})): string {
  return Array.from({ length: count }, (_, i) => `${JSON.stringify({ order_id: `o${i}`, ...extra(i) })}\n`).join('');
}

/** Sets a bench up before each test of the surrounding `describe`, and takes it down after. */
export function importBench(): ImportBench {
  const bench: ImportBench = {
    folder: '',
    file: '',
    server: undefined as unknown as OrderServer,
    printed: { stdout: '', stderr: '' },
    async serve(instead) {
      bench.server = await startOrderServer(instead);
    },
    async run(options = {}) {
      const stdout = new PassThrough();
      const stderr = new PassThrough();
      const { file, server } = bench;
      const fixed = { file, url: server.url, key: KEY, stdin: Readable.from([]), signal: new AbortController().signal };
      const summary = await runImportOrders({ ...fixed, stdout, stderr, ...options });
      bench.printed = { stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') };
      return summary;
    },
    rejected() {
      const text = readFileSync(`${bench.file}.rejected.ndjson`, 'utf8').trim();
      return text.split('\n').map((line) => JSON.parse(line) as ReturnType<ImportBench['rejected']>[number]);
    },
  };
  beforeEach(() => {
    bench.folder = temporaryFolder('import-orders');
    bench.file = join(bench.folder, 'orders.ndjson');
  });
  afterEach(() => bench.server.close());
  return bench;
}

import { open, rm, stat, type FileHandle } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { wrongAnswer } from '../../client/errors.js';
import { createClient, ProfitApiError, type Client } from '../../client/index.js';
import type { ConversionOptions } from '../../convert/options.js';
import { fieldsOf } from '../../domain/fields.js';
import { openSource, pipedSource } from '../import/import-source.js';
import { createProgress, grouped } from '../../operations/progress.js';
import type { ReconcileResponse } from '../../schemas/reconcile.js';
import { EntryError, readEntries, type EntryKind, type StoreEntry } from './store-entries.js';

export interface ReconcileOptions {
  /** CSV or NDJSON, gzipped or not; `-` is `stdin`. */
  file: string;
  url: string;
  key: string;
  /** Days whose orders the file holds all of. */
  completeFor?: { from: string; to: string };
  /** How the orders of a platform are read, as for their import. */
  conversion?: ConversionOptions;
  /** How long a call may go on failing. Default 1 minute. */
  retryForMs?: number;
  stdin: Readable;
  stdout: Writable;
  stderr: Writable & { isTTY?: boolean };
  signal: AbortSignal;
}

/** Exit codes: 0 all equal, 2 differences. What stops it is thrown. */
export interface ReconcileSummary {
  compared: number;
  equal: number;
  differences: number;
  exitCode: 0 | 2;
}

/** Entries of one call. */
const MAX_ENTRIES: Record<EntryKind, number> = { days: 366, orders: 10_000 };
const MAX_BYTES = 3_500_000;

/**
 * Compares a file of a store's own days or orders with the service, call by call, with memory bounded by a call. The
 * differences go to FILE.differences.ndjson as they are found; there is none when all is equal.
 */
export async function runReconcile(options: ReconcileOptions): Promise<ReconcileSummary> {
  const { file, completeFor, stdin, stdout, stderr, signal, retryForMs = 60_000 } = options;
  const client = createClient({
    url: options.url,
    key: options.key,
    retryForMs,
    signal,
    onWait: (why) => progress.note(why),
  });
  const path = `${file === '-' ? 'stdin' : file}.differences.ndjson`;
  const source = file === '-' ? pipedSource(stdin, signal) : await openSource(file, 0, signal);
  const total = file === '-' ? undefined : (await stat(file)).size;
  await rm(path, { force: true });
  const progress = createProgress({ stream: stderr, label: 'compared', total });
  const counts = new Map<string, number>();
  const summary = { compared: 0, equal: 0, differences: 0 };
  let report: FileHandle | undefined;
  let isCut = false;

  try {
    for await (const batch of batchesOf(readEntries(source.bytes, options.conversion), completeFor !== undefined)) {
      const { equal, differences, more } = await send(client, batch, completeFor);
      isCut ||= more === true;
      summary.compared += batch.length;
      summary.equal += equal;
      summary.differences += differences.length;
      for (const difference of differences) {
        const name = [difference.kind, difference.figure, difference.reason].filter(Boolean).join(', ');
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
      if (differences.length > 0) {
        report ??= await open(path, 'w');
        await report.appendFile(differences.map((one) => `${JSON.stringify(one)}\n`).join(''));
      }
      progress.update(source.consumed(), summary.compared);
    }
  } finally {
    progress.stop();
    await report?.close();
  }
  if (summary.compared === 0 && completeFor === undefined) throw new EntryError('the file has no days and no orders');
  const rows = [
    ['compared', grouped(summary.compared)],
    ['equal', grouped(summary.equal)],
    ['differences', grouped(summary.differences) + (summary.differences > 0 ? `  see ${path}` : '')],
    ...[...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => [`  ${name}`, grouped(count)]),
  ];
  stdout.write(rows.map(([name = '', value = '']) => `${name.padEnd(40)}${value}\n`).join(''));
  if (isCut) stdout.write('More orders are missing in the file than are listed; compare fewer days.\n');
  return { ...summary, exitCode: summary.differences > 0 ? 2 : 0 };
}

async function send(
  client: Client,
  batch: readonly StoreEntry[],
  completeFor: ReconcileOptions['completeFor'],
): Promise<ReconcileResponse> {
  const [first] = batch;
  const kind = first?.kind ?? 'orders';
  const json = {
    [kind]: batch.map(({ fields }) => fields),
    ...(completeFor !== undefined && { complete_for: completeFor }),
  };
  const answer = await client.request('POST', '/v1/reconcile', json).catch((error: unknown) => {
    if (!(error instanceof ProfitApiError) || first === undefined) throw error;
    throw new EntryError(`lines ${first.line} to ${batch.at(-1)?.line ?? first.line}: ${error.message}`);
  });
  if (isComparison(answer)) return answer;
  throw wrongAnswer('POST /v1/reconcile');
}

/** Looks at what is read of an answer alone: a later release may tell more. */
function isComparison(body: unknown): body is ReconcileResponse {
  const { equal, differences } = fieldsOf(body);
  return typeof equal === 'number' && Array.isArray(differences);
}

/** Entries of one call each. `whole`: there is one call, also of a file without orders. */
async function* batchesOf(entries: AsyncIterable<StoreEntry>, whole: boolean): AsyncGenerator<StoreEntry[]> {
  let batch: StoreEntry[] = [];
  let bytes = 0;
  let kind: EntryKind | undefined;
  for await (const entry of entries) {
    kind ??= entry.kind;
    if (entry.kind !== kind)
      throw new EntryError(`line ${entry.line} is one of ${entry.kind}, those before of ${kind}`);
    const size = JSON.stringify(entry.fields).length;
    if (batch.length === MAX_ENTRIES[kind] || bytes + size > MAX_BYTES) {
      if (whole) {
        throw new EntryError(
          `--from and --to go with at most ${grouped(MAX_ENTRIES.orders)} orders, and the file has more: give the orders of fewer days`,
        );
      }
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(entry);
    bytes += size;
  }
  if (batch.length > 0 || whole) yield batch;
}

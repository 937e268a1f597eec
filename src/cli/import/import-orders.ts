import type { Readable, Writable } from 'node:stream';
import { createClient } from '../../client/index.js';
import { addressOf } from '../../client/send.js';
import { errorText } from '../error-text.js';
import { inOrder } from './in-order.js';
import { openSource, pipedSource } from './import-source.js';
import { openImportState, type ImportCounts } from './import-state.js';
import { noOrdersText, reasonsText, stopText, summaryText } from './import-texts.js';
import { withHead } from './input.js';
import { readOrderBatches, type LineBatch } from './order-lines.js';
import { otherThanOrders } from './platform/file-kind.js';
import { FileError } from './platform/json-values.js';
import { platformBatches } from './platform/platform-batches.js';
import { readPlatformOrders, type ReadOptions } from './platform/read-orders.js';
import { createProgress } from '../../operations/progress.js';
import { createReasons } from './reasons.js';
import { heldPath, openRejectedFile } from './rejected-file.js';
import { sendOrders, type SentOrders } from './send-orders.js';
import { createReceipts, waitForFigures } from './wait-for-figures.js';

/** Options of `profit import …`. */
export interface ImportOptions {
  /** Gzipped or not; `-` is `stdin`. */
  file: string;
  /** Whose export it is; absent: NDJSON, one order of `POST /v1/orders` a line. */
  export?: ReadOptions;
  /** The service's address. */
  url: string;
  /** A secret key with the scope `orders:write`. */
  key: string;
  /** Batches under way at once. Default 4. */
  concurrency?: number;
  /** Orders a batch, 1 to 250. Default 250. */
  batchSize?: number;
  /** How long a batch may go on failing before the import stops, in milliseconds. Default 5 minutes. */
  retryForMs?: number;
  /** Begins at the first line whatever an earlier run left. */
  restart?: boolean;
  /** Goes on although none of the first lines is taken. */
  keepGoing?: boolean;
  stdin: Readable;
  stdout: Writable;
  stderr: Writable & { isTTY?: boolean };
  /** Aborting finishes what is under way, keeps the state and ends the command. */
  signal: AbortSignal;
}

/**
 * How an import ended. The counts are those of the whole file: an import that was resumed counts on from where it stopped,
 * and when it is complete `read` = `accepted` + `superseded` + `rejected` + `held`.
 */
export interface ImportSummary extends ImportCounts {
  /** `complete`, or `stopped` by the signal or a failure. */
  outcome: 'complete' | 'stopped';
  /** 0: every order accepted or superseded; 2: some were rejected or held back; 1: stopped. */
  exitCode: 0 | 1 | 2;
  /** Why it stopped; only then. */
  reason?: string;
  /** Where the rejected orders are; only when there are any. */
  rejectedFile?: string;
  /** Where the orders are that were held back; only of an export. */
  heldFile?: string;
}

const MAX_BATCH_BYTES = 3_500_000;
const SAVE_EVERY_MS = 1_000;
/** Of many batches that wait, one tells of it. */
const NOTE_EVERY_MS = 10_000;
/** When none of so many lines at the beginning is taken, the file is not one of orders. */
const FIRST_LINES = 250;

class NoOrdersError extends Error {
  override readonly name = 'NoOrdersError';
}

/**
 * Sends a history of orders through the API, several batches at once, with memory bounded by the batches.
 *
 * Busy answers and lost connections are tried again; 401, 403, 404 and 409 stop the import with the service's message. How
 * far it got is kept in `FILE.import-state.json`, and the next run of the same file against the same service goes on from
 * there; sending an order twice changes no figure. When none of the first 250 lines is taken, it stops, and the next run
 * begins again from the start. Rejected orders and lines that are not JSON go to
 * `FILE.rejected.ndjson` (`stdin.rejected.ndjson` for `-`), one `{ line, order_id, errors, order }` a line.
 *
 * @throws Error when it cannot begin: no such file, a url or key that cannot be one
 */
export async function runImportOrders(options: ImportOptions): Promise<ImportSummary> {
  const { file, concurrency = 4, batchSize = 250, retryForMs = 300_000, stdout, stderr, signal } = options;
  const piped = file === '-';
  const failed = new AbortController();
  const halt = AbortSignal.any([signal, failed.signal]);
  const client = createClient({ url: options.url, key: options.key, retryForMs, halt, onWait });
  const state = await openImportState(file, {
    url: addressOf(options.url),
    key: options.key,
    resumable: !piped,
    restart: options.restart ?? false,
  });
  const rejectedFile = await openRejectedFile(
    `${piped ? 'stdin' : file}.rejected.ndjson`,
    state.position.rejectedBytes,
  );
  const heldFile = await openRejectedFile(heldPath(piped ? 'stdin' : file), state.position.heldBytes);

  const source = piped ? pipedSource(options.stdin, halt) : await openSource(file, state.position.offset, halt);
  const { position } = state;
  const before = { ...position.counts };
  const startedAt = performance.now();
  const progress = createProgress({
    stream: stderr,
    label: 'orders',
    total: state.fileSize,
    startDone: source.consumed(),
    startItems: before.read,
  });
  if (state.note) progress.note(state.note);
  const reasons = createReasons();
  const receipts = createReceipts(concurrency * 4);
  const path = `/v1/orders${options.export === undefined ? '' : '?whole_seconds=1'}`;
  let savedAt = startedAt;
  let retries = 0;
  let quietUntil = 0;

  function onWait(why: string, waitMs: number): void {
    retries++;
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + NOTE_EVERY_MS;
    progress.note(`${why}; trying again in ${Math.max(1, Math.round(waitMs / 1000))} s`);
  }

  async function* batches(): AsyncGenerator<LineBatch & { consumed: number }> {
    const limits = { maxOrders: batchSize, maxBytes: MAX_BATCH_BYTES };
    const read =
      options.export === undefined
        ? readOrderBatches(await orderBytes(source.bytes, position.line > 0 || options.keepGoing === true), {
            ...limits,
            start: { ...position },
          })
        : platformBatches(readPlatformOrders(source.bytes, options.export), { ...limits, skip: position.counts.read });
    for await (const batch of read) yield { ...batch, consumed: source.consumed() };
  }

  async function settle(batch: LineBatch & { consumed: number }, sent: SentOrders): Promise<void> {
    const rejected = [...batch.rejected, ...sent.rejected].sort((a, b) => a.line - b.line);
    await rejectedFile.append(rejected);
    reasons.add(rejected);
    await heldFile.append(batch.held);
    reasons.add(batch.held);
    receipts.add(sent.receipt);
    const { counts } = position;
    counts.read += batch.orders.length + batch.rejected.length + batch.held.length;
    counts.held += batch.held.length;
    counts.accepted += sent.accepted;
    counts.superseded += sent.superseded;
    counts.rejected += rejected.length;
    position.line = batch.endLine;
    position.offset = batch.endOffset;
    position.rejectedBytes = rejectedFile.bytes;
    position.heldBytes = heldFile.bytes;
    progress.update(batch.consumed, counts.read);
    if (options.keepGoing !== true && counts.read >= FIRST_LINES && counts.rejected === counts.read)
      throw new NoOrdersError(`none of the first ${counts.read} lines is an order that the service takes`);
    if (performance.now() - savedAt >= SAVE_EVERY_MS) await save();
  }

  async function save(): Promise<void> {
    position.counts.retriedBatches = before.retriedBatches + retries;
    position.counts.seconds = before.seconds + (performance.now() - startedAt) / 1000;
    await state.save();
    savedAt = performance.now();
  }

  let reason: string | undefined;
  let noOrders = false;
  let isUnreadable = false;
  try {
    await inOrder(batches(), {
      concurrency,
      window: concurrency * 4,
      halt,
      work: (batch) => sendOrders(client, path, batch.orders),
      settle,
      onFailure: () => failed.abort(),
    });
    if (signal.aborted) reason = 'interrupted';
    else if (options.export !== undefined && position.counts.read === 0) throw new FileError('the file has no orders');
    else await waitForFigures(options, receipts, (sentence) => progress.note(sentence));
  } catch (error) {
    reason = errorText(error);
    noOrders = error instanceof NoOrdersError;
    isUnreadable = error instanceof FileError && position.counts.read === 0;
  } finally {
    progress.stop();
  }
  await save().catch((error: unknown) => (reason ??= errorText(error)));
  if (reason === undefined || noOrders || isUnreadable) await state.remove();
  await rejectedFile.close();
  await heldFile.close();

  const { counts } = position;
  const summary: ImportSummary = {
    ...counts,
    outcome: reason === undefined ? 'complete' : 'stopped',
    exitCode: reason !== undefined ? 1 : counts.rejected + counts.held > 0 ? 2 : 0,
    ...(reason !== undefined && { reason }),
    ...(counts.rejected > 0 && { rejectedFile: rejectedFile.path }),
    ...(options.export !== undefined && { heldFile: heldFile.path }),
  };
  // A refusal of the first batch has no counts.
  if (reason === undefined || counts.read > 0) stdout.write(summaryText(summary) + reasonsText(reasons.top()));
  if (isUnreadable) stderr.write(`Stopped: ${reason}.\n`);
  else if (reason !== undefined) stderr.write(noOrders ? noOrdersText(reason, file) : stopText(reason, state, file));
  return summary;
}

/** The bytes of a file of orders, which is looked at first: one of another kind is named before anything is sent. */
async function orderBytes(bytes: AsyncIterable<Uint8Array>, isKnown: boolean): Promise<AsyncIterable<Uint8Array>> {
  if (isKnown) return bytes;
  const { head, whole } = await withHead(bytes);
  const other = otherThanOrders(head);
  if (other !== undefined) throw new FileError(other);
  return whole;
}

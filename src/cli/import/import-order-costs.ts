import type { Readable, Writable } from 'node:stream';
import { faultsIn, wrongAnswer } from '../../client/errors.js';
import { createClient } from '../../client/index.js';
import { fieldsOf } from '../../domain/fields.js';
import { grouped } from '../../operations/progress.js';
import { errorText } from '../error-text.js';
import { openSource, pipedSource } from './import-source.js';
import { reasonsText } from './import-texts.js';
import { readOrderCosts, type OrderCostLine } from './order-cost-lines.js';
import type { RejectedLine } from './order-lines.js';
import { createReasons } from './reasons.js';
import { openRejectedFile } from './rejected-file.js';
import { createReceipts, waitForFigures } from './wait-for-figures.js';

/** Options of `profit import order-costs`. */
export interface ImportCostsOptions {
  /** Gzipped or not; `-` is `stdin`. */
  file: string;
  url: string;
  /** A secret key with the scope `costs:write`. */
  key: string;
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
  signal: AbortSignal;
}

const BATCH = 1_000;

/**
 * Sends costs of orders from a CSV file, a batch at a time, and waits until the figures contain them. Sending a file again changes
 * nothing, so that a run that was cut short is simply repeated. Rejected lines go to `FILE.rejected.ndjson`.
 *
 * @returns the exit code: 0 all were taken, 2 some were rejected, 1 it stopped
 */
export async function runImportOrderCosts(options: ImportCostsOptions): Promise<0 | 1 | 2> {
  const { file, stdout, stderr, signal } = options;
  const client = createClient(options);
  const isPiped = file === '-';
  const source = isPiped ? pipedSource(options.stdin, signal) : await openSource(file, 0, signal);
  const rejectedFile = await openRejectedFile(`${isPiped ? 'stdin' : file}.rejected.ndjson`, 0);
  const receipts = createReceipts(1);
  const reasons = createReasons();
  const counts = { read: 0, accepted: 0, rejected: 0 };
  const unknown = new Set<string>();

  const push = async (lines: readonly OrderCostLine[]): Promise<RejectedLine[]> => {
    if (lines.length === 0) return [];
    const answer = await client.request('PUT', '/v1/costs/orders', { costs: lines.map(({ cost }) => cost) });
    const { results, receipt } = fieldsOf(answer);
    if (!Array.isArray(results)) throw wrongAnswer('PUT /v1/costs/orders');
    receipts.add(typeof receipt === 'string' ? receipt : undefined);
    return lines.flatMap((line, i) => {
      const result = fieldsOf(results[i]);
      if (isUnknown(result)) unknown.add(line.cost.order_id ?? '');
      return rejectionOf(line, result);
    });
  };
  const send = async (lines: readonly OrderCostLine[]): Promise<void> => {
    const rejected = [
      ...lines.flatMap((line) => (line.fault === null ? [] : rejectionOf(line, { errors: [line.fault] }))),
      ...(await push(lines.filter(({ fault }) => fault === null))),
    ];
    await rejectedFile.append(rejected);
    reasons.add(rejected);
    counts.read += lines.length;
    counts.rejected += rejected.length;
    counts.accepted += lines.length - rejected.length;
  };

  let reason: string | undefined;
  try {
    let batch: OrderCostLine[] = [];
    for await (const line of readOrderCosts(source.bytes)) {
      if (batch.push(line) < BATCH) continue;
      await send(batch);
      batch = [];
    }
    if (batch.length > 0) await send(batch);
    await waitForFigures(options, receipts, (sentence) => stderr.write(`${sentence}\n`));
  } catch (error) {
    reason = signal.aborted ? 'interrupted' : errorText(error);
  } finally {
    await rejectedFile.close();
  }
  const where = counts.rejected > 0 ? `  see ${rejectedFile.path}` : '';
  stdout.write(
    `read      ${grouped(counts.read)}\naccepted  ${grouped(counts.accepted)}\nrejected  ${grouped(counts.rejected)}${where}\n`,
  );
  stdout.write(unknownText([...unknown]) + reasonsText(reasons.top()));
  if (reason !== undefined)
    stderr.write(`Stopped: ${reason}.\nSend the file again: what was taken before stays as it is.\n`);
  return reason !== undefined ? 1 : counts.rejected > 0 ? 2 : 0;
}

function rejectionOf({ line, cost }: OrderCostLine, result: Record<string, unknown>): RejectedLine[] {
  if (result.outcome === 'accepted') return [];
  return [{ line, orderId: cost.order_id ?? null, errors: faultsIn(result), order: JSON.stringify(cost) }];
}

const isUnknown = ({ warnings }: Record<string, unknown>): boolean =>
  Array.isArray(warnings) && warnings.some((one) => fieldsOf(one).code === 'order_unknown');

/** Orders that are named. */
const NAMED = 10;

function unknownText(ids: readonly string[]): string {
  if (ids.length === 0) return '';
  const list = ids.length > NAMED ? `${ids.slice(0, NAMED).join(', ')} …` : ids.join(', ');
  return `waiting   ${grouped(ids.length)}  no such order yet: ${list}\n`;
}

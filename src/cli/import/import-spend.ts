import type { Readable, Writable } from 'node:stream';
import { faultsIn, wrongAnswer } from '../../client/errors.js';
import { createClient } from '../../client/index.js';
import { csvText } from '../../domain/csv/read-csv.js';
import { fieldsOf } from '../../domain/fields.js';
import { grouped } from '../../operations/progress.js';
import { errorText } from '../error-text.js';
import { openSource, pipedSource } from './import-source.js';
import { reasonsText } from './import-texts.js';
import type { RejectedLine } from './order-lines.js';
import { FileError } from './platform/json-values.js';
import { createReasons } from './reasons.js';
import { openRejectedFile } from './rejected-file.js';
import { readSpend, type SpendFile, type SpendLine, type SpendOptions } from './spend-lines.js';
import { createReceipts, waitForFigures } from './wait-for-figures.js';

/** Options of `profit import spend`. */
export interface ImportSpendOptions extends SpendOptions {
  /** Gzipped or not; `-` is `stdin`. */
  file: string;
  url: string;
  /** A secret key with the scope `costs:write`. */
  key: string;
  /** Shows how the file is read, and sends nothing. */
  dryRun: boolean;
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
  signal: AbortSignal;
}

const BATCH = 500;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Shows how a file of ad spend is read, then sends it a batch at a time and waits until the figures contain it. Sending a file again
 * changes nothing. Rejected lines go to `FILE.rejected.ndjson`.
 *
 * @returns the exit code: 0 all were taken, 2 some were rejected, 1 it stopped
 */
export async function runImportSpend(options: ImportSpendOptions): Promise<0 | 1 | 2> {
  const { file, stdout, stderr, signal } = options;
  const isPiped = file === '-';
  const receipts = createReceipts(1);
  const reasons = createReasons();
  const counts = { accepted: 0, rejected: 0 };
  let reason: string | undefined;
  let where = '';
  try {
    const source = isPiped ? pipedSource(options.stdin, signal) : await openSource(file, 0, signal);
    const found = readSpend(csvText(await wholeOf(source.bytes)), options);
    stdout.write(mappingText(found, options.currency));
    const wrong = found.lines.flatMap((line) => (line.fault === null ? [] : [rejectionOf(line, [line.fault])]));
    const usable = found.lines.filter(({ fault }) => fault === null);
    if (options.dryRun) {
      reasons.add(wrong);
      stdout.write(
        `rows      ${grouped(usable.length)}\nwrong     ${grouped(wrong.length)}\n${reasonsText(reasons.top())}`,
      );
      return wrong.length > 0 ? 2 : 0;
    }
    const client = createClient(options);
    const rejectedFile = await openRejectedFile(`${isPiped ? 'stdin' : file}.rejected.ndjson`, 0);
    const reject = async (lines: RejectedLine[]): Promise<void> => {
      await rejectedFile.append(lines);
      reasons.add(lines);
      counts.rejected += lines.length;
      if (lines.length > 0) where = `  see ${rejectedFile.path}`;
    };
    try {
      await reject(wrong);
      for (let i = 0; i < usable.length; i += BATCH) {
        const batch = usable.slice(i, i + BATCH);
        const answer = await client.request('POST', '/v1/costs/spend', { rows: batch.map(({ item }) => item) });
        const { results, receipt } = fieldsOf(answer);
        if (!Array.isArray(results)) throw wrongAnswer('POST /v1/costs/spend');
        receipts.add(typeof receipt === 'string' ? receipt : undefined);
        const refused = batch.flatMap((line, place) => {
          const result = fieldsOf(results[place]);
          return result.outcome === 'accepted' ? [] : [rejectionOf(line, faultsIn(result))];
        });
        await reject(refused);
        counts.accepted += batch.length - refused.length;
      }
    } finally {
      await rejectedFile.close();
    }
    await waitForFigures(options, receipts, (sentence) => stderr.write(`${sentence}\n`));
  } catch (error) {
    reason = signal.aborted ? 'interrupted' : errorText(error);
  }
  stdout.write(`accepted  ${grouped(counts.accepted)}\nrejected  ${grouped(counts.rejected)}${where}\n`);
  stdout.write(reasonsText(reasons.top()));
  if (reason !== undefined)
    stderr.write(`Stopped: ${reason}.\nSend the file again: what was taken before stays as it is.\n`);
  return reason !== undefined ? 1 : counts.rejected > 0 ? 2 : 0;
}

async function wholeOf(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new FileError(`the file is larger than ${MAX_BYTES / 1024 / 1024} MB; split it`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function rejectionOf({ line, item }: SpendLine, errors: RejectedLine['errors']): RejectedLine {
  return { line, orderId: null, errors, order: JSON.stringify(item) };
}

/** Which column is read as what. */
function mappingText({ read }: SpendFile, given: string | undefined): string {
  if (read === null) return '';
  const { found, totals } = read;
  const hasCurrency = found.columns.some(({ field }) => field === 'currency');
  const rows = [
    ['channel', found.channel],
    ...found.columns.map(({ field, header }) => [field, `column "${header}"`]),
    ...(hasCurrency ? [] : [['currency', found.currency ?? given ?? 'not known: say --currency']]),
    ...(totals > 0 ? [['left out', `${totals} lines of totals`]] : []),
    ...(found.unread.length > 0 ? [['not read', found.unread.join(', ')]] : []),
  ];
  const text = rows.map(([name = '', value = '']) => `  ${name.padEnd(16)}${value}\n`).join('');
  return `Read as an export of ${found.network}:\n${text}`;
}

import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { faultsIn, wrongAnswer } from '../../client/errors.js';
import { createClient } from '../../client/index.js';
import { fieldsOf } from '../../domain/fields.js';
import { grouped } from '../../operations/progress.js';
import { errorText } from '../error-text.js';
import { rateText, readEcbRates, type ImportedRate } from './ecb-rates.js';
import type { ImportCostsOptions } from './import-order-costs.js';

const BATCH = 1_000;

export interface ImportRatesOptions extends ImportCostsOptions {
  /** `YYYY-MM-DD`: rates of earlier days are left out. */
  from?: string | undefined;
}

/**
 * Sends the rates of the European Central Bank's history in the currency of the shop, a batch at a time. Sending a file again changes
 * nothing.
 *
 * @returns the exit code: 0 all were taken, 2 some were rejected, 1 it stopped
 */
export async function runImportRates(options: ImportRatesOptions): Promise<0 | 1 | 2> {
  const { file, from = '', stdin, stdout, stderr, signal } = options;
  const client = createClient(options);
  const counts = { accepted: 0, rejected: 0 };
  const send = async (rates: readonly ImportedRate[]): Promise<void> => {
    if (rates.length === 0) return;
    const { results } = fieldsOf(await client.request('PUT', '/v1/rates', { rates }));
    if (!Array.isArray(results)) throw wrongAnswer('PUT /v1/rates');
    for (const [i, result] of results.map(fieldsOf).entries()) {
      if (result.outcome === 'accepted') counts.accepted += 1;
      else if (++counts.rejected === 1) {
        stderr.write(`${rates[i]?.currency} ${rates[i]?.day}: ${faultsIn(result)[0]?.message ?? 'rejected'}\n`);
      }
    }
  };
  let reason: string | undefined;
  try {
    const { currency } = fieldsOf(await client.request('GET', '/v1/source'));
    const text = rateText(file === '-' ? await buffer(stdin) : await readFile(file));
    let batch: ImportedRate[] = [];
    for (const rate of readEcbRates(text, String(currency))) {
      signal.throwIfAborted();
      if (rate.day < from) continue;
      if (batch.push(rate) < BATCH) continue;
      await send(batch);
      batch = [];
    }
    await send(batch);
  } catch (error) {
    reason = signal.aborted ? 'interrupted' : errorText(error);
  }
  stdout.write(`accepted  ${grouped(counts.accepted)}\nrejected  ${grouped(counts.rejected)}\n`);
  if (reason !== undefined)
    stderr.write(`Stopped: ${reason}.\nSend the file again: what was taken before stays as it is.\n`);
  return reason !== undefined ? 1 : counts.rejected > 0 ? 2 : 0;
}

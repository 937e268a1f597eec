import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, ProfitApiError } from '../../client/index.js';
import { fieldsOf } from '../../domain/fields.js';
import { clock, grouped } from '../../operations/progress.js';

/** The service has computed no further day for so long, or has not answered. */
const LONGEST_WAIT_MS = 1_800_000;
/** First and longest time to the next question. */
const POLL_MS = { first: 100, longest: 2_000 };
const NOTE_EVERY_MS = 10_000;

/** The receipts of the last pushes. */
export interface Receipts {
  add(receipt: string | undefined): void;
  readonly last: readonly string[];
}

/** @param most as many pushes as may be under way at once: any of them may be the last */
export function createReceipts(most: number): Receipts {
  const last: string[] = [];
  return {
    last,
    add(receipt) {
      if (receipt === undefined) return;
      last.push(receipt);
      if (last.length > most) last.shift();
    },
  };
}

/**
 * Waits until all figures, of whatever days, contain the last pushes and all earlier ones of the shop.
 *
 * @param note shows what it waits for, or why it is not known whether they do
 */
export async function waitForFigures(
  { url, key, signal }: { url: string; key: string; signal: AbortSignal },
  { last }: Receipts,
  note: (sentence: string) => void,
): Promise<void> {
  const client = createClient({ url, key, signal, retryForMs: LONGEST_WAIT_MS });
  let quietUntil = 0;
  /** The most days that were left, and when: the time that is left follows from how many fewer they are since. */
  let most = { left: 0, at: 0 };
  const tell = (left: unknown): void => {
    const now = performance.now();
    if (typeof left === 'number' && left > most.left) most = { left, at: now };
    if (now < quietUntil) return;
    quietUntil = now + NOTE_EVERY_MS;
    note(
      `all is sent; waiting until the figures contain it${typeof left === 'number' ? daysText(left, most, now) : ''}`,
    );
  };
  try {
    for (const receipt of last) {
      let before: unknown;
      let since = performance.now();
      for (let wait = POLL_MS.first; ; wait = Math.min(wait * 2, POLL_MS.longest)) {
        const { days_left: left } = fieldsOf(await client.request('GET', `/v1/ingest/pushes?receipt=${receipt}`));
        if (left === 0) break;
        if (left !== before) since = performance.now();
        before = left;
        if (performance.now() - since > LONGEST_WAIT_MS) {
          note('all is sent; the figures do not contain it yet: ask GET /v1/ingest/status why');
          return;
        }
        tell(left);
        await sleep(wait, undefined, { signal });
      }
    }
  } catch (error) {
    if (!(error instanceof ProfitApiError)) throw error;
    note(`all is sent; when the figures contain it could not be read (status ${error.status})`);
  }
}

/** What is said of days that are left, with the time that they take at the rate seen since there were the most. */
export function daysText(left: number, most: { left: number; at: number }, now: number): string {
  const seconds = (left * (now - most.at)) / 1000 / (most.left - left);
  return ` (days to compute: ${grouped(left)}${most.left > left ? `, about ${clock(seconds)} left` : ''})`;
}

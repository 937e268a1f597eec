import type { ApiClient } from './api-client.js';
import { createPatience } from './patience.js';

/** Far longer than the service needs for what an import has sent. */
const LONGEST_WAIT_MS = 1_800_000;

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
 * Waits until the figures of the last 30 days contain the last pushes. Earlier days, and earlier pushes, may show later.
 *
 * @returns why it is not known that they do, for people; undefined when they do
 */
export async function waitForFigures(
  client: ApiClient,
  { last }: Receipts,
  { signal, onWait }: { signal: AbortSignal; onWait: () => void },
): Promise<string | undefined> {
  const patience = createPatience({ retryForMs: LONGEST_WAIT_MS, signal, onWait });
  for (const receipt of last) {
    const answer = await patience.send(() => client.request('GET', `/v1/metrics?after=${receipt}`));
    if (answer.status === 403)
      return 'the key has no scope read, so it is not known when the figures contain all of it';
    if (answer.status !== 200) return `the figures could not be read (status ${answer.status})`;
  }
  return undefined;
}

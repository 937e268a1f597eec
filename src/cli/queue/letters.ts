import type { DeadLetter, DeadLetters } from '../../queue/dead-letters.js';
import type { QueueName } from '../../queue/jobs.js';
import { headersOf } from '../../queue/read-job.js';
import type { Receipts } from '../../redis/receipts.js';
import { parseJson } from '../parse-json.js';
import { reopenPushes } from './reopen-pushes.js';

/** Which dead letters a command is about; all where nothing is named. */
export interface Choice {
  ids?: readonly string[];
  /** That hold a push of this shop. */
  shop?: string;
  /** Whose reason has this text in it, in letters of any case. */
  reason?: string;
}

/** Dead letters that are worked on at once, of up to some megabytes each: Redis makes each change durable before it answers. */
const AT_ONCE = 8;

/** A job joins the pushes of many shops. */
const MAX_NAMES = 10;

/** The chosen ones, newest first, as they are asked for. */
export async function* choose(letters: DeadLetters, choice: Choice): AsyncGenerator<DeadLetter> {
  const { ids, shop, reason } = choice;
  for await (const letter of ids === undefined ? letters.walk() : named(letters, ids)) {
    if (reason !== undefined && !letter.reason.toLowerCase().includes(reason.toLowerCase())) continue;
    if (
      shop !== undefined &&
      !headersOf(parseJson((await letters.data(letter.id)) ?? '')).some(({ shop_id }) => shop_id === shop)
    )
      continue;
    yield letter;
  }
}

async function* named(letters: DeadLetters, ids: readonly string[]): AsyncGenerator<DeadLetter> {
  for (const id of new Set(ids)) {
    const letter = await letters.find(id);
    if (letter !== null) yield letter;
  }
}

/** Returns how many of them it was done to. */
export async function forEach(
  letters: AsyncIterable<DeadLetter>,
  act: (id: string) => Promise<boolean>,
): Promise<number> {
  let count = 0;
  const underWay: Promise<boolean>[] = [];
  const finish = async (): Promise<void> => {
    count += (await Promise.all(underWay.splice(0))).filter(Boolean).length;
  };
  for await (const { id } of letters) if (underWay.push(act(id)) === AT_ONCE) await finish();
  await finish();
  return count;
}

/** Puts one back into the queue; false if it is gone. */
export async function retryLetter(
  letters: DeadLetters,
  receipts: Receipts,
  queue: QueueName,
  id: string,
): Promise<boolean> {
  await reopenPushes(receipts, queue, id, parseJson((await letters.data(id)) ?? ''));
  return letters.retry(id);
}

/** What a list shows of a dead letter: where it is from, and nothing of its rows. */
export function summarise({ id, failedAt, reason }: DeadLetter, data: string | null) {
  const headers = headersOf(parseJson(data ?? ''));
  const some = (field: 'shop_id' | 'batch_id' | 'request_id'): string[] =>
    [...new Set(headers.flatMap((header) => header[field] ?? []))].slice(0, MAX_NAMES);
  return {
    id,
    failed_at: new Date(failedAt).toISOString(),
    reason,
    bytes: Buffer.byteLength(data ?? ''),
    pushes: headers.length,
    shops: some('shop_id'),
    batch_ids: some('batch_id'),
    request_ids: some('request_id'),
  };
}

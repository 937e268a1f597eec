import { countErrors, type IngestHeader, type IngestKind } from '../domain/ingest.js';
import { unavailable, type ErrorDetail } from '../errors.js';
import type { TakeStamps } from '../state/stamps.js';

/** One item of a push whose outcome depends on nothing but itself. `item` is absent when it has faults. */
export interface CheckedItem<Item> {
  item?: Item;
  errors: ErrorDetail[];
}

export interface StampedItem<Item> {
  item: Item;
  stamp: number;
}

/** The accepted items of a push in order, each with a stamp of its own. Throws `queue_unavailable`. */
export async function stampItems<Item>(
  checked: readonly CheckedItem<Item>[],
  takeStamps: TakeStamps,
): Promise<StampedItem<Item>[]> {
  const items = checked.flatMap(({ item }) => (item === undefined ? [] : [item]));
  if (items.length === 0) return [];
  let first: number;
  try {
    first = await takeStamps(items.length);
  } catch (error) {
    throw unavailable(
      'queue_unavailable',
      'The queue is out of reach; nothing was taken. Send the request again.',
      error,
    );
  }
  return items.map((item, i) => ({ item, stamp: first + i }));
}

export function outcomeOf(checked: CheckedItem<unknown>): { outcome: 'accepted' | 'rejected'; errors?: ErrorDetail[] } {
  return checked.item === undefined ? { outcome: 'rejected', errors: checked.errors } : { outcome: 'accepted' };
}

export function countOutcomes(checked: readonly CheckedItem<unknown>[]): { accepted: number; rejected: number } {
  const accepted = checked.filter(({ item }) => item !== undefined).length;
  return { accepted, rejected: checked.length - accepted };
}

/** The log entry of a push. */
export function ingestHeader(
  { shopId, kind, batchId, nowMs }: { shopId: string; kind: IngestKind; batchId: string; nowMs: number },
  checked: readonly CheckedItem<unknown>[],
): IngestHeader {
  return {
    shop_id: shopId,
    kind,
    batch_id: batchId,
    received_at: nowMs,
    ...countOutcomes(checked),
    superseded: 0,
    errors: countErrors(checked.map(({ errors }) => errors)),
  };
}

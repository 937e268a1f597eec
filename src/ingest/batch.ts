import { randomUUID } from 'node:crypto';
import { fieldsOf } from '../domain/fields.js';
import { countErrors, type IngestHeader, type LoggedKind, type Sender } from '../domain/ingest.js';
import { batchId } from '../domain/receipts.js';
import { echo, queueOutOfReach, supplied, type ErrorDetail } from '../errors.js';
import type { Items } from '../body/items.js';
import type { Yielder } from '../body/yielding.js';
import type { PushId, Receipts } from '../redis/receipts.js';
import { checkItems, type CheckItem } from './check.js';
import type { GroupCommit } from './group-commit.js';
import type { RejectedItems } from './rejections.js';

/** One item whose outcome does not depend on other items. `item` is absent when it has faults. */
export interface CheckedItem<Item> {
  item?: Item;
  errors: readonly ErrorDetail[];
}

/** One with the fields by which its result names it. */
export interface NamedItem<Item, Ids extends object> extends CheckedItem<Item> {
  ids: Ids;
}

/** What a kind of push says of its items. */
export interface ItemKind<Item, Ids extends object> {
  check: CheckItem;
  idsOf: (value: unknown) => Ids;
  /** The valid value as it is stored. */
  read: (value: unknown) => Item;
  /** Copies what is kept of a rejected value. */
  onRejected?: (position: number, value: unknown, errors: readonly ErrorDetail[], ids: Ids) => void;
}

/** Checks the items of a push whose outcomes do not depend on each other. */
export async function checkNamed<Item, Ids extends object>(
  items: Items,
  yielder: Yielder,
  { check, idsOf, read, onRejected }: ItemKind<Item, Ids>,
): Promise<NamedItem<Item, Ids>[]> {
  const checked: NamedItem<Item, Ids>[] = [];
  await checkItems(items, yielder, check, (value, errors) => {
    const ids = idsOf(value);
    if (errors.length > 0) onRejected?.(checked.length, value, errors, ids);
    checked.push({ ids, errors, ...(errors.length === 0 && { item: read(value) }) });
  });
  return checked;
}

/** The result of each item of a push, in its order. */
export function resultsOf<Ids extends object>(checked: readonly NamedItem<unknown, Ids>[]) {
  return checked.map((one) => ({ ...one.ids, ...outcomeOf(one) }));
}

export interface StampedItem<Item> {
  item: Item;
  stamp: number;
}

export function newBatchId(nowMs: number): string {
  return batchId(nowMs, randomUUID());
}

/** Logs a change of settings, which is a push of one item; gives its receipt. Throws `store_unavailable`. */
export async function logChange(
  { sender, kind, stamp }: { sender: Sender; kind: LoggedKind; stamp: number },
  { writeLog, now }: { writeLog: (headers: readonly IngestHeader[]) => Promise<void>; now: () => number },
): Promise<string> {
  const batchId = newBatchId(now());
  const header = ingestHeader({ sender, kind, batchId, nowMs: now() }, [{ item: true, errors: [] }]);
  await writeLog([{ ...header, first_stamp: stamp, last_stamp: stamp }]);
  return batchId;
}

/** A push whose items were checked. */
export interface CheckedPush<Item> {
  sender: Sender;
  kind: LoggedKind;
  checked: readonly CheckedItem<Item>[];
  /** Absent: rejected items are in the answer alone. */
  rejections?: RejectedItems;
}

export interface QueueDeps<Push> {
  receipts: Pick<Receipts, 'open'>;
  commit: Pick<GroupCommit<Push>, 'openSlot'>;
  now: () => number;
}

/**
 * Puts a push into the durable queue, its accepted items under stamps of their own, and its rejected ones; `encode` gives the push and
 * its rows by table. Gives the answer but for its results. Throws `queue_unavailable`.
 */
export async function queueItems<Item, Push>(
  { sender, kind, checked, rejections }: CheckedPush<Item>,
  { receipts, commit, now }: QueueDeps<Push>,
  encode: (header: IngestHeader, items: readonly StampedItem<Item>[]) => { push: Push; segments: readonly Buffer[] },
) {
  const { shopId } = sender;
  const batchId = newBatchId(now());
  const { accepted } = countOutcomes(checked);
  const slot = commit.openSlot(shopId, { rows: accepted, bytes: 0 });
  try {
    const items = await stampItems({ shopId, batchId, jobKey: slot.jobKey }, checked, receipts);
    const header = { ...ingestHeader({ sender, kind, batchId, nowMs: now() }, checked), ...stampsOf(items) };
    const { push, segments } = encode(header, items);
    await Promise.all([slot.commit(push, segments), rejections?.keep(batchId)]);
  } finally {
    slot.release();
  }
  return { ...countOutcomes(checked), ...receiptOf(batchId, accepted) };
}

/** The accepted items of a push in order, each with a stamp of its own; the push is then under way. */
async function stampItems<Item>(
  push: PushId & { jobKey: string },
  checked: readonly CheckedItem<Item>[],
  receipts: Pick<Receipts, 'open'>,
): Promise<StampedItem<Item>[]> {
  const items = checked.flatMap(({ item }) => (item === undefined ? [] : [item]));
  if (items.length === 0) return [];
  let first: number;
  try {
    first = await receipts.open({ ...push, count: items.length });
  } catch (error) {
    throw queueOutOfReach(error);
  }
  return items.map((item, i) => ({ item, stamp: first + i }));
}

/** The stamps of a push as its log entry names them. */
function stampsOf(items: readonly StampedItem<unknown>[]): Pick<IngestHeader, 'first_stamp' | 'last_stamp'> {
  const [first, last] = [items[0], items.at(-1)];
  return first === undefined || last === undefined ? {} : { first_stamp: first.stamp, last_stamp: last.stamp };
}

function outcomeOf(checked: CheckedItem<unknown>): {
  outcome: 'accepted' | 'rejected';
  errors?: readonly ErrorDetail[];
} {
  return checked.item === undefined ? { outcome: 'rejected', errors: checked.errors } : { outcome: 'accepted' };
}

/** The receipt of a push, for its answer, if any of it was taken. */
export function receiptOf(batchId: string, accepted: number): { receipt?: string } {
  return accepted > 0 ? { receipt: batchId } : {};
}

export function countOutcomes(checked: readonly CheckedItem<unknown>[]): { accepted: number; rejected: number } {
  const accepted = checked.filter(({ item }) => item !== undefined).length;
  return { accepted, rejected: checked.length - accepted };
}

/** What the log entry of a push says of who sent it, and by which its request is found again. */
export function senderFields({ keyLast4, requestId, traceId, startedAt }: Sender) {
  return {
    key_last4: keyLast4,
    request_id: requestId,
    trace_id: traceId,
    ...(startedAt !== undefined && { ms: Math.max(0, Math.round(performance.now() - startedAt)) }),
  };
}

/** The log entry of a push. */
export function ingestHeader(
  { sender, kind, batchId, nowMs }: { sender: Sender; kind: LoggedKind; batchId: string; nowMs: number },
  checked: readonly CheckedItem<unknown>[],
): IngestHeader {
  return {
    shop_id: sender.shopId,
    kind,
    batch_id: batchId,
    received_at: nowMs,
    ...countOutcomes(checked),
    superseded: 0,
    errors: countErrors(checked.map(({ errors }) => errors)),
    ...senderFields(sender),
  };
}

/** An id of an item as its result repeats it. */
export function suppliedId(item: unknown, field: string): string | null {
  return supplied(fieldsOf(item)[field]);
}

/** Another text of an item as its result repeats it; null: it was no text. */
export function suppliedText(item: unknown, field: string): string | null {
  const value = fieldsOf(item)[field];
  return typeof value === 'string' ? echo(value) : null;
}

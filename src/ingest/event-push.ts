import type { EventRow } from '../domain/events/event.js';
import { countErrors, mergeErrors, type RequestIds } from '../domain/ingest.js';
import type { ShardOf } from '../domain/shard-of.js';
import type { ErrorDetail } from '../errors.js';
import type { EventsPush } from '../queue/jobs.js';
import type { Producer } from '../queue/producer.js';
import { createEventWriter, EVENT_HEAD } from '../warehouse/columns/events.js';
import { RowBinaryWriter } from '../warehouse/columns/row-binary.js';
import { createGroupCommit } from './group-commit.js';

/** The outcome of one request. */
export interface TakenEvents {
  shopId: string;
  request: RequestIds;
  /** The events that are stored. */
  rows: readonly EventRow[];
  /** The faults of every dropped one. */
  dropped: readonly (readonly ErrorDetail[])[];
}

/** Encodes the events at once; resolves once Redis holds them. Throws `queue_unavailable`. */
export type QueueEvents = (taken: TakenEvents) => Promise<void>;

/** Events of a shop that leave in one job are one entry of the ingest log: there may be thousands of requests a second. */
export function createEventQueue(producer: Pick<Producer, 'add'>, now: () => number, shardOf?: ShardOf): QueueEvents {
  const commit = createGroupCommit<EventsPush>({
    producer,
    queue: 'events',
    ...(shardOf && { shardOf }),
    heads: [EVENT_HEAD],
    merge: { keyOf: ({ header }) => header.shop_id, into: merge },
  });
  const writer = new RowBinaryWriter();
  const takeArrival = createArrivals();

  return (taken) => {
    const { shopId, rows } = taken;
    writer.reset();
    const write = createEventWriter(writer);
    for (const row of rows) write(shopId, row, takeArrival(row.received_at));
    // The next request writes in the same memory.
    const bytes = Buffer.from(writer.bytes());
    const slot = commit.openSlot(shopId, { rows: rows.length, bytes: bytes.length });
    return slot.commit(toPush(`${slot.jobId}:${shopId}`, taken, now()), [bytes]);
  };
}

/** Strictly increasing numbers of arrival, so that the first of two equal event ids is known. */
function createArrivals(): (receivedAt: number) => number {
  let last = 0;
  return (receivedAt) => (last = Math.max(receivedAt * 1000, last + 1));
}

function toPush(batchId: string, { shopId, request, rows, dropped }: TakenEvents, receivedAt: number): EventsPush {
  const push: EventsPush = {
    header: {
      shop_id: shopId,
      kind: 'events',
      batch_id: batchId,
      received_at: receivedAt,
      accepted: rows.length,
      rejected: dropped.length,
      superseded: 0,
      errors: countErrors(dropped),
      // Of the first request, where several share the entry.
      request_id: request.requestId,
      trace_id: request.traceId,
    },
    visitors: [],
    orders: [],
    checkouts: [],
    since: Number.MAX_SAFE_INTEGER,
  };
  for (const { anon_id, order_id, checkout_token, ts } of rows) {
    addTo(push.visitors, anon_id);
    addTo(push.orders, order_id);
    addTo(push.checkouts, checkout_token);
    if (ts < push.since) push.since = ts;
  }
  return push;
}

/** A request has few of them. */
function addTo(list: string[], value: string): void {
  if (value !== '' && !list.includes(value)) list.push(value);
}

/** Ids that stand twice cost the worker nothing: it makes sets of them. */
function merge(entry: EventsPush, { header, visitors, orders, checkouts, since }: EventsPush): void {
  const { header: into } = entry;
  into.accepted += header.accepted;
  into.rejected += header.rejected;
  into.errors = mergeErrors(into.errors, header.errors);
  entry.visitors.push(...visitors);
  entry.orders.push(...orders);
  entry.checkouts.push(...checkouts);
  entry.since = Math.min(entry.since, since);
}

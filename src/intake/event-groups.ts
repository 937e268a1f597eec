import { randomUUID } from 'node:crypto';
import type { EventRow } from '../domain/events/event.js';
import { PLAIN, plainText, type PlainBatch } from '../domain/events/plain-batch.js';
import type { Visit } from '../domain/events/visit.js';
import { countErrors, type IngestHeader } from '../domain/ingest.js';
import { unavailable, type ErrorDetail } from '../errors.js';
import { packSegments, type NewJob, type EventsJob, type ShopEvents } from '../queue/jobs.js';
import type { Producer } from '../queue/producer.js';
import {
  createEventWriter,
  createPlainEventWriter,
  type WriteEvent,
  type WritePlainEvent,
} from '../warehouse/events.js';
import { RowBinaryWriter } from '../warehouse/row-binary.js';

/** What one request brought: rows to store, and the faults of every dropped event. */
export interface TakenEvents {
  shopId: string;
  rows: readonly EventRow[];
  /** Nothing in it may quote what the client sent: it is kept in the ingest log. */
  dropped: readonly (readonly ErrorDetail[])[];
}

/** A plain batch of which every event is to be stored, with what was read out of each. */
export interface TakenPlainBatch {
  shopId: string;
  batch: PlainBatch;
  /** Milliseconds since 1970. */
  receivedAt: number;
  times: readonly number[];
  visits: readonly Visit[];
}

export interface EventGroups {
  /** Resolves once Redis holds the events; throws `queue_unavailable`. */
  add(taken: TakenEvents): Promise<void>;
  /** The same; nothing of the batch is needed when it returns. */
  addBatch(taken: TakenPlainBatch): Promise<void>;
}

/** A group that is gathered while the one before is written. */
interface Group {
  writer: RowBinaryWriter;
  write: WriteEvent;
  writePlain: WritePlainEvent;
  shops: Map<string, ShopState>;
  done: Promise<void>;
  settle: (error?: Error) => void;
}

interface ShopState {
  accepted: number;
  dropped: (readonly ErrorDetail[])[];
  visitors: Set<string>;
  orders: Set<string>;
  checkouts: Set<string>;
  since: number;
}

const ANON_ID = 1 << PLAIN.anon_id;
/** Bytes of rows in one job; what arrives beyond waits for the next. */
const GROUP_BYTES = 1024 * 1024;
/** What a group under load comes to, so that its memory is not grown and copied again and again. */
const WRITER_BYTES = 512 * 1024;
/** Jobs on their way at once: while Redis puts one on the disk, the next is compressed and sent. */
const WRITES = 2;
/** Bytes that may wait while Redis is slow; beyond, the door is closed. */
const WAITING_BYTES = 64 * 1024 * 1024;

/**
 * Group commit: whatever arrived while the previous write was under way goes as one job. Under load that is one write for
 * many requests; alone, a request waits for nothing but its own.
 */
export function createEventGroups(producer: Producer, now: () => number): EventGroups {
  const waiting: Group[] = [];
  const spare: RowBinaryWriter[] = [];
  let writes = 0;
  let lastArrival = 0;

  const nextGroup = (): Group => {
    if (waiting.length * GROUP_BYTES > WAITING_BYTES) {
      throw unavailable('queue_unavailable', 'The queue is too slow; nothing was taken. Send the request again later.');
    }
    const last = waiting.at(-1);
    if (last !== undefined && last.writer.length < GROUP_BYTES) return last;
    const group = openGroup(spare.pop() ?? new RowBinaryWriter(WRITER_BYTES));
    waiting.push(group);
    return group;
  };

  const writeAll = async (): Promise<void> => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      try {
        const jobId = randomUUID();
        const shops = shopsOf(group, jobId, now());
        const rows = packSegments([group.writer.bytes()]);
        group.writer.reset();
        if (spare.length < WRITES + 1) spare.push(group.writer);
        const job: NewJob<EventsJob> = { schema: 1, shops, rows };
        await producer.add('events', jobId, job);
        group.settle();
      } catch (error) {
        group.settle(error as Error);
      }
    }
    writes--;
  };

  const begin = (): void => {
    if (writes === WRITES) return;
    writes++;
    setImmediate(() => void writeAll());
  };

  /** Strictly increasing, so that of two equal ids the first is told from the second. */
  const nextArrival = (receivedAt: number): number => {
    lastArrival = Math.max(receivedAt * 1000, lastArrival + 1);
    return lastArrival;
  };

  return {
    add({ shopId, rows, dropped }) {
      const group = nextGroup();
      const shop = shopOf(group, shopId);
      for (const row of rows) {
        group.write(shopId, row, nextArrival(row.received_at));
        shop.visitors.add(row.anon_id);
        if (row.order_id !== '') shop.orders.add(row.order_id);
        if (row.checkout_token !== '') shop.checkouts.add(row.checkout_token);
        if (row.ts < shop.since) shop.since = row.ts;
      }
      shop.accepted += rows.length;
      shop.dropped.push(...dropped);
      begin();
      return group.done;
    },
    addBatch({ shopId, batch, receivedAt, times, visits }) {
      const group = nextGroup();
      const shop = shopOf(group, shopId);
      for (let event = 0; event < batch.count; event++) {
        const visit = visits[event];
        const ts = times[event];
        if (visit === undefined || ts === undefined) throw new Error('a batch has a time and a visit for each event');
        group.writePlain(batch, event, shopId, { receivedAt, ts, visit, arrival: nextArrival(receivedAt) });
        if (((batch.repeated[event] ?? 0) & ANON_ID) === 0) shop.visitors.add(plainText(batch, event, PLAIN.anon_id));
        if (ts < shop.since) shop.since = ts;
      }
      shop.accepted += batch.count;
      begin();
      return group.done;
    },
  };
}

function openGroup(writer: RowBinaryWriter): Group {
  let settle: Group['settle'] = () => undefined;
  const done = new Promise<void>((resolve, reject) => {
    settle = (error) => (error === undefined ? resolve() : reject(error));
  });
  return {
    writer,
    write: createEventWriter(writer),
    writePlain: createPlainEventWriter(writer),
    shops: new Map(),
    done,
    settle,
  };
}

function shopOf(group: Group, shopId: string): ShopState {
  const known = group.shops.get(shopId);
  if (known !== undefined) return known;
  const state: ShopState = {
    accepted: 0,
    dropped: [],
    visitors: new Set(),
    orders: new Set(),
    checkouts: new Set(),
    since: Number.MAX_SAFE_INTEGER,
  };
  group.shops.set(shopId, state);
  return state;
}

function shopsOf({ shops }: Group, jobId: string, receivedAt: number): ShopEvents[] {
  return [...shops].map(([shopId, shop]): ShopEvents => {
    const { accepted, dropped, since } = shop;
    const header: IngestHeader = {
      shop_id: shopId,
      kind: 'events',
      batch_id: `${jobId}:${shopId}`,
      received_at: receivedAt,
      accepted,
      rejected: dropped.length,
      superseded: 0,
      errors: countErrors(dropped),
    };
    return { header, visitors: [...shop.visitors], orders: [...shop.orders], checkouts: [...shop.checkouts], since };
  });
}

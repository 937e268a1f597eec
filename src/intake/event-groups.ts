import { randomUUID } from 'node:crypto';
import { countErrors, type IngestHeader } from '../domain/ingest.js';
import { unavailable, type ErrorDetail } from '../errors.js';
import type { Packed, NewJob, EventsJob, ShopEvents } from '../queue/jobs.js';
import type { Producer } from '../queue/producer.js';

/** What one request brought, beside its rows. */
export interface TakenEvents {
  shopId: string;
  /** How many events are stored. */
  accepted: number;
  /** The faults of every dropped one. Nothing in them may quote what the client sent: they are kept in the ingest log. */
  dropped: readonly (readonly ErrorDetail[])[];
  /** `anon_id` of each visitor. */
  visitors: Iterable<string>;
  /** Order ids and checkout tokens of the events; none of them is empty. */
  orders: Iterable<string>;
  checkouts: Iterable<string>;
  /** Time of the earliest stored event, in milliseconds since 1970. */
  since: number;
}

/** The rows of a group. */
export interface GroupRows {
  /** Bytes, before they are compressed. */
  readonly length: number;
  /** As one segment, good until the next call of anything. */
  packed(): Packed;
  /** Begins anew. */
  reset(): void;
}

export interface EventGroups<Rows extends GroupRows> {
  /** Has the rows written, at once; resolves once Redis holds them. Throws `queue_unavailable`. */
  add(news: TakenEvents, write: (rows: Rows) => void): Promise<void>;
}

/** A group that is gathered while the one before is written. */
interface Group<Rows> {
  rows: Rows;
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

/** Bytes of rows in one job; what arrives beyond waits for the next. */
const GROUP_BYTES = 1024 * 1024;
/** Jobs on their way at once: while Redis puts one on the disk, the next is compressed and sent. */
const WRITES = 2;
/** Bytes that may wait while Redis is slow; beyond, the door is closed. */
const WAITING_BYTES = 64 * 1024 * 1024;

/**
 * Group commit: whatever arrived while the previous write was under way goes as one job. Under load that is one write for
 * many requests; alone, a request waits for nothing but its own.
 */
export function createEventGroups<Rows extends GroupRows>(
  producer: Producer,
  now: () => number,
  openRows: () => Rows,
): EventGroups<Rows> {
  const waiting: Group<Rows>[] = [];
  const spare: Rows[] = [];
  let writes = 0;

  const nextGroup = (): Group<Rows> => {
    if (waiting.length * GROUP_BYTES > WAITING_BYTES) {
      throw unavailable('queue_unavailable', 'The queue is too slow; nothing was taken. Send the request again later.');
    }
    const last = waiting.at(-1);
    if (last !== undefined && last.rows.length < GROUP_BYTES) return last;
    const group = openGroup(spare.pop() ?? openRows());
    waiting.push(group);
    return group;
  };

  const writeAll = async (): Promise<void> => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      try {
        const jobId = randomUUID();
        const shops = shopsOf(group, jobId, now());
        const job: NewJob<EventsJob> = { schema: 1, shops, rows: group.rows.packed() };
        const added = producer.add('events', jobId, job);
        group.rows.reset();
        if (spare.length < WRITES + 1) spare.push(group.rows);
        await added;
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

  return {
    add({ shopId, accepted, dropped, visitors, orders, checkouts, since }, write) {
      const group = nextGroup();
      write(group.rows);
      const shop = shopOf(group.shops, shopId);
      shop.accepted += accepted;
      shop.dropped.push(...dropped);
      for (const visitor of visitors) shop.visitors.add(visitor);
      for (const order of orders) shop.orders.add(order);
      for (const checkout of checkouts) shop.checkouts.add(checkout);
      if (since < shop.since) shop.since = since;
      begin();
      return group.done;
    },
  };
}

/** Gives the number of the first of so many arrivals, in microseconds. */
export type TakeArrivals = (receivedAt: number, count: number) => number;

/** Numbers of arrivals, each larger than all before, so that of two equal event ids the first is told from the second. */
export function createArrivals(): TakeArrivals {
  let last = 0;
  return (receivedAt, count) => {
    const first = Math.max(receivedAt * 1000, last + 1);
    last = first + count - 1;
    return first;
  };
}

function openGroup<Rows>(rows: Rows): Group<Rows> {
  let settle: Group<Rows>['settle'] = () => undefined;
  const done = new Promise<void>((resolve, reject) => {
    settle = (error) => (error === undefined ? resolve() : reject(error));
  });
  return { rows, shops: new Map(), done, settle };
}

function shopOf(shops: Map<string, ShopState>, shopId: string): ShopState {
  const known = shops.get(shopId);
  if (known !== undefined) return known;
  const state: ShopState = {
    accepted: 0,
    dropped: [],
    visitors: new Set(),
    orders: new Set(),
    checkouts: new Set(),
    since: Number.MAX_SAFE_INTEGER,
  };
  shops.set(shopId, state);
  return state;
}

function shopsOf({ shops }: Group<unknown>, jobId: string, receivedAt: number): ShopEvents[] {
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

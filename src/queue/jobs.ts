import type { IngestHeader } from '../domain/ingest.js';
import type { WarningCode } from '../domain/orders/warning-codes.js';

/** One queue per kind of work; each has one processor under `workers/`. */
export const QUEUES = ['orders', 'spend', 'product-costs', 'order-costs', 'rates', 'events', 'rejections'] as const;
export type QueueName = (typeof QUEUES)[number];

/** Prefix of every BullMQ key. */
export const QUEUE_PREFIX = 'bull';

/** The tables for the rows of a queue's jobs, in the order of the segments. */
export const TABLES = {
  orders: ['orders', 'order_days'],
  spend: ['ad_spend', 'ad_spend_clears'],
  'product-costs': ['product_costs'],
  'order-costs': ['order_costs'],
  rates: ['rates'],
  events: ['events'],
  rejections: ['rejections'],
} as const satisfies Record<QueueName, readonly string[]>;

/** The Redis key of a job: it exists as long as the job is waiting, running or failed. */
export function jobKey(queue: QueueName, jobId: string): string {
  return `${QUEUE_PREFIX}:${queue}:${jobId}`;
}

/**
 * What was decided of a push, and the first arrival stamp. Of each of its orders, in order: `s` for superseded; accepted is `n` as a new
 * one, `k` as one of which a version is known, and `a` where neither is sure.
 */
export type Reserved = [outcomes: string, firstStamp: number];

/** A push of orders: its log entry, and the ids for settling. */
export interface OrdersPush {
  header: IngestHeader;
  order_ids: string[];
  /** Checkout tokens that the orders carry. */
  checkouts: string[];
  /** Orders to delete, which have no rows yet. Absent: none. */
  deletions?: OrderDeletion[];
  /** The orders are written again because of their clock: the first and last arrival stamp. No shop pushed them, so they are not logged. */
  clock_move?: { first_stamp: number; last_stamp: number };
}

/** A push of orders that was queued as it was reserved. It names all its orders, and its log entry does not say what came of them. */
export interface ClaimedOrders extends OrdersPush {
  /** Codes of warnings, with the index of the order. */
  warnings: [index: number, code: WarningCode][];
}

/** The newest stored state of the order is written again as deleted, with this version (microseconds) and arrival stamp. */
export interface OrderDeletion {
  order_id: string;
  updated_at: number;
  stamp: number;
  /** The version that was the newest one before, whose rows may still be on their way. */
  replaces?: number;
}

/** A push of unit costs: its log entry, and the arrival stamps of its rows (`count` of them from `first` on). */
export interface ProductCostsPush {
  header: IngestHeader;
  stamps: { first: number; count: number };
}

/** A push of costs of orders: its log entry and the orders. */
export interface OrderCostsPush {
  header: IngestHeader;
  order_ids: string[];
}

/** A push of exchange rates: its log entry. */
export interface RatesPush {
  header: IngestHeader;
}

/** A push of ad spend: its log entry and the days (`YYYY-MM-DD`) that it touches. */
export interface SpendPush {
  header: IngestHeader;
  days: string[];
}

/** Events of one shop: their log entry, and what to look for in the orders they may explain. */
export interface EventsPush {
  header: IngestHeader;
  /** `anon_id` of every visitor. */
  visitors: string[];
  /** Order ids and checkout tokens that the events name. */
  orders: string[];
  checkouts: string[];
  /** Time of the earliest event, in milliseconds since 1970. */
  since: number;
}

/** Rejected items of one push. */
export interface RejectionsPush {
  header: Pick<IngestHeader, 'shop_id' | 'batch_id'>;
}

/** Number of the form of a job. A new column needs no new one: rows carry their columns. */
export const JOB_SCHEMA = 1;

/** That of a job that says by itself what was decided of its pushes. Its workers read {@link JOB_SCHEMA} as well. */
export const RESERVED_SCHEMA = 2;

/** A job whose pushes were reserved as it was queued; null: the push is none of it. */
export interface ReservedJob extends GroupJob<ClaimedOrders> {
  reserved: (Reserved | null)[];
}

/** What a push has in its job. */
export interface JobPush {
  bytes: number[];
  /** Its rows have no stamps yet, and those of superseded orders are among them, see `stamped-rows.ts`. Absent: they are as they stay. */
  reserved?: Reserved;
  /** Those of its orders of which it is not sure whether they are new, with their index. Absent: none. */
  doubted?: [index: number, orderId: string][];
}

/** A job of a group commit: pushes of any number of shops. */
export interface GroupJob<Push> {
  /** {@link JOB_SCHEMA} of the process that made the job. */
  schema: number;
  /** Each with the number of bytes of its rows in every table; segments have the rows in the same order. */
  pushes: (Push & JobPush)[];
  /** One segment per table with the rows of all pushes, see `segments.ts`. */
  rows: string;
}

/** A job before it is queued: its rows are bytes, which the queue holds as base64. */
export type NewJob<Job extends { rows: string }> = Omit<Job, 'rows'> & { rows: Buffer };

/** A new job of any kind. */
export type AnyNewJob = NewJob<{ schema: number; rows: string }>;

const TEXT_END = '"}';

/** The JSON text of a job's data in UTF-8. The rows, nearly all of it, are at the end. */
export function jobBytes({ rows, ...rest }: AnyNewJob): Buffer {
  const head = `${JSON.stringify(rest).slice(0, -1)},"rows":"`;
  const base64 = rows.toString('base64');
  // Not from the shared pool: a job that waits for Redis would keep the whole block of the pool.
  const text = Buffer.allocUnsafeSlow(Buffer.byteLength(head) + base64.length + TEXT_END.length);
  const at = text.write(head);
  text.write(base64, at, 'latin1');
  text.write(TEXT_END, at + base64.length);
  return text;
}

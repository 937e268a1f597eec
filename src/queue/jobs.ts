import type { IngestHeader } from '../domain/ingest.js';

/** One queue a kind of work; each has one processor under `workers/`. */
export const QUEUES = ['orders', 'spend', 'product-costs', 'events', 'rejections'] as const;
export type QueueName = (typeof QUEUES)[number];

/** Prefix of every BullMQ key. */
export const QUEUE_PREFIX = 'bull';

/** The tables that the rows of a queue's jobs are for, in the order of their segments. */
export const TABLES = {
  orders: ['orders', 'order_days'],
  spend: ['ad_spend', 'ad_spend_clears'],
  'product-costs': ['product_costs'],
  events: ['events'],
  rejections: ['rejections'],
} as const satisfies Record<QueueName, readonly string[]>;

/** The Redis key of a job: it exists as long as the job is waiting, running or failed. */
export function jobKey(queue: QueueName, jobId: string): string {
  return `${QUEUE_PREFIX}:${queue}:${jobId}`;
}

/** A push of orders: its log entry, and the ids for settling. */
export interface OrdersPush {
  header: IngestHeader;
  order_ids: string[];
}

/** A push of unit costs: its log entry, and the arrival stamps of its rows (`count` of them from `first` on). */
export interface ProductCostsPush {
  header: IngestHeader;
  stamps: { first: number; count: number };
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

/** The schema that jobs are written with now. A new column needs no new one: columns travel with the rows. */
export const JOB_SCHEMA = 5;

/** What a group commit took: pushes of any number of shops that went to the queue together. */
export interface GroupJob<Push> {
  /** The form of the job, see `read-job.ts`. */
  schema: number;
  /** Each with the bytes of its rows in every table, in which order they stand in the segments. */
  pushes: (Push & { bytes: number[] })[];
  /** A segment a table, the rows of all pushes one after the other; see `segments.ts`. */
  rows: string;
}

/** A job on its way into the queue: its rows are still the bytes that stand there as base64. */
export type NewJob<Job extends { rows: string }> = Omit<Job, 'rows'> & { rows: Buffer };

/** What every job on its way into the queue has. */
export type AnyNewJob = NewJob<{ schema: number; rows: string }>;

const TEXT_END = '"}';

/** The JSON text of a job's data in UTF-8. The rows, which are nearly all of it, stand at its end. */
export function jobBytes({ rows, ...rest }: AnyNewJob): Buffer {
  const head = `${JSON.stringify(rest).slice(0, -1)},"rows":"`;
  const base64 = rows.toString('base64');
  // In memory of its own, because a small part of a shared block that waits for Redis would keep all of it.
  const text = Buffer.allocUnsafeSlow(Buffer.byteLength(head) + base64.length + TEXT_END.length);
  const at = text.write(head);
  text.write(base64, at, 'latin1');
  text.write(TEXT_END, at + base64.length);
  return text;
}

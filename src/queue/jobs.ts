import { compressSync, uncompressSync } from 'snappy';
import type { IngestHeader } from '../domain/ingest.js';

/** One queue a kind of work; each has one processor under `workers/`. */
export const QUEUES = ['orders', 'spend', 'product-costs', 'events'] as const;
export type QueueName = (typeof QUEUES)[number];

/** Prefix of every BullMQ key. */
export const QUEUE_PREFIX = 'bull';

/** The Redis key of a job: it exists as long as the job is waiting, running or failed. */
export function jobKey(queue: QueueName, jobId: string): string {
  return `${QUEUE_PREFIX}:${queue}:${jobId}`;
}

/** A push of orders: its log entry, the ids for settling, and the rows as the warehouse takes them. */
export interface OrdersJob {
  schema: 1;
  header: IngestHeader;
  order_ids: string[];
  /** Segments of {@link packSegments}: rows of `orders`, rows of `order_days`. */
  rows: string;
}

/** A push of unit costs: its log entry and the rows of `product_costs`. */
export interface ProductCostsJob {
  schema: 1;
  header: IngestHeader;
  /** Arrival stamps of the rows: `count` of them from `first` on. */
  stamps: { first: number; count: number };
  /** One segment of {@link packSegments}. */
  rows: string;
}

/** A push of ad spend: its log entry and the days that it touches. */
export interface SpendJob {
  schema: 1;
  header: IngestHeader;
  /** `YYYY-MM-DD`, each once. */
  days: string[];
  /** Segments of {@link packSegments}: rows of `ad_spend`, rows of `ad_spend_clears`. */
  rows: string;
}

/** Events of one shop in a job: their log entry, and what to look for in the orders they may explain. */
export interface ShopEvents {
  header: IngestHeader;
  /** `anon_id` of every visitor. */
  visitors: string[];
  /** Order ids and checkout tokens that the events name. */
  orders: string[];
  checkouts: string[];
  /** Time of the earliest event, in milliseconds since 1970. */
  since: number;
}

/** What a group commit of the collector took, of any number of shops. */
export interface EventsJob {
  schema: 1;
  shops: ShopEvents[];
  /** Segments of {@link packSegments}: rows of `events`. */
  rows: string;
}

/** A job on its way into the queue. */
export type NewJob<Job extends { rows: string }> = Omit<Job, 'rows'> & { rows: Packed };

/** What every job on its way into the queue has. */
export type AnyNewJob = NewJob<{ schema: 1; rows: string }>;

/** What segments are put together in before they are compressed, each time anew; larger ones get memory of their own. */
const scratch = Buffer.allocUnsafeSlow(512 * 1024);

/** Binary segments → compressed. */
export function packSegments(segments: readonly Buffer[]): Packed {
  const size = segments.reduce((sum, { length }) => sum + length, segments.length * 4);
  const whole = size <= scratch.length ? scratch.subarray(0, size) : Buffer.allocUnsafe(size);
  let offset = segments.length * 4;
  segments.forEach((segment, i) => {
    whole.writeUInt32LE(segment.length, i * 4);
    offset += segment.copy(whole, offset);
  });
  return new Packed(compressSync(whole));
}

/** Bytes that {@link packElements} needs before the elements. */
export const ELEMENTS_ROOM = 10;

/**
 * One segment that is compressed already, left where it is.
 *
 * @param length of the segment before
 * @param memory {@link ELEMENTS_ROOM} and then the elements of a Snappy block, to the end
 */
export function packElements(length: number, memory: Buffer): Packed {
  const size = length + 4;
  const bytes = [7, 14, 21, 28].filter((bits) => size >= 2 ** bits).length + 1;
  const begin = ELEMENTS_ROOM - 5 - bytes;
  for (let i = 0; i < bytes; i++) memory[begin + i] = ((size >>> (7 * i)) & 0x7f) | (i + 1 < bytes ? 0x80 : 0);
  memory[ELEMENTS_ROOM - 5] = (4 - 1) << 2; // a literal of four bytes
  memory.writeUInt32LE(length, ELEMENTS_ROOM - 4);
  return new Packed(memory.subarray(begin));
}

/** Compressed bytes in a job that is made; in the queue they stand as base64. */
export class Packed {
  constructor(readonly bytes: Buffer) {}
}

const TEXT_END = '"}';

/** The JSON text of a job's data in UTF-8. The rows, which are nearly all of it, stand at its end. */
export function jobBytes({ rows, ...rest }: AnyNewJob): Buffer {
  const head = `${JSON.stringify(rest).slice(0, -1)},"rows":"`;
  const base64 = rows.bytes.toString('base64');
  // In memory of its own, because a small part of a shared block that waits for Redis would keep all of it.
  const text = Buffer.allocUnsafeSlow(Buffer.byteLength(head) + base64.length + TEXT_END.length);
  const at = text.write(head);
  text.write(base64, at, 'latin1');
  text.write(TEXT_END, at + base64.length);
  return text;
}

/** The inverse of {@link packSegments}. */
export function unpackSegments(packed: string, count: number): Buffer[] {
  const bytes = uncompressSync(Buffer.from(packed, 'base64'), { asBuffer: true }) as Buffer;
  let offset = count * 4;
  return Array.from({ length: count }, (_, i) => {
    const length = bytes.readUInt32LE(i * 4);
    offset += length;
    if (offset > bytes.length) throw new RangeError('a packed payload is shorter than its head says');
    return bytes.subarray(offset - length, offset);
  });
}

import { fieldsOf } from '../domain/fields.js';
import type { IngestHeader } from '../domain/ingest.js';
import type { ShardOf } from '../domain/shard-of.js';
import { JOB_SCHEMA, RESERVED_SCHEMA, TABLES, type GroupJob, type OrdersPush, type ReservedJob } from './jobs.js';
import { reservedPush } from './reserved-job.js';
import { packSegments, segmentsOf, type Segment } from './segments.js';

/** A job in a form that this worker doesn't know: it waits in the queue for a worker that does. */
export class UnknownSchemaError extends Error {
  override readonly name = 'UnknownSchemaError';
  constructor(schema: unknown) {
    super(`a job has the schema ${String(schema)}; this worker reads schema ${JOB_SCHEMA}`);
  }
}

/** The data of a job. Throws an {@link UnknownSchemaError}. */
export function readJob<Push>(data: unknown): GroupJob<Push> {
  const { schema, reserved } = fieldsOf(data) as { schema?: unknown; reserved?: unknown };
  if (schema === RESERVED_SCHEMA && Array.isArray(reserved))
    return withReserved(data as ReservedJob) as GroupJob<unknown> as GroupJob<Push>;
  if (schema !== JOB_SCHEMA) throw new UnknownSchemaError(schema);
  return data as GroupJob<Push>;
}

/** The job of those pushes that are part of it, each with what came of its orders. */
function withReserved(job: ReservedJob): GroupJob<OrdersPush> {
  const { reserved } = job;
  const isWhole = reserved.every((one) => one !== null);
  const { pushes, rows } = isWhole
    ? job
    : select(job, segmentsOf(job, TABLES.orders.length), (index) => reserved[index] !== null);
  const known = reserved.filter((one) => one !== null);
  return {
    schema: JOB_SCHEMA,
    pushes: pushes.flatMap((push, i) => {
      const own = known[i];
      return own === undefined ? [] : [reservedPush(push, own)];
    }),
    rows,
  };
}

/** Bytes of the rows of a job once they are unpacked. */
export function rowBytes<Push>({ pushes }: GroupJob<Push>): number {
  return pushes.reduce((sum, { bytes }) => bytes.reduce((a, b) => a + b, sum), 0);
}

/** The headers of the pushes of a job; none where its data are damaged, or in an unknown form. */
export function headersOf(data: unknown): Partial<IngestHeader>[] {
  try {
    return readJob<{ header?: Partial<IngestHeader> }>(data).pushes.map(({ header = {} }) => header);
  } catch {
    return [];
  }
}

/**
 * The pushes of a job, each as a job of its own, so that the one is found whose rows the warehouse refuses. Throws a RangeError if the
 * rows are damaged.
 *
 * @param tables number of segments
 */
export function pushesOf<Push>(job: GroupJob<Push>, tables: number): GroupJob<Push>[] {
  if (job.pushes.length < 2) return [job];
  const segments = segmentsOf(job, tables);
  return job.pushes.map((_, wanted) => select(job, segments, (index) => index === wanted));
}

/**
 * The parts of a job by shard. The pushes of a job are of one shard, unless it was queued when there were fewer. Throws a RangeError if the
 * rows are damaged.
 *
 * @param tables number of segments
 */
export function partsByShard<Push extends { header: Pick<IngestHeader, 'shop_id'> }>(
  job: GroupJob<Push>,
  shardOf: ShardOf,
  tables: number,
): Map<number, GroupJob<Push>> {
  const shards = job.pushes.map(({ header }) => shardOf(header.shop_id));
  const all = new Set(shards);
  const [first = 0] = all;
  if (all.size < 2) return new Map([[first, job]]);
  const segments = segmentsOf(job, tables);
  return new Map([...all].map((shard) => [shard, select(job, segments, (index) => shards[index] === shard)]));
}

/** A job of some of the pushes. */
function select<Push>(
  { schema, pushes }: GroupJob<Push>,
  segments: readonly Segment[],
  isWanted: (index: number) => boolean,
): GroupJob<Push> {
  const rowsOf = (rows: Buffer, table: number): Buffer => {
    let end = 0;
    const spans = pushes.map(({ bytes }) => rows.subarray(end, (end += bytes[table] ?? 0)));
    return Buffer.concat(spans.filter((_, index) => isWanted(index)));
  };
  return {
    schema,
    pushes: pushes.filter((_, index) => isWanted(index)),
    rows: packSegments(segments.map(({ head, rows }, table) => ({ head, rows: rowsOf(rows, table) }))).toString(
      'base64',
    ),
  };
}

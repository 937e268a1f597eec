import { fieldsOf } from '../domain/fields.js';
import type { IngestHeader } from '../domain/ingest.js';
import { JOB_SCHEMA, type GroupJob } from './jobs.js';
import { packSegments, segmentsOf } from './segments.js';

/** A job of a later release: it waits in the queue for a worker that can read it. */
export class UnknownSchemaError extends Error {
  override readonly name = 'UnknownSchemaError';
  constructor(schema: unknown) {
    super(`a job has the schema ${String(schema)}; this worker reads those up to ${JOB_SCHEMA}`);
  }
}

/**
 * The data of a job in the current form, whatever release wrote it. Earlier forms may be in the queue during an upgrade:
 *
 * schema 1, 2: one push (its fields beside `rows`), or for events a list `shops`; the bytes of a push's rows are not told;
 *   Snappy
 * schema 3: {@link GroupJob}; rows of product costs tell the day 1970-01-01 from the beginning; events have no evidence;
 *   Deflate
 * schema 4: the same, and events have evidence
 * schema 5: a head says which columns the rows have; before, they had those of `warehouse/columns/earlier.ts`
 */
export function readJob<Push>(data: unknown): GroupJob<Push> {
  const { schema, shops, rows, ...push } = fieldsOf(data) as { schema?: unknown; shops?: unknown[]; rows: string };
  switch (schema) {
    case 1:
    case 2:
      return { schema, rows, pushes: (shops ?? [push]) as GroupJob<Push>['pushes'] };
    case 3:
    case 4:
    case JOB_SCHEMA:
      return data as GroupJob<Push>;
    default:
      throw new UnknownSchemaError(schema);
  }
}

/** Bytes of the rows of a job once they are unpacked. Jobs of the schemas 1 and 2 don't tell: these are those of the packed rows. */
export function rowBytes<Push>({ schema, pushes, rows }: GroupJob<Push>): number {
  if (schema < 3) return rows.length;
  return pushes.reduce((sum, { bytes }) => bytes.reduce((a, b) => a + b, sum), 0);
}

/** The headers of the pushes of a job; none where its data are damaged, or of a later release. */
export function headersOf(data: unknown): Partial<IngestHeader>[] {
  try {
    return readJob<{ header?: Partial<IngestHeader> }>(data).pushes.map(({ header = {} }) => header);
  } catch {
    return [];
  }
}

/**
 * Splits a job whose rows the warehouse refuses, so that the push at fault is found in few tries and the others are written. Null if the
 * job has one push, or does not say which bytes belong to which push. Throws a RangeError if the rows are damaged.
 *
 * @param tables number of segments
 */
export function splitJob<Push>(job: GroupJob<Push>, tables: number): [GroupJob<Push>, GroupJob<Push>] | null {
  const { schema, pushes } = job;
  // Jobs of the schemas 1 and 2 have no numbers of bytes.
  if (pushes.length < 2 || schema < 3) return null;
  const half = pushes.length >> 1;
  const segments = segmentsOf(job, tables);
  const cuts = segments.map((_, i) => pushes.slice(0, half).reduce((sum, { bytes }) => sum + (bytes[i] ?? 0), 0));
  const part = (list: typeof pushes, cut: (rows: Buffer, at: number) => Buffer): GroupJob<Push> => ({
    schema,
    pushes: list,
    rows: packSegments(
      schema,
      segments.map(({ head, rows }, i) => ({ head, rows: cut(rows, cuts[i] ?? 0) })),
    ).toString('base64'),
  });
  return [
    part(pushes.slice(0, half), (rows, at) => rows.subarray(0, at)),
    part(pushes.slice(half), (rows, at) => rows.subarray(at)),
  ];
}

import { JOB_SCHEMA, type GroupJob } from './jobs.js';
import { packSegments, segmentsOf } from './segments.js';

/** A job of a later release than this one: it waits in the queue for a worker that knows its form. */
export class UnknownSchemaError extends Error {
  constructor(schema: unknown) {
    super(`a job has the schema ${String(schema)}; this worker reads those up to ${JOB_SCHEMA}`);
    this.name = 'UnknownSchemaError';
  }
}

/**
 * The data of a job in the form of today, whatever release wrote it. Jobs that were in the queue during an upgrade have:
 *
 * schema 1, 2: one push (its fields beside `rows`), or for events a list `shops`; the bytes of a push's rows are not told;
 *   Snappy
 * schema 3: {@link GroupJob}; rows of product costs tell the day 1970-01-01 from the beginning; events have no evidence;
 *   Deflate
 * schema 4: the same, and events have evidence
 * schema 5: a head says which columns the rows have; before, they had those of `warehouse/columns/earlier.ts`
 */
export function readJob<Push>(data: unknown): GroupJob<Push> {
  const { schema, shops, rows, ...push } = data as { schema: unknown; shops?: unknown[]; rows: string };
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

/**
 * Both halves of a job whose rows the warehouse refuses, so that the push at fault is found in few tries and its neighbours
 * are written. Null when there is one push, or it isn't told whose the bytes are. Throws a RangeError when the rows are
 * damaged.
 *
 * @param tables of the kind, a segment each
 */
export function splitJob<Push>(job: GroupJob<Push>, tables: number): [GroupJob<Push>, GroupJob<Push>] | null {
  const { schema, pushes } = job;
  // Jobs of the schemas 1 and 2 say nothing of bytes.
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

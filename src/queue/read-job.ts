import { fieldsOf } from '../domain/fields.js';
import type { IngestHeader } from '../domain/ingest.js';
import { JOB_SCHEMA, type GroupJob } from './jobs.js';
import { packSegments, segmentsOf } from './segments.js';

/** A job in a form that this worker doesn't know: it waits in the queue for a worker that does. */
export class UnknownSchemaError extends Error {
  override readonly name = 'UnknownSchemaError';
  constructor(schema: unknown) {
    super(`a job has the schema ${String(schema)}; this worker reads schema ${JOB_SCHEMA}`);
  }
}

/** The data of a job. Throws an {@link UnknownSchemaError}. */
export function readJob<Push>(data: unknown): GroupJob<Push> {
  const { schema } = fieldsOf(data) as { schema?: unknown };
  if (schema !== JOB_SCHEMA) throw new UnknownSchemaError(schema);
  return data as GroupJob<Push>;
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
 * Splits a job whose rows the warehouse refuses, so that the push at fault is found in few tries and the others are written. Null if the
 * job has one push. Throws a RangeError if the rows are damaged.
 *
 * @param tables number of segments
 */
export function splitJob<Push>(job: GroupJob<Push>, tables: number): [GroupJob<Push>, GroupJob<Push>] | null {
  const { schema, pushes } = job;
  if (pushes.length < 2) return null;
  const half = pushes.length >> 1;
  const segments = segmentsOf(job, tables);
  const cuts = segments.map((_, i) => pushes.slice(0, half).reduce((sum, { bytes }) => sum + (bytes[i] ?? 0), 0));
  const part = (list: typeof pushes, cut: (rows: Buffer, at: number) => Buffer): GroupJob<Push> => ({
    schema,
    pushes: list,
    rows: packSegments(segments.map(({ head, rows }, i) => ({ head, rows: cut(rows, cuts[i] ?? 0) }))).toString(
      'base64',
    ),
  });
  return [
    part(pushes.slice(0, half), (rows, at) => rows.subarray(0, at)),
    part(pushes.slice(half), (rows, at) => rows.subarray(at)),
  ];
}

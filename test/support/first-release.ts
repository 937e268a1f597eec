import { compressSync } from 'snappy';

/** The rows of a job as the first release packed them (schema 1): the lengths of all segments, then the segments. */
export function packOfFirstRelease(segments: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(segments.length * 4);
  segments.forEach(({ length }, i) => head.writeUInt32LE(length, i * 4));
  return compressSync(Buffer.concat([head, ...segments]));
}

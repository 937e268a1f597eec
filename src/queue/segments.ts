import { promisify } from 'node:util';
import { deflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib';
import type { GroupJob } from './jobs.js';

/** The rows of a job for one table. */
export interface Segment {
  /** The columns of the rows, as the head of `RowBinaryWithNamesAndTypes`. Empty for JSON rows. */
  head: Buffer;
  rows: Buffer;
}

const deflate = promisify(deflateRaw);
/**
 * The fastest level. For rows of events it is a quarter faster than Snappy of the npm package `snappy`, with two fifths fewer bytes
 * in Redis (8,000 bytes of rows: 21 µs and 920 bytes, against 31 µs and 1,560), and the reverse is twice as fast.
 */
const LEVEL = 1;

/** A job below this is compressed at once: to wake a thread and to come back from it costs several times as much. */
const SMALL_BYTES = 16 * 1024;

/**
 * Compresses parts, each in any number of pieces; large ones on a thread of the runtime. The pieces may be reused as soon as the call
 * returns its promise.
 */
export function packParts(parts: readonly (readonly Buffer[])[]): Promise<Buffer> {
  const bytes = join(parts);
  // Rows shrink to a third or less, so the output is one chunk. Each chunk of the default size would take a turn of the event loop.
  const options = { level: LEVEL, chunkSize: Math.max(1_024, bytes.length >> 1) };
  return bytes.length < SMALL_BYTES ? Promise.resolve(deflateRawSync(bytes, options)) : deflate(bytes, options);
}

/** Compresses the segments of a job. */
export function packSegments(segments: readonly Segment[]): Buffer {
  return deflateRawSync(join(segments.flatMap(({ head, rows }) => [[head], [rows]])), { level: LEVEL });
}

/** The segments of a job, one per table. Throws a RangeError if the data is damaged. */
export function segmentsOf({ rows: packed }: Pick<GroupJob<unknown>, 'rows'>, tables: number): Segment[] {
  const bytes = uncompress(Buffer.from(packed, 'base64'));
  let offset = 2 * tables * 4;
  const take = (part: number): Buffer => {
    const length = bytes.readUInt32LE(part * 4); // a RangeError, too, behind the end
    offset += length;
    if (offset > bytes.length) throw new RangeError('a packed payload is shorter than its head says');
    return bytes.subarray(offset - length, offset);
  };
  return Array.from({ length: tables }, (_, i) => ({ head: take(2 * i), rows: take(2 * i + 1) }));
}

/** The lengths of all parts, then the parts. */
function join(parts: readonly (readonly Buffer[])[]): Buffer {
  const lengths = parts.map((pieces) => pieces.reduce((sum, { length }) => sum + length, 0));
  const whole = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, parts.length * 4));
  let offset = parts.length * 4;
  parts.forEach((pieces, i) => {
    whole.writeUInt32LE(lengths[i] ?? 0, i * 4);
    for (const piece of pieces) offset += piece.copy(whole, offset);
  });
  return whole;
}

function uncompress(packed: Buffer): Buffer {
  try {
    return inflateRawSync(packed);
  } catch (error) {
    throw new RangeError('a packed payload is damaged', { cause: error });
  }
}

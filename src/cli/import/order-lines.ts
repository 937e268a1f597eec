import { isUtf8 } from 'node:buffer';
import type { Fault } from '../../client/index.js';

/** A line that holds a JSON value, as it is in the file. `line` counts from 1. */
export interface OrderLine {
  line: number;
  bytes: Buffer;
}

/** A line that was not taken. `order` is the JSON text of the line, or of a string when the line is not JSON. */
export interface RejectedLine {
  line: number;
  orderId: string | null;
  errors: readonly Fault[];
  order: string;
}

/** Consecutive lines of the file. `endOffset` (bytes, unpacked) and `endLine` are where the next batch starts. */
export interface LineBatch {
  orders: OrderLine[];
  rejected: RejectedLine[];
  /** Orders that a converter held back. */
  held: RejectedLine[];
  endLine: number;
  endOffset: number;
}

/** The request body's limit of `POST /v1/orders`, and room for the brackets around the orders. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MAX_LINE_BYTES = MAX_BODY_BYTES - 64;
const MAX_QUOTED_BYTES = 10_000;
const NEWLINE = 0x0a;

/**
 * Cuts NDJSON into batches. Empty lines and a byte order mark are left out; lines that are not JSON, not UTF-8 or larger
 * than a request may be are `rejected` at once. Memory is bounded by the batch, whatever the file.
 *
 * @param bytes the unpacked file from `start.offset` on
 * @param options at most `maxOrders` orders and about `maxBytes` bytes go into a batch (one larger line goes alone)
 */
export async function* readOrderBatches(
  bytes: AsyncIterable<Uint8Array>,
  options: { maxOrders: number; maxBytes: number; start?: { line: number; offset: number } },
): AsyncGenerator<LineBatch> {
  const { maxOrders, maxBytes, start = { line: 0, offset: 0 } } = options;
  let { line, offset } = start;
  let batch: LineBatch = { orders: [], rejected: [], held: [], endLine: line, endOffset: offset };
  let batchBytes = 0;

  function* take(text: Buffer, length: number): Generator<LineBatch> {
    line++;
    offset += length + 1;
    const kept = line === 1 && text.subarray(0, 3).equals(Buffer.of(0xef, 0xbb, 0xbf)) ? text.subarray(3) : text;
    const full = batch.orders.length >= maxOrders || (batch.orders.length > 0 && batchBytes + kept.length > maxBytes);
    if (full || batch.rejected.length >= maxOrders) {
      yield batch;
      batch = { orders: [], rejected: [], held: [], endLine: batch.endLine, endOffset: batch.endOffset };
      batchBytes = 0;
    }
    batch.endLine = line;
    batch.endOffset = offset;
    if (isBlank(kept)) return;
    const fault = length > MAX_LINE_BYTES ? tooLarge(length) : faultOf(kept);
    if (fault) {
      batch.rejected.push({ line, orderId: null, errors: [fault], order: quoted(kept) });
    } else {
      batch.orders.push({ line, bytes: kept });
      batchBytes += kept.length + 1;
    }
  }

  const partial = createPartialLine();
  for await (const chunk of bytes) {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let from = 0;
    for (let end = buffer.indexOf(NEWLINE); end !== -1; end = buffer.indexOf(NEWLINE, from)) {
      if (partial.length === 0) {
        yield* take(buffer.subarray(from, end), end - from);
      } else {
        partial.add(buffer.subarray(from, end));
        const { length } = partial;
        yield* take(partial.drain(), length);
      }
      from = end + 1;
    }
    partial.add(buffer.subarray(from));
  }
  if (partial.length > 0) {
    const { length } = partial;
    yield* take(partial.drain(), length);
  }
  if (batch.endLine > start.line) yield batch;
}

/** Pieces of a line that is not whole yet; of one too large only the beginning is kept. */
function createPartialLine() {
  let pieces: Buffer[] = [];
  let length = 0;
  return {
    get length() {
      return length;
    },
    add(piece: Buffer): void {
      if (piece.length === 0) return;
      length += piece.length;
      if (length <= MAX_LINE_BYTES) pieces.push(piece);
      else pieces = [Buffer.from(Buffer.concat([...pieces, piece]).subarray(0, MAX_QUOTED_BYTES))];
    },
    drain(): Buffer {
      const whole = Buffer.concat(pieces);
      pieces = [];
      length = 0;
      return whole;
    },
  };
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

function faultOf(bytes: Buffer): Fault | undefined {
  if (!isUtf8(bytes)) return { code: 'invalid_json', message: 'The line is not valid UTF-8; save the file as UTF-8.' };
  try {
    JSON.parse(bytes.toString());
    return undefined;
  } catch (error) {
    return { code: 'invalid_json', message: `The line is not one JSON value: ${(error as Error).message}.` };
  }
}

function tooLarge(length: number): Fault {
  const message = `The line has ${length} bytes; an order and its request must fit into ${MAX_BODY_BYTES}.`;
  return { code: 'body_too_large', message };
}

function quoted(bytes: Buffer): string {
  return JSON.stringify(bytes.subarray(0, MAX_QUOTED_BYTES).toString());
}

import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { inflated, looksGzipped } from './input.js';

/** The bytes of an import, unpacked, and how much of the file as it lies there has been read for them. */
export interface ImportSource {
  bytes: AsyncIterable<Uint8Array>;
  /** Bytes of the file (packed, if it is) read so far, those that a resumed import skipped included. */
  consumed: () => number;
}

/**
 * @param offset where to go on, in unpacked bytes; a plain file is read from there, a gzip file is unpacked and skipped
 * @param halt ends the reading with an error
 */
export async function openSource(file: string, offset: number, halt: AbortSignal): Promise<ImportSource> {
  const gzipped = await isGzipped(file);
  const start = gzipped ? 0 : offset;
  const counted = count(createReadStream(file, { start, highWaterMark: 256 * 1024 }), start, halt);
  return {
    bytes: gzipped ? skip(inflated(counted.bytes), offset) : counted.bytes,
    consumed: counted.consumed,
  };
}

/** Standard input, plain or gzip, from its beginning. */
export function pipedSource(stdin: Readable, halt: AbortSignal): ImportSource {
  const counted = count(stdin, 0, halt);
  return { bytes: inflated(counted.bytes), consumed: counted.consumed };
}

async function isGzipped(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return looksGzipped(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

function count(stream: Readable, start: number, halt: AbortSignal): ImportSource {
  let consumed = start;
  // The loop below sees the same error; this only keeps one that comes before the loop from ending the process.
  stream.on('error', () => undefined);
  addAbortSignal(halt, stream);
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      consumed += chunk.length;
      yield chunk;
    }
  }
  return { bytes: bytes(), consumed: () => consumed };
}

async function* skip(bytes: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Uint8Array> {
  let left = length;
  for await (const chunk of bytes) {
    if (left < chunk.length) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}

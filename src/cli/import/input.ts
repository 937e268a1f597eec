import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** Whether bytes start like a gzip file. */
export function looksGzipped(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

/**
 * The bytes of a file or pipe, unpacked when they are gzip (recognized by their first bytes, never by the name).
 *
 * @throws Error `Z_BUF_ERROR` or `Z_DATA_ERROR` when a gzip file is cut or damaged
 */
export async function* inflated(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { head, whole } = await withHead(source, 2);
  if (!looksGzipped(head)) {
    yield* whole;
    return;
  }

  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  const packed = Readable.from(whole, { objectMode: false });
  packed.on('error', (error) => gunzip.destroy(error));
  try {
    yield* packed.pipe(gunzip) as AsyncIterable<Uint8Array>;
  } finally {
    packed.destroy();
    gunzip.destroy();
  }
}

/**
 * Decodes UTF-8, without its byte order mark.
 *
 * @throws Error for bytes that are no UTF-8, rather than putting replacement characters in their place
 */
export async function* utf8Text(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError && 'code' in error)) throw error;
    throw new Error('the file is not valid UTF-8 text; save it as UTF-8 and try again', { cause: error });
  }
}

const HEAD_BYTES = 4096;

/** The first bytes of a file or pipe, unpacked, and all of them. */
export async function withHead(
  source: AsyncIterable<Uint8Array>,
  bytes = HEAD_BYTES,
): Promise<{ head: Uint8Array; whole: AsyncIterable<Uint8Array> }> {
  const chunks = source[Symbol.asyncIterator]();
  let head = new Uint8Array();
  while (head.length < bytes) {
    const next = await chunks.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    try {
      yield head;
      yield* { [Symbol.asyncIterator]: () => chunks };
    } finally {
      await chunks.return?.();
    }
  }
  return { head: head.subarray(0, bytes), whole: whole() };
}

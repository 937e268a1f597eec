import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { toUnavailable } from './failures.js';

/** A server that can't end an answer writes why behind what it has sent, in at most 16 KB, and breaks the connection. */
const ERROR_BYTES = 32 * 1024;

/**
 * The pieces of an answer, without the error at its end: as much as that may be is held back until the answer is whole. A caller that
 * returns before the end has the statement stopped, and the rest is read: the embedded engine is to see no aborted connection.
 */
export async function* piecesOf(answer: Readable, stop: () => void): AsyncGenerator<Buffer> {
  let held = Buffer.alloc(0);
  let isWhole = false;
  try {
    for await (const piece of answer.iterator({ destroyOnReturn: false })) {
      held = Buffer.concat([held, piece as Buffer]);
      const ready = held.length - ERROR_BYTES;
      if (ready <= 0) continue;
      const taken = held.subarray(0, ready);
      held = held.subarray(ready);
      yield taken;
    }
    isWhole = true;
    yield held;
  } catch (error) {
    throw toUnavailable(error, { isInsert: false });
  } finally {
    if (!isWhole) {
      stop();
      await readToEnd(answer).catch(() => undefined);
    }
  }
}

export async function readToEnd(stream: Readable): Promise<void> {
  stream.resume();
  await finished(stream);
}

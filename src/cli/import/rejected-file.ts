import { open, rm, type FileHandle } from 'node:fs/promises';
import type { RejectedLine } from './order-lines.js';

/** The file of rejected orders: NDJSON of `{ line, order_id, errors, order }`. It exists only when something was rejected. */
export interface RejectedFile {
  readonly path: string;
  /** How long the file is. */
  readonly bytes: number;
  append(lines: RejectedLine[]): Promise<void>;
  close(): Promise<void>;
}

/** Where the orders of a file are that were held back. */
export const heldPath = (file: string): string => `${file}.held.ndjson`;

/**
 * @param keepBytes how much of an earlier run's file stays: what the resumed import had counted; 0 removes the file
 */
export async function openRejectedFile(path: string, keepBytes: number): Promise<RejectedFile> {
  let handle: FileHandle | undefined;
  let bytes = 0;
  if (keepBytes === 0) {
    await rm(path, { force: true });
  } else {
    handle = await open(path, 'a');
    bytes = Math.min(keepBytes, (await handle.stat()).size);
    await handle.truncate(bytes);
  }
  return {
    path,
    get bytes() {
      return bytes;
    },
    async append(lines) {
      if (lines.length === 0) return;
      handle ??= await open(path, 'a');
      const text = Buffer.from(lines.map(format).join(''));
      await handle.appendFile(text);
      bytes += text.length;
    },
    async close() {
      await handle?.close();
      handle = undefined;
    },
  };
}

/** `order` goes in as the text it came as, so that no number in it is rounded. */
function format({ line, orderId, errors, order }: RejectedLine): string {
  const rest = JSON.stringify({ line, order_id: orderId, errors });
  return `${rest.slice(0, -1)},"order":${order.trim()}}\n`;
}

import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { NOTES } from '../../../convert/notes.js';
import { openSource, pipedSource } from '../import-source.js';
import type { ReadOptions } from './read-orders.js';
import { readPlatformOrders, type GivenOrder } from './read-orders.js';
import { FileError } from './json-values.js';

export interface FileOptions extends ReadOptions {
  /** `-` is `stdin`. */
  file: string;
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
  signal: AbortSignal;
}

/** Exit codes: 0 all converted, 2 some are held back. What can't be read is thrown. */
export type ConvertExit = 0 | 2;

export function ordersIn({ file, stdin, signal, ...options }: FileOptions, offset = 0): AsyncGenerator<GivenOrder> {
  async function* orders(): AsyncGenerator<GivenOrder> {
    const source = file === '-' ? pipedSource(stdin, signal) : await openSource(file, offset, signal);
    yield* readPlatformOrders(source.bytes, options);
  }
  return orders();
}

/** `profit convert`: an item a line on standard output, each hold and note a line on standard error. */
export async function runConvert(options: FileOptions): Promise<ConvertExit> {
  const { stdout, stderr } = options;
  let held = 0;
  let read = 0;
  for await (const { conversion, id, line } of ordersIn(options)) {
    read++;
    const order = id === undefined ? `the order of line ${line}` : `order ${id}`;
    if ('hold' in conversion) {
      const { code, message, field } = conversion.hold;
      held++;
      stderr.write(`${code} ${order}: ${message} (${field})\n`);
      continue;
    }
    for (const code of conversion.notes) stderr.write(`${code} ${order}: ${NOTES[code]}\n`);
    if (!stdout.write(`${JSON.stringify(conversion.order)}\n`)) await once(stdout, 'drain');
  }
  if (read === 0) throw new FileError('the file has no orders');
  return held > 0 ? 2 : 0;
}

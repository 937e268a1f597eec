import { isAscii, isUtf8 } from 'node:buffer';
import { requestError, type RequestError } from '../errors.js';
import { scanYielding, skipSpace } from './json-scan.js';
import type { Yielder } from './yielding.js';

/**
 * Part of a JSON text → value. Throws `invalid_json` for what is not JSON and for an object that has a key twice, since two
 * readers of such a body may see two different amounts: fewer keys are left then than the `keys` that were written.
 */
export function parseText(bytes: Buffer, keys: number): unknown {
  const text = bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8'); // the same text, in less time
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw notJson(
      text.startsWith('\uFEFF') ? 'it begins with a byte order mark' : (error as Error).message.slice(0, 200),
    );
  }
  if (countKeys(value) !== keys) {
    throw requestError('invalid_json', 'An object of the body has the same key twice; each key may appear once.');
  }
  return value;
}

export function requireUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw requestError('invalid_json', 'The body must be JSON in UTF-8.');
}

export function notJson(why: string): RequestError {
  return requestError('invalid_json', `The body is not JSON: ${why}.`);
}

/** Keys that are left after parsing. */
function countKeys(root: unknown): number {
  let count = 0;
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === 'object' && item !== null) open.push(item);
      continue;
    }
    for (const key in value) {
      count++;
      const child = (value as Record<string, unknown>)[key];
      if (typeof child === 'object' && child !== null) open.push(child);
    }
  }
  return count;
}

/**
 * JSON of a platform, which sends any number of fields that are not needed here: only the same key twice is too many. Throws
 * `invalid_json`.
 */
export async function parseAnyNames(bytes: Buffer, yielder: Yielder): Promise<unknown> {
  requireUtf8(bytes);
  const { keys } = await scanYielding(bytes, skipSpace(bytes, 0), () => true, yielder);
  return parseText(bytes, keys);
}

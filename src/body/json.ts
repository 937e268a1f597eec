import { knownNames, scanYielding, scanValue, type Scan } from './json-scan.js';
import { parseText, requireUtf8 } from './json-text.js';
import type { Yielder } from './yielding.js';
import { requestError } from '../errors.js';

/** Bounds of a body that is not a batch. They limit what parsing may cost. */
const MAX_KEYS = 10_000;
const MAX_UNKNOWN = 200;
const MAX_DEPTH = 16;

/**
 * Bytes → JSON value. Throws `invalid_json` for what is not JSON in UTF-8 and for an object that has a key twice, since two
 * readers of such a body may see two different amounts; and `too_many` for more than any valid body holds.
 *
 * @param names of the fields that it may have, on every level; a body of a few fields needs none
 */
export function parseJson(bytes: Buffer, names: Iterable<string> = []): unknown {
  requireUtf8(bytes);
  return parseScanned(bytes, scanValue(bytes, 0, knownNames(names)), MAX_KEYS);
}

/**
 * The same for a body of some megabytes, giving way to others.
 *
 * @param most fields, objects and lists, each
 */
export async function parseLargeJson(
  bytes: Buffer,
  { names, most, yielder }: { names: Iterable<string>; most: number; yielder: Yielder },
): Promise<unknown> {
  requireUtf8(bytes);
  return parseScanned(bytes, await scanYielding(bytes, 0, knownNames(names), yielder), most);
}

function parseScanned(bytes: Buffer, { keys, unknown, containers, depth }: Scan, most: number): unknown {
  const refuse = (rule: string): never => {
    throw requestError('too_many', `The body must ${rule}.`);
  };
  if (unknown > MAX_UNKNOWN) refuse(`hold the fields of the contract alone; it has ${unknown} others`);
  if (keys > most || containers > most) refuse(`hold at most ${most} fields, objects and lists`);
  if (depth > MAX_DEPTH) refuse(`be nested at most ${MAX_DEPTH} levels deep`);
  return parseText(bytes, keys);
}

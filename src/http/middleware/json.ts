import { knownNames, scanInTurns, scanValue, type Scan } from '../../ingest/json-scan.js';
import { parseText, requireUtf8 } from '../../ingest/json-text.js';
import type { Turn } from '../../ingest/turns.js';
import { requestError } from '../../errors.js';

/** Bounds of a body that is not a batch. They limit what parsing may cost. */
const MOST_KEYS = 10_000;
const MOST_UNKNOWN = 200;
const MOST_DEPTH = 16;

/**
 * Bytes → JSON value. Throws `invalid_json` for what is not JSON in UTF-8 and for an object that has a key twice, since two
 * readers of such a body may see two different amounts; and `too_many` for more than any valid body holds.
 *
 * @param names of the fields that it may have, on every level; a body of a few fields needs none
 */
export function parseJson(bytes: Buffer, names: Iterable<string> = []): unknown {
  requireUtf8(bytes);
  return parseScanned(bytes, scanValue(bytes, 0, knownNames(names)), MOST_KEYS);
}

/**
 * The same for a body of some megabytes, giving way to others.
 *
 * @param most fields, objects and lists, each
 */
export async function parseLargeJson(
  bytes: Buffer,
  { names, most, turn }: { names: Iterable<string>; most: number; turn: Turn },
): Promise<unknown> {
  requireUtf8(bytes);
  return parseScanned(bytes, await scanInTurns(bytes, 0, knownNames(names), turn), most);
}

function parseScanned(bytes: Buffer, { keys, unknown, containers, depth }: Scan, most: number): unknown {
  const refuse = (rule: string): never => {
    throw requestError('too_many', `The body must ${rule}.`);
  };
  if (unknown > MOST_UNKNOWN) refuse(`hold the fields of the contract alone; it has ${unknown} others`);
  if (keys > most || containers > most) refuse(`hold at most ${most} fields, objects and lists`);
  if (depth > MOST_DEPTH) refuse(`be nested at most ${MOST_DEPTH} levels deep`);
  return parseText(bytes, keys);
}

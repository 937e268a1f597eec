import type { Yielder } from './yielding.js';

/**
 * What a JSON text holds, counted before it is parsed: the runtime's parser gives every new combination of keys a shape of
 * its own, so that 4 MB of objects with a hundred new names each held it for seconds. Nothing is checked here; whether the
 * text is JSON is for the parser to say.
 */
export interface Scan {
  /** Index after the value. */
  end: number;
  keys: number;
  /** Keys that are none of the known names. */
  unknown: number;
  /** The first of them as they were sent, of at most {@link NAME_BYTES} each. */
  unknownNames: string[];
  /** Objects and arrays. */
  containers: number;
  /** Commas outside of strings. */
  commas: number;
  depth: number;
}

/** Tells whether the bytes between two indexes are a known name. */
export type IsKnownName = (bytes: Buffer, from: number, to: number) => boolean;

/** Unknown names of a value that are remembered. */
const MAX_NAMES = 10;
const NAME_BYTES = 400;

export const QUOTE = 34;
export const COMMA = 44;
export const COLON = 58;
export const OPEN_ARRAY = 91;
const BACKSLASH = 92;
export const CLOSE_ARRAY = 93;
export const OPEN_OBJECT = 123;
export const CLOSE_OBJECT = 125;
const SPACE = 32;
const TAB = 9;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Names by length, first and last byte, so that a look at a key makes no text of it. */
export function knownNames(names: Iterable<string>): IsKnownName {
  const byLength: Buffer[][] = [];
  for (const name of names) {
    const bytes = Buffer.from(name);
    (byLength[bytes.length] ??= []).push(bytes);
  }
  return (bytes, from, to) => {
    for (const name of byLength[to - from] ?? []) {
      let at = 0;
      while (at < name.length && name[at] === bytes[from + at]) at++;
      if (at === name.length) return true;
    }
    return false;
  };
}

/** Index of the first byte that is no white space. */
export function skipSpace(bytes: Buffer, from: number): number {
  for (; from < bytes.length; from++) {
    const byte = bytes[from];
    if (byte !== SPACE && byte !== LINE_FEED && byte !== CARRIAGE_RETURN && byte !== TAB) break;
  }
  return from;
}

/** Index after a string that begins at `from`. */
export function skipString(bytes: Buffer, from: number): number {
  const end = endOfString(bytes, from + 1, bytes.length);
  return Math.min(end + 1, bytes.length);
}

/** Index of the quote that ends the string in which `from` is; `to` or the index after it where none comes before. */
function endOfString(bytes: Buffer, from: number, to: number): number {
  let at = from;
  for (; at < to; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
  }
  return at;
}

/** A scan that is made piece by piece. */
interface Scanner {
  readonly scan: Scan;
  /** Goes on for about {@link PIECE_BYTES}; whether the value has ended. Whatever has no end ends with the text. */
  goOn: () => boolean;
}

/** What is scanned in less than half a millisecond, whatever it holds. */
const PIECE_BYTES = 32 * 1024;

/** Scans the value that begins at `from`. */
function createScanner(bytes: Buffer, from: number, isKnown: IsKnownName): Scanner {
  const scan: Scan = { end: bytes.length, keys: 0, unknown: 0, unknownNames: [], containers: 0, commas: 0, depth: 0 };
  let open = 0;
  let at = from;
  let isInString = false;
  /** The string that was read last: a name, if a colon follows. */
  let nameFrom = from;
  let nameTo = from;

  const ended = (): true => {
    scan.end = at;
    return true;
  };

  const goOn = (): boolean => {
    const to = Math.min(at + PIECE_BYTES, bytes.length);
    while (at < to) {
      if (isInString) {
        at = endOfString(bytes, at, to);
        if (at >= to) break;
        nameTo = at++;
        isInString = false;
        if (open === 0 && isClosed(bytes, at)) return ended();
        continue;
      }
      switch (bytes[at]) {
        case QUOTE:
          isInString = true;
          nameFrom = ++at;
          continue;
        case COLON:
          if (open > 0) noteName(scan, bytes, nameFrom, nameTo, isKnown);
          break;
        case OPEN_OBJECT:
        case OPEN_ARRAY:
          scan.containers++;
          if (++open > scan.depth) scan.depth = open;
          break;
        case CLOSE_OBJECT:
        case CLOSE_ARRAY:
          if (open === 0) return ended();
          open--;
          break;
        case COMMA:
          if (open === 0) return ended();
          scan.commas++;
          break;
      }
      at++;
      if (open === 0 && isClosed(bytes, at)) return ended();
    }
    return at >= bytes.length;
  };
  return { scan, goOn };
}

/** The whole scan at once, for a short text. */
export function scanValue(bytes: Buffer, from: number, isKnown: IsKnownName): Scan {
  const { scan, goOn } = createScanner(bytes, from, isKnown);
  while (!goOn());
  return scan;
}

/** The whole scan, which yields to others. */
export async function scanYielding(bytes: Buffer, from: number, isKnown: IsKnownName, yielder: Yielder): Promise<Scan> {
  const { scan, goOn } = createScanner(bytes, from, isKnown);
  for (let isDone = false; !isDone;) {
    isDone = goOn();
    if (yielder.isDue()) await yielder.yield();
  }
  return scan;
}

/** Whether a value that is no container any more has ended: what follows is for the caller. */
function isClosed(bytes: Buffer, at: number): boolean {
  const next = bytes[at];
  return next === COMMA || next === CLOSE_ARRAY || next === CLOSE_OBJECT;
}

function noteName(scan: Scan, bytes: Buffer, from: number, to: number, isKnown: IsKnownName): void {
  scan.keys++;
  if (isKnown(bytes, from, to)) return;
  scan.unknown++;
  if (scan.unknownNames.length >= MAX_NAMES) return;
  scan.unknownNames.push(bytes.toString('utf8', from, Math.min(to, from + NAME_BYTES)));
}

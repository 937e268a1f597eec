import { isAscii, isUtf8 } from 'node:buffer';
import { requestError } from '../errors.js';

/**
 * Bytes → JSON value. Throws `invalid_json` for what is not JSON in UTF-8 and for an object that has a key twice, since two
 * readers of such a body may see two different amounts.
 */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw requestError('invalid_json', 'The body must be JSON in UTF-8.');
  const text = bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8'); // the same text, in less time
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw requestError('invalid_json', `The body is not JSON: ${(error as Error).message.slice(0, 200)}.`);
  }
  const keys = countKeys(value);
  if (countLikelyKeys(text) !== keys && countColons(text) !== keys) {
    throw requestError('invalid_json', 'An object of the body has the same key twice; each key may stand once.');
  }
  return value;
}

const SPACE = 32;
const QUOTE = 34;
const COLON = 58;
const BACKSLASH = 92;

/**
 * Colons behind a quote or white space: every one behind a key, and those of strings like `": "`. Never less than the keys
 * written, so that as many as are left after parsing prove that none stood twice; {@link countColons} settles the rest.
 */
function countLikelyKeys(text: string): number {
  let count = 0;
  for (let i = text.indexOf(':'); i !== -1; i = text.indexOf(':', i + 1)) {
    const before = text.charCodeAt(i - 1);
    if (before === QUOTE || before <= SPACE) count++;
  }
  return count;
}

/** Colons outside of strings: the number of keys written in a valid JSON text. */
function countColons(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === COLON) count++;
    else if (char === QUOTE) {
      for (;;) {
        i = text.indexOf('"', i + 1);
        let back = i - 1;
        while (text.charCodeAt(back) === BACKSLASH) back--;
        if ((i - back) % 2 === 1) break;
      }
    }
  }
  return count;
}

/** Keys that are left after parsing: fewer than were written when one stood twice. */
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

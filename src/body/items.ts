import { echo, requestError, type ErrorDetail } from '../errors.js';
import { unknownFieldMessage } from '../schemas/usual-names.js';
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  scanYielding,
  scanValue,
  skipSpace,
  skipString,
  type IsKnownName,
  type Scan,
} from './json-scan.js';
import { notJson, parseText, requireUtf8 } from './json-text.js';
import type { Yielder } from './yielding.js';

/** The items of a batch, still as bytes: each is parsed by itself, and let go of before the next. */
export interface Items extends Iterable<ReadItem> {
  readonly length: number;
  /** An item, or why it is too much to be parsed. Throws `invalid_json`. */
  read(index: number): ReadItem;
}

export type ReadItem =
  { readonly value: unknown; readonly faults?: never } | { readonly faults: ErrorDetail[]; readonly value?: unknown };

/** A body whose items were separated. */
export interface Envelope {
  /** The body with null in the place of every item, for the schema of the envelope. */
  value: unknown;
  items: Items;
}

export interface ItemForm {
  /** The field of the body that holds the items. */
  list: string;
  /** Entries of that list, at most. */
  most: number;
  /** The names that the fields of an item may have, on every level. */
  isKnown: IsKnownName;
}

/** Bounds of one item. Every valid one stays below: the largest is an order of 500 lines, 500 refunds and 5,000 refunded lines. */
const MAX_CONTAINERS = 10_000;
const MAX_COMMAS = 50_000;
const MAX_DEPTH = 16;
/** Unknown names of an item, and of a batch, that the parser is given. */
const MAX_UNKNOWN = 100;
const MAX_UNKNOWN_OF_BATCH = 2_500;
/** What an envelope may hold besides its items; a longer value is replaced by an empty one of its type. */
const MAX_MEMBERS = 50;
const LONGEST_MEMBER = 1_000;

interface FoundItem {
  from: number;
  scan: Scan;
}

/** Tells the items of a body apart. Throws `invalid_json`, and `batch_size` once there are too many items. */
export async function openItems(bytes: Buffer, form: ItemForm, yielder: Yielder): Promise<Envelope> {
  requireUtf8(bytes);
  const found: FoundItem[] = [];
  const members: string[] = [];
  let at = skipSpace(bytes, 0);
  if (bytes[at] !== OPEN_OBJECT)
    return { value: parseShort(valueText(bytes, at, bytes.length)), items: itemsOf(bytes, found) };

  let isListed = false;
  do {
    at = skipSpace(bytes, at + 1);
    if (bytes[at] !== QUOTE) {
      if (at < bytes.length && bytes[at] !== CLOSE_OBJECT) {
        throw notJson('a field must begin with its name in double quotes');
      }
      if (members.length > 0) throw notJson('no field follows a comma');
      break;
    }
    if (members.length === MAX_MEMBERS) {
      throw requestError(
        'invalid_request',
        `The body must hold at most ${MAX_MEMBERS} fields; send ${form.list} alone.`,
      );
    }
    const nameEnd = skipString(bytes, at);
    const name = nameEnd - at > LONGEST_MEMBER ? shortName(bytes, at) : bytes.toString('utf8', at, nameEnd);
    const colon = skipSpace(bytes, nameEnd);
    if (bytes[colon] !== COLON) throw notJson('a field has no value');
    at = skipSpace(bytes, colon + 1);
    if (!isListed && bytes[at] === OPEN_ARRAY && isNamed(name, form.list)) {
      isListed = true;
      at = await findItems(bytes, at, form, found, yielder);
      members.push(`${name}:[${found.map(() => 'null').join(',')}]`);
    } else {
      const { end } = await scanYielding(bytes, at, form.isKnown, yielder);
      members.push(`${name}:${valueText(bytes, at, end)}`);
      at = end;
    }
    at = skipSpace(bytes, at);
  } while (bytes[at] === COMMA);
  if (members.length > 0 && bytes[at] === QUOTE) throw notJson('a comma is missing between two fields');
  if (bytes[at] !== CLOSE_OBJECT || skipSpace(bytes, at + 1) !== bytes.length)
    throw notJson('it does not end where it should');
  return { value: parseShort(`{${members.join(',')}}`), items: itemsOf(bytes, found) };
}

/** Finds the items of the list that begins at `from`; returns the index after it. */
async function findItems(
  bytes: Buffer,
  from: number,
  form: ItemForm,
  found: FoundItem[],
  yielder: Yielder,
): Promise<number> {
  let at = skipSpace(bytes, from + 1);
  if (bytes[at] === CLOSE_ARRAY) return at + 1;
  for (;;) {
    if (found.length === form.most) {
      throw requestError('batch_size', `${form.list} must hold 1 to ${form.most} entries.`, form.list);
    }
    const scan = await scanYielding(bytes, at, form.isKnown, yielder);
    found.push({ from: at, scan });
    const next = bytes[scan.end];
    if (next === CLOSE_ARRAY) return scan.end + 1;
    if (next !== COMMA) throw notJson(`the list ${form.list} has no end`);
    at = skipSpace(bytes, scan.end + 1);
  }
}

function itemsOf(bytes: Buffer, found: readonly FoundItem[]): Items {
  let unknownLeft = MAX_UNKNOWN_OF_BATCH;
  // Decided once, so that an item which is read again is read the same way.
  const refused = found.map(({ scan }) => {
    if (scan.unknown > MAX_UNKNOWN || scan.unknown > unknownLeft) return unknownFields(scan);
    unknownLeft -= scan.unknown;
    return tooMuch(scan);
  });
  const read = (index: number): ReadItem => {
    const item = found[index];
    const faults = refused[index];
    if (item === undefined) throw new RangeError(`the batch has no item ${index}`);
    if (faults !== undefined) return { faults };
    return { value: parseText(bytes.subarray(item.from, item.scan.end), item.scan.keys) };
  };
  return {
    length: found.length,
    read,
    *[Symbol.iterator]() {
      for (let i = 0; i < found.length; i++) yield read(i);
    },
  };
}

/** Values that are parsed already, as items. */
export function itemsOfValues(values: readonly unknown[]): Items {
  return {
    length: values.length,
    read: (index) => ({ value: values[index] }),
    *[Symbol.iterator]() {
      for (const value of values) yield { value };
    },
  };
}

function unknownFields({ unknown, unknownNames }: Scan): ErrorDetail[] {
  const faults = unknownNames.map((name): ErrorDetail => {
    const field = echo(name);
    return { code: 'unknown_field', message: unknownFieldMessage(field, name), field };
  });
  if (unknown <= faults.length) return faults;
  const message = `The item has ${unknown} unknown fields: the first ${faults.length} are listed; the rest was not checked.`;
  return [...faults, { code: 'too_many', message }];
}

function tooMuch({ containers, commas, depth }: Scan): ErrorDetail[] | undefined {
  const at = (message: string): ErrorDetail[] => [{ code: 'too_many', message }];
  if (depth > MAX_DEPTH) return at(`The item must be nested at most ${MAX_DEPTH} levels deep.`);
  if (containers > MAX_CONTAINERS) return at(`The item must hold at most ${MAX_CONTAINERS} objects and lists.`);
  if (commas > MAX_COMMAS) return at(`The item must hold at most ${MAX_COMMAS} values.`);
  return undefined;
}

/** The text of a value, or an empty one of its type in the place of a long one. */
function valueText(bytes: Buffer, from: number, end: number): string {
  if (end - from <= LONGEST_MEMBER) return bytes.toString('utf8', from, end);
  switch (bytes[from]) {
    case OPEN_OBJECT:
      return '{}';
    case OPEN_ARRAY:
      return '[]';
    case QUOTE:
      return '""';
    default:
      return '0';
  }
}

/** Whether a name, as it was sent, is a certain one: its letters may be written as escapes. */
function isNamed(sent: string, name: string): boolean {
  return sent === `"${name}"` || (sent.includes('\\') && parseShort(sent) === name);
}

function shortName(bytes: Buffer, from: number): string {
  return JSON.stringify(echo(bytes.toString('utf8', from + 1, from + LONGEST_MEMBER)));
}

function parseShort(text: string): unknown {
  const bytes = Buffer.from(text);
  return parseText(bytes, scanValue(bytes, 0, () => true).keys);
}

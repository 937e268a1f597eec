import { isFields } from '../domain/fields.js';
import { redactError, redactText, REMOVED, type TextKind } from '../domain/personal/redact.js';
import type { ErrorDetail } from '../errors.js';

/** The part of an item's schema that is used here. */
export interface ItemSchema {
  title?: string;
  format?: string;
  properties?: Record<string, ItemSchema>;
  items?: ItemSchema;
}

/** A part of an item, or of its faults, as JSON text. */
export interface Kept {
  text: string;
  /** Not all of it is there. */
  isCut: boolean;
}

/** Bytes of a payload. */
const MAX_PAYLOAD_BYTES = 16 * 1024;
/** Errors of one item that are kept. */
const MAX_KEPT_ERRORS = 50;
/** Entries of a list that are kept: of what no contract allows there may be thousands that take no room. */
const MAX_ENTRIES = 500;
const LONGEST_TEXT = 1_000;
const CUT_TEXT = 255;
/** Holds personal data by its meaning. */
const PERSONAL_FIELD = 'customer';

/**
 * A rejected item as it may be kept: the fields that its schema knows, without the customer, without texts and numbers that hold
 * something personal (`domain/personal/`), and at most 16 KB. An unknown field may hold anything about a person, so none is kept.
 */
export function keptPayload(item: unknown, schema: ItemSchema): Kept {
  if (!isFields(item)) return { text: '', isCut: false };
  const room = { bytes: MAX_PAYLOAD_BYTES, isCut: false };
  const text = JSON.stringify(copy(item, schema, room));
  return { text, isCut: room.isCut };
}

/** The faults of an item: the first of them, each as it may be kept, and none twice. */
export function keptErrors(errors: readonly ErrorDetail[]): Kept {
  const kept = new Set(errors.slice(0, MAX_KEPT_ERRORS).map((error) => JSON.stringify(redactError(error))));
  return { text: `[${[...kept].join(',')}]`, isCut: errors.length > MAX_KEPT_ERRORS };
}

interface Room {
  bytes: number;
  isCut: boolean;
}

function copy(value: unknown, schema: ItemSchema, room: Room): unknown {
  if (typeof value === 'string') return take(copyText(value, schema, room), room);
  if (typeof value === 'number') return take(redactText(String(value), 'id') === REMOVED ? REMOVED : value, room);
  if (!Array.isArray(value) && !isFields(value)) return take(value, room);
  room.bytes -= 2;
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? REMOVED : copyList(value, items, room);
  }
  if (schema.properties === undefined) return REMOVED;
  const kept: Record<string, unknown> = {};
  const properties = Object.entries(schema.properties).filter(
    ([name]) => name !== PERSONAL_FIELD && Object.hasOwn(value, name),
  );
  // Lists last: they get the bytes that are left.
  const isList = (name: string): boolean => typeof value[name] === 'object';
  for (const [name, property] of properties.sort(([a], [b]) => Number(isList(a)) - Number(isList(b)))) {
    const before = room.bytes;
    room.bytes -= name.length + 4;
    const part = copy(value[name], property, room);
    if (room.bytes >= 0) kept[name] = part;
    else {
      room.bytes = before; // a shorter field may still fit
      room.isCut = true;
    }
  }
  return kept;
}

function copyList(list: readonly unknown[], items: ItemSchema, room: Room): unknown[] {
  const kept: unknown[] = [];
  for (const entry of list) {
    const before = room.bytes;
    room.bytes -= 1;
    const part = copy(entry, items, room);
    if (room.bytes < 0 || kept.length === MAX_ENTRIES) {
      room.bytes = before;
      room.isCut = true;
      break;
    }
    kept.push(part);
  }
  return kept;
}

/** The value, whose bytes are taken from the room; what is below zero then doesn't fit. */
function take(value: unknown, room: Room): unknown {
  room.bytes -= Buffer.byteLength(JSON.stringify(value));
  return value;
}

function copyText(text: string, schema: ItemSchema, room: Room): string {
  if (text.length > LONGEST_TEXT) room.isCut = true;
  return redactText(text.length > LONGEST_TEXT ? text.slice(0, CUT_TEXT) : text, kindOf(schema));
}

function kindOf({ title, format }: ItemSchema): TextKind {
  if (format !== undefined) return 'formatted';
  return title === 'Id' || title === 'NullableId' ? 'id' : 'free';
}

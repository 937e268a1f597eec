import { fieldsOf, isFields, type Fields } from '../domain/fields.js';
import { isOpen, readMicros } from './amounts.js';
import { fieldsIn } from './values.js';

/** What was decided of the fields of an object that a platform sends, as names with commas. A name is in one of the three. */
export interface FieldTable {
  /** Names of fields from which an item is made. */
  read: string;
  /** Names of fields that were looked at and are not read, by the reason. */
  setAside: Readonly<Record<string, string>>;
  /** Fields that are an object or a list of objects with a table of their own. */
  within?: Readonly<Record<string, FieldTable>>;
}

/** A table by name; undefined is a field whose own fields are not looked at. */
type Known = ReadonlyMap<string, Known | undefined>;

/** Fields that carry a value and are in no table, as paths without places in lists; each once. */
type UnreadFields = (value: unknown) => Set<string>;

interface Spelling {
  /** The name by which a table has a field. */
  nameOf?: (name: string) => string;
  /** Whether an entry of `meta_data` counts by its key; without it `meta_data` is a field like others. */
  isMetaField?: (entry: Fields) => boolean;
}

export function unreadBy(table: FieldTable, { nameOf = (name) => name, isMetaField }: Spelling = {}): UnreadFields {
  const whole = knownIn(table);
  return (value) => {
    const unread = new Set<string>();
    const look = (holder: Fields, known: Known, path: string): void => {
      for (const [name, one] of Object.entries(holder)) {
        if (isEmpty(one)) continue;
        const own = nameOf(name);
        if (name === 'meta_data' && isMetaField !== undefined) {
          for (const entry of fieldsIn(one))
            if (isMetaField(entry)) unread.add(`${path}meta_data.${String(entry.key)}`);
        } else if (!known.has(own)) {
          unread.add(`${path}${name}`);
        } else {
          const inner = known.get(own);
          if (inner !== undefined) for (const part of partsOf(one)) look(part, inner, `${path}${name}.`);
        }
      }
    };
    look(fieldsOf(value), whole, '');
    return unread;
  };
}

function knownIn({ read, setAside, within = {} }: FieldTable): Known {
  return new Map([
    ...[read, ...Object.values(setAside)].flatMap(namesIn).map((name): [string, undefined] => [name, undefined]),
    ...Object.entries(within).map(([name, table]): [string, Known] => [name, knownIn(table)]),
  ]);
}

export function namesIn(list: string): string[] {
  return list.split(',').map((name) => name.trim());
}

function partsOf(value: unknown): Fields[] {
  const isList = Array.isArray(value) || 'nodes' in fieldsOf(value) || 'edges' in fieldsOf(value);
  return isList ? fieldsIn(value) : [fieldsOf(value)];
}

/** Says nothing: null, no text, false, zero, and what consists of such; the currency of no amount is none. */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isEmpty);
  if (!isFields(value)) return isOpen(value) || value === false || readMicros(value, 'rounded') === 0n;
  return Object.entries(value).every(([name, one]) => /^currency_?code$/i.test(name) || isEmpty(one));
}

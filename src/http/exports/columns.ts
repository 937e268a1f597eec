import type { TObject, TSchema } from 'typebox';
import { fieldsOf } from '../../domain/fields.js';

/** What the values of a column are. Decimals have at most six decimals. */
export type ColumnKind = 'text' | 'decimal' | 'integer' | 'boolean' | 'day' | 'timestamp';

/** A column of a table that is made from objects of the wire. */
export interface Column {
  name: string;
  kind: ColumnKind;
  /** Names of the fields on the way to its value. */
  path: readonly string[];
}

export type Cell = string | number | boolean | null;

const KIND_BY_TITLE: Record<string, ColumnKind> = {
  Money: 'decimal',
  ComputedMoney: 'decimal',
  OptionalDecimal: 'decimal',
  Figure: 'decimal',
  Quantity: 'decimal',
  Units: 'decimal',
  Day: 'day',
  NullableDay: 'day',
  Timestamp: 'timestamp',
};
const KIND_BY_TYPE: Record<string, ColumnKind> = { number: 'decimal', integer: 'integer', boolean: 'boolean' };

/**
 * The columns of a schema, in the order of its fields. Those of an object within stand in its place, with its name before
 * theirs; a list is a text of JSON.
 */
export function columnsOf({ properties }: TObject, above: readonly string[] = []): Column[] {
  return Object.entries(properties).flatMap(([field, schema]) => {
    const path = [...above, field];
    return isObject(schema) ? columnsOf(schema, path) : [{ name: path.join('_'), kind: kindOf(schema), path }];
  });
}

function isObject(schema: TSchema): schema is TObject {
  return 'properties' in schema;
}

function kindOf(schema: TSchema): ColumnKind {
  const { title, type } = schema as { title?: string; type?: string | string[] };
  const [first = 'string'] = [type].flat();
  return KIND_BY_TITLE[title ?? ''] ?? KIND_BY_TYPE[first] ?? 'text';
}

/** Null: the row has no such value. */
export function cellOf(row: object, { path }: Column): Cell {
  let value: unknown = row;
  for (const field of path) value = fieldsOf(value)[field];
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return value === undefined || value === null ? null : JSON.stringify(value);
}

import { Type } from 'typebox';
import { nullable } from '../query.js';
import { microsOf } from '../sql.js';
import type { ColumnType } from './columns.js';

const TEXT = Type.String();
const NUMBER = Type.Number();
const same = (column: string): string => column;
const textOrNull = (text: string): string => `nullIf(${text}, '')`;

/** How values come back: the type in a tuple, the expression that gives it, and its schema. */
const READ = {
  String: ['String', same, TEXT],
  'String?': ['Nullable(String)', textOrNull, nullable(TEXT)],
  'LowCardinality(String)': ['String', same, TEXT],
  'LowCardinality(String)?': ['Nullable(String)', textOrNull, nullable(TEXT)],
  Bool: ['Bool', same, Type.Boolean()],
  UInt8: ['UInt8', same, NUMBER],
  /** The upper half. */
  UInt128: ['Float64', (version) => `toFloat64(bitShiftRight(${version}, 64))`, NUMBER],
  Date: ['Int32', (day) => `toInt32(${day})`, NUMBER],
  "DateTime64(6, 'UTC')": ['Float64', microsOf, NUMBER],
  'Decimal(38, 6)': ['Decimal(38, 6)', same, TEXT],
  'Nullable(Decimal(38, 6))': ['Nullable(Decimal(38, 6))', same, nullable(TEXT)],
} as const satisfies Partial<Record<ColumnType, readonly [string, (column: string) => string, unknown]>>;
type ReadType = keyof typeof READ;

/** Columns that can be read back under their names. */
type Readable = readonly (readonly [name: string, type: ReadType, value: (row: never) => unknown])[];

type Schemas<List extends Readable> = { [C in List[number] as C[0]]: (typeof READ)[C[1]][2] };

/** The schema of what {@link selectOf} or an element of {@link selectNested} reads. */
export function schemasOf<const List extends Readable>(list: List): Schemas<List> {
  return Object.fromEntries(list.map(([name, type]) => [name, READ[type][2]])) as unknown as Schemas<List>;
}

/** Columns of the table `o`, as encoders are given them: days and instants as numbers, absent texts as null. */
export const selectOf = (list: Readable): string =>
  list.map(([name, type]) => `${READ[type][1](`o.${name}`)} AS ${name}`).join(', ');

/** A nested structure of the table `o` as a list of objects. */
export function selectNested(nested: string, list: Readable): string {
  const arrays = list.map(([name, type]) => {
    const [, read] = READ[type];
    return read === same ? `o.${nested}.${name}` : `arrayMap(x -> ${read('x')}, o.${nested}.${name})`;
  });
  const types = list.map(([name, type]) => `${name} ${READ[type][0]}`);
  return `CAST(arrayZip(${arrays.join(', ')}), 'Array(Tuple(${types.join(', ')}))') AS ${nested}`;
}

/** The names of those that are decimals. */
export const decimalsOf = (list: Readable): string[] =>
  list.flatMap(([name, type]) => (type.includes('Decimal') ? [name] : []));

/** Without what is null. */
export type Present<Row> = { [K in keyof Row as null extends Row[K] ? never : K]: Row[K] } & {
  [K in keyof Row as null extends Row[K] ? K : never]?: NonNullable<Row[K]>;
};

export function present<Row extends object>(row: Row): Present<Row> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Present<Row>;
}

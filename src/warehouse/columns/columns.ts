import { RowBinaryWriter } from './row-binary.js';

/** The types that rows are encoded in, by their names in ClickHouse, and what a value of each is given as. */
interface Values {
  String: string;
  'LowCardinality(String)': string;
  /** One that may be absent, and is stored as an empty text then. */
  'String?': string | null | undefined;
  'LowCardinality(String)?': string | null | undefined;
  Bool: boolean;
  UInt8: number;
  UInt32: number;
  /** A safe integer. */
  UInt64: number;
  /** The upper half; the lower one is put in by `StampedRowWriter`. Or all of it. */
  UInt128: number | bigint;
  UInt256: bigint;
  /** Days since 1970-01-01. */
  Date: number;
  /** Milliseconds since 1970. */
  "DateTime64(3, 'UTC')": number;
  /** Microseconds since 1970. */
  "DateTime64(6, 'UTC')": number;
  /** A decimal string, or micro units. */
  'Decimal(38, 6)': string | bigint;
  'Nullable(Decimal(38, 6))': string | undefined;
  /** As a whole number of the last decimal. */
  'Decimal(76, 12)': bigint;
}
export type ColumnType = keyof Values;

/** Name and type exactly as the table declares them, and where the value is found. */
export type Column<Row> = {
  [T in ColumnType]: readonly [name: string, type: T, value: (row: Row) => Values[T]];
}[ColumnType];

type Write<Row> = (w: RowBinaryWriter, row: Row) => void;

/** Columns that follow each other, and how a row is written in them. */
export interface Columns<Row> {
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly write: Write<Row>;
}

/** A closure for each type, so that the runtime sees one method behind each call. */
const WRITERS: { [T in ColumnType]: <Row>(value: (row: Row) => Values[T]) => Write<Row> } = {
  String: (value) => (w, row) => w.string(value(row)),
  'LowCardinality(String)': (value) => (w, row) => w.string(value(row)),
  'String?': (value) => (w, row) => w.string(value(row) ?? ''),
  'LowCardinality(String)?': (value) => (w, row) => w.string(value(row) ?? ''),
  Bool: (value) => (w, row) => w.bool(value(row)),
  UInt8: (value) => (w, row) => w.uint8(value(row)),
  UInt32: (value) => (w, row) => w.uint32(value(row)),
  UInt64: (value) => (w, row) => w.uint64(value(row)),
  UInt128: (value) => (w, row) => {
    const version = value(row);
    if (typeof version === 'bigint') w.words(version, 2);
    else w.version(version);
  },
  UInt256: (value) => (w, row) => w.words(value(row), 4),
  Date: (value) => (w, row) => w.date(value(row)),
  "DateTime64(3, 'UTC')": (value) => (w, row) => w.dateTime64(value(row)),
  "DateTime64(6, 'UTC')": (value) => (w, row) => w.dateTime64(value(row)),
  'Decimal(38, 6)': (value) => (w, row) => w.decimal(value(row)),
  'Nullable(Decimal(38, 6))': (value) => (w, row) => w.nullableDecimal(value(row)),
  'Decimal(76, 12)': (value) => (w, row) => w.words(value(row), 4),
};

const storedType = (type: ColumnType): string => type.replace('?', '');

function writerOf<Row, T extends ColumnType>([, type, value]: readonly [string, T, (row: Row) => Values[T]]) {
  return WRITERS[type](value);
}

/** The columns of a row in their order: single ones, and groups such as {@link nested}. */
export function columns<Row>(list: readonly (Column<Row> | Columns<Row>)[]): Columns<Row> {
  const groups = list.map((entry) => ('write' in entry ? entry : single(entry)));
  const writers = groups.map(({ write }) => write);
  return {
    names: groups.flatMap(({ names }) => names),
    types: groups.flatMap(({ types }) => types),
    write(w, row) {
      for (const write of writers) write(w, row);
    },
  };
}

function single<Row>(column: Column<Row>): Columns<Row> {
  const [name, type] = column;
  return { names: [name], types: [storedType(type)], write: writerOf(column) };
}

/** The columns of a nested structure: an array each, with an element an item. */
export function nested<Row, Item>(
  name: string,
  items: (row: Row) => readonly Item[],
  list: readonly Column<Item>[],
): Columns<Row> {
  const writers = list.map((column) => writerOf(column));
  return {
    names: list.map(([field]) => `${name}.${field}`),
    types: list.map(([, type]) => `Array(${storedType(type)})`),
    write(w, row) {
      const all = items(row);
      if (all.length === 0) {
        w.emptyArrays(writers.length);
        return;
      }
      for (const write of writers) {
        w.varint(all.length);
        for (const item of all) write(w, item);
      }
    },
  };
}

/** A column that is an array. */
export function list<Row, T extends ColumnType>(
  name: string,
  type: T,
  items: (row: Row) => readonly Values[T][],
): Columns<Row> {
  const write = WRITERS[type]((item: Values[T]) => item);
  return {
    names: [name],
    types: [`Array(${type})`],
    write(w, row) {
      const all = items(row);
      w.varint(all.length);
      for (const item of all) write(w, item);
    },
  };
}

/** What comes before the rows in `RowBinaryWithNamesAndTypes`: the server checks it against the table. */
export function headOf(...groups: readonly Pick<Columns<never>, 'names' | 'types'>[]): Buffer {
  const names = groups.flatMap((group) => group.names);
  const w = new RowBinaryWriter(4 * 1024);
  w.varint(names.length);
  for (const text of [...names, ...groups.flatMap(({ types }) => types)]) w.string(text);
  return w.bytes();
}

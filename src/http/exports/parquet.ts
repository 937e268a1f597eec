import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { toMicros } from '../../domain/micros.js';
import { parseDay, parseTimestamp } from '../../domain/time.js';
import { echo, requestError } from '../../errors.js';
import { cellOf, type Cell, type Column, type ColumnKind } from './columns.js';

type Element = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

/** DECIMAL(38, 6): the widest that readers know. */
const DECIMAL = { precision: 38, scale: 6 };
const DECIMAL_BYTES = 16;
const LIMIT = 10n ** BigInt(DECIMAL.precision);

/** How values are stored, and what readers take them for. */
const TYPES: Record<ColumnKind, [stored: Omit<Element, 'name'>, meaning: Omit<Element, 'name'>]> = {
  text: [{ type: 'BYTE_ARRAY', converted_type: 'UTF8' }, { logical_type: { type: 'STRING' } }],
  decimal: [
    { type: 'FIXED_LEN_BYTE_ARRAY', type_length: DECIMAL_BYTES },
    { converted_type: 'DECIMAL', ...DECIMAL, logical_type: { type: 'DECIMAL', ...DECIMAL } },
  ],
  integer: [{ type: 'INT64' }, {}],
  boolean: [{ type: 'BOOLEAN' }, {}],
  day: [{ type: 'INT32' }, { converted_type: 'DATE', logical_type: { type: 'DATE' } }],
  timestamp: [
    { type: 'INT64' },
    {
      converted_type: 'TIMESTAMP_MICROS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
    },
  ],
};

/** Rows as a Parquet file, a row group a page. Amounts are decimals, to the last digit. */
export async function* toParquet(
  columns: readonly Column[],
  pages: AsyncIterable<readonly object[]>,
): AsyncGenerator<Buffer> {
  const bytes = new ByteWriter();
  const schemaOf = (typesOf: (kind: ColumnKind) => object): Element[] => [
    { name: 'root', num_children: columns.length },
    ...columns.map(({ name, kind }): Element => ({ name, repetition_type: 'OPTIONAL', ...typesOf(kind) })),
  ];
  const file = new ParquetWriter({ writer: bytes, schema: schemaOf((kind) => TYPES[kind][0]) });
  const take = (): Buffer => {
    const taken = Buffer.from(bytes.getBytes()); // a copy: the writer goes on in the same memory
    bytes.index = 0;
    return taken;
  };
  const write = (rows: readonly object[]): Buffer => {
    const columnData = columns.map((column) => ({
      name: column.name,
      data: rows.map((row) => toValue(cellOf(row, column), column.kind)),
      statistics: hasBounds(column),
    }));
    void file.write({ columnData, rowGroupSize: rows.length });
    return take();
  };

  for await (const page of pages) {
    if (page.length > 0) yield write(page);
  }
  // Set at the end: the writer turns amounts into bytes by itself where it knows them, at five times the price.
  file.schema = schemaOf((kind) => ({ ...TYPES[kind][0], ...TYPES[kind][1] }));
  void file.finish();
  yield take();
}

/** Numbers alone: the writer keeps the bounds of all groups until the end, and compares bytes without their sign. */
const hasBounds = ({ kind }: Column): boolean => kind !== 'text' && kind !== 'decimal';

function toValue(cell: Cell, kind: ColumnKind): Cell | bigint | Buffer {
  if (cell === null) return null;
  switch (kind) {
    case 'decimal':
      return decimalBytes(String(cell));
    case 'integer':
      return BigInt(cell);
    case 'day':
      return parseDay(String(cell));
    case 'timestamp':
      return BigInt(parseTimestamp(String(cell)) ?? 0);
    case 'boolean':
      return cell;
    case 'text':
      return String(cell);
  }
}

/** Big-endian, in two's complement. */
function decimalBytes(text: string): Buffer {
  const micros = toMicros(text);
  if (micros <= -LIMIT || micros >= LIMIT) {
    const message = `${echo(text)} has more digits than a decimal of a Parquet file holds; ask for text/csv.`;
    throw requestError('not_acceptable', message);
  }
  const bytes = Buffer.alloc(DECIMAL_BYTES);
  bytes.writeBigInt64BE(micros >> 64n, 0);
  bytes.writeBigUInt64BE(BigInt.asUintN(64, micros), 8);
  return bytes;
}

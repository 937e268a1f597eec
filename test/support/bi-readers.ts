import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { DataType, tableFromIPC } from 'apache-arrow';
import { parquetMetadata, parquetReadObjects, type SchemaElement } from 'hyparquet';
import { readParquet } from 'parquet-wasm';
import { temporaryFolder } from './temporary-folder.js';

/** A cell as text, the same for every reader: decimals without trailing zeros, times in UTC with microseconds, lists as JSON. */
export type Cell = string | null;

export const plainDecimal = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

function decimalText(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  const point = digits.length - scale;
  return plainDecimal(
    `${unscaled < 0n ? '-' : ''}${digits.slice(0, point)}${scale > 0 ? `.${digits.slice(point)}` : ''}`,
  );
}

const timeText = (micros: number): string =>
  `${new Date(Math.floor(micros / 1000)).toISOString().slice(0, -1).replace('T', ' ')}${String(micros % 1000).padStart(3, '0')}`;

export const paddedTime = (text: string): string => {
  const [seconds = '', fraction = ''] = text.replace(/\+00$/, '').split('.');
  return `${seconds}.${fraction.padEnd(6, '0')}`;
};

/** DuckDB, which makes the texts itself; of a CSV it takes the cells as they are. */
export async function readByDuckDb(file: Uint8Array, kind: 'parquet' | 'csv'): Promise<Cell[][]> {
  const path = join(temporaryFolder('bi-readers'), `view.${kind}`);
  writeFileSync(path, file);
  const connection = await (await DuckDBInstance.create()).connect();
  try {
    const from =
      kind === 'parquet' ? `read_parquet('${path}')` : `read_csv('${path}', all_varchar = true, nullstr = '\\N')`;
    await connection.run(`SET TimeZone = 'UTC'`);
    const rows = await connection.runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM ${from}`);
    return rows.getRowsJson() as Cell[][];
  } finally {
    connection.closeSync();
  }
}

function scalarText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  throw new TypeError(`not a cell: ${JSON.stringify(value)}`);
}

/** The JavaScript library of Apache Arrow. */
export function readByArrow(stream: Uint8Array): Cell[][] {
  const table = tableFromIPC(stream);
  return Array.from({ length: table.numRows }, (_, row) =>
    table.schema.fields.map(({ type, name }) => arrowText(type, table.getChild(name)?.get(row))),
  );
}

function arrowText(type: DataType, value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (DataType.isDecimal(type)) {
    const words = [...(value as Uint32Array)];
    const unsigned = words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n);
    return decimalText(BigInt.asIntN(32 * words.length, unsigned), type.scale);
  }
  if (DataType.isDate(type)) return new Date(Number(value)).toISOString().slice(0, 10);
  if (DataType.isTimestamp(type)) return timeText(Math.round(Number(value) * 1000));
  if (DataType.isList(type)) return JSON.stringify([...(value as Iterable<unknown>)].map(String));
  return scalarText(value);
}

/** parquet-wasm, which gives what it reads to Arrow. */
export const readByParquetWasm = (file: Uint8Array): Cell[][] => readByArrow(readParquet(file).intoIPCStream());

/** hyparquet, with amounts as the bytes they are stored in, because it makes floats of decimals. */
export async function readByHyparquet(bytes: Uint8Array): Promise<Cell[][]> {
  const file = new Uint8Array(bytes).buffer;
  const metadata = parquetMetadata(file);
  const scales = new Map(
    metadata.schema.flatMap(({ name, converted_type, scale }) =>
      converted_type === 'DECIMAL' ? [[name, scale ?? 0]] : [],
    ),
  );
  const schema = metadata.schema.map((element) => (element.converted_type === 'DECIMAL' ? stored(element) : element));
  const rows: Record<string, unknown>[] = await parquetReadObjects({
    file,
    metadata: { ...metadata, schema },
    utf8: false,
    parsers: {
      timestampFromMilliseconds: (millis: bigint) => timeText(Number(millis) * 1000),
      timestampFromMicroseconds: (micros: bigint) => timeText(Number(micros)),
      dateFromDays: (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10),
    },
  });
  return rows.map((row) =>
    Object.entries(row).map(([name, value]) => {
      if (value === null || value === undefined) return null;
      if (Array.isArray(value)) return JSON.stringify(value.map(String));
      const scale = scales.get(name);
      if (!(value instanceof Uint8Array) || scale === undefined) return scalarText(value);
      return decimalText(BigInt.asIntN(8 * value.length, BigInt(`0x${Buffer.from(value).toString('hex')}`)), scale);
    }),
  );
}

function stored({ name, type, type_length, repetition_type }: SchemaElement): SchemaElement {
  return {
    name,
    ...(type !== undefined && { type }),
    ...(type_length !== undefined && { type_length }),
    ...(repetition_type !== undefined && { repetition_type }),
  };
}

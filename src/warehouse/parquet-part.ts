import { parquetMetadata, parquetReadObjects, type ColumnMetaData, type SchemaElement } from 'hyparquet';
import { toUnavailable } from './failures.js';

/** Rows of a file as the warehouse wrote them, in one group. */
export interface ParquetPart {
  rows: number;
  schema: SchemaElement[];
  /** Where its columns are in `data`; none where there are no rows. */
  columns: ColumnMetaData[];
  data: Uint8Array;
  /** What the last row has in {@link LAST_COLUMN}; empty where there are no rows. */
  last: () => Promise<string>;
}

/** A text behind the other columns, which the part has no more. */
export const LAST_COLUMN = 'last_column';
/** Indexes and filters would say where they are in the file; in the whole they are elsewhere. */
export const PARQUET_SETTINGS = `output_format_parquet_compression_method = 'snappy', output_format_parquet_write_page_index = 0,
  output_format_parquet_write_bloom_filter = 0`;

/** What a file begins with. */
const MAGIC_BYTES = 4;
/** Bounds to the last digit: a date of JavaScript has no microseconds. */
const AS_STORED = {
  timestampFromMicroseconds: (micros: bigint) => micros,
  dateFromDays: (days: number) => days,
};

/** Takes an answer of `FORMAT Parquet` apart. Throws `store_unavailable` where it is not whole. */
export function toParquetPart(answer: Buffer): ParquetPart {
  try {
    return partOf(answer);
  } catch (error) {
    throw toUnavailable(error, { isInsert: false });
  }
}

function partOf(answer: Buffer): ParquetPart {
  const file = new Uint8Array(answer).buffer;
  const { schema: all, row_groups: groups, num_rows: count } = parquetMetadata(file, { parsers: AS_STORED });
  const rows = Number(count);
  const schema = all.filter(({ name }) => name !== LAST_COLUMN);
  if (rows === 0) return { rows, schema, columns: [], data: new Uint8Array(), last: () => Promise.resolve('') };
  const columns = groups.flatMap((group) => group.columns.flatMap((column) => column.meta_data ?? []));
  const behind = columns.pop();
  if (groups.length > 1 || behind?.path_in_schema.join() !== LAST_COLUMN)
    throw new Error('a Parquet file of another form');
  return {
    rows,
    schema,
    columns: columns.map((column) => ({ ...column, ...placeOf(column, -MAGIC_BYTES) })),
    data: new Uint8Array(file).subarray(MAGIC_BYTES, Number(behind.dictionary_page_offset ?? behind.data_page_offset)),
    async last() {
      const [row] = await parquetReadObjects({ file, columns: [LAST_COLUMN], rowStart: rows - 1, rowEnd: rows });
      return String(row?.[LAST_COLUMN]);
    },
  };
}

/** Where a column is in a file in which it comes so many bytes later. */
export function placeOf(
  { dictionary_page_offset: dictionary, data_page_offset: values }: ColumnMetaData,
  later: number,
): Pick<ColumnMetaData, 'data_page_offset' | 'dictionary_page_offset'> {
  const by = BigInt(later);
  return {
    data_page_offset: values + by,
    ...(dictionary !== undefined && { dictionary_page_offset: dictionary + by }),
  };
}

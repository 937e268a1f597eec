import { parse } from 'csv-parse/sync';
import { expect } from 'chai';
import { EXPORT_TYPES, type ExportFormat } from '../../src/http/exports/format.js';
import type { Service } from './service.js';

/** A row as a file gives it, in texts: amounts as they are written, flags as `true` and `false`, null where nothing stands. */
export type FileRow = Record<string, string | null>;

/** The whole answer to a request for a file. */
export async function download(service: Service, path: string, key: string, format: ExportFormat): Promise<Buffer> {
  const headers = { Authorization: `Bearer ${key}`, Accept: EXPORT_TYPES[format] };
  const response = await fetch(service.url + path, { headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(response.status, bytes.toString('utf8', 0, 1_000)).to.equal(200);
  expect(response.headers.get('content-type')?.split(';')[0]).to.equal(EXPORT_TYPES[format]);
  return bytes;
}

export function readCsv(bytes: Buffer): FileRow[] {
  const rows: Record<string, string>[] = parse(bytes, { columns: true, record_delimiter: '\r\n' });
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, text]) => [name, text === '' ? null : text])),
  );
}

const fileOf = (bytes: Buffer): string => `format(Parquet, unhex('${bytes.toString('hex')}'))`;

/** The types of its columns, as ClickHouse finds them. */
export async function typesOf({ stores: { warehouse } }: Service, bytes: Buffer): Promise<Record<string, string>> {
  const columns = await warehouse.query<{ name: string; type: string }>(`DESCRIBE TABLE ${fileOf(bytes)}`);
  return Object.fromEntries(columns.map(({ name, type }) => [name, type]));
}

/** Read by ClickHouse, which shares nothing with what wrote the file; of one that has rows. */
export async function readParquet(service: Service, bytes: Buffer): Promise<FileRow[]> {
  // As texts, so that no digit is lost on the way here.
  const texts = Object.entries(await typesOf(service, bytes)).map(([name, type]) => {
    const text = type.includes('Decimal') ? `toDecimalString(\`${name}\`, 6)` : `toString(\`${name}\`)`;
    return `${text} AS \`_${name}\``;
  });
  const rows = await service.stores.warehouse.query<FileRow>(`SELECT ${texts.join(', ')} FROM ${fileOf(bytes)}`);
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, text]) => [name.slice(1), text])));
}

/** What a row of JSON is in a table. */
export function flat(row: object, above = ''): [string, string][] {
  return Object.entries(row).flatMap(
    ([name, value]: [string, object | string | number | boolean | null]): [string, string][] => {
      if (value === null) return [];
      if (Array.isArray(value)) return [[above + name, JSON.stringify(value)]];
      return typeof value === 'object' ? flat(value, `${above}${name}_`) : [[above + name, String(value)]];
    },
  );
}

/** A row without the columns that have nothing to say. */
export const given = (row: FileRow): FileRow =>
  Object.fromEntries(Object.entries(row).filter(([, text]) => text !== null));

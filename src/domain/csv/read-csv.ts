import { CsvError, parse, type Info } from 'csv-parse/browser/esm/sync';
import { beginOf, CSV_OPTIONS, separatorOf, type CsvRecord } from './dialect.js';

/** Of a file that is read as a whole. */
export const MAX_BYTES = 2 * 1024 * 1024;
export const MAX_LINES = 10_000;

const NO_TEXT = 'The file is not in UTF-8. Save it as “CSV UTF-8”.';

/** The text of a file: UTF-8, or UTF-16 where a byte order mark says so, as Google's “CSV for Excel” is. Null: it is no text. */
export function csvText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8', { fatal: true }).decode(
      bytes,
    );
  } catch {
    return null;
  }
}

/** The records of a file without blanks around their fields and without empty ones, or what is wrong with the whole of it. */
export function readCsv(
  file: string | null,
  { mostLines = MAX_LINES, separator: given }: { mostLines?: number; separator?: string | undefined } = {},
): CsvRecord[] | string {
  if (file === null || file.includes('\uFFFD')) return NO_TEXT;
  const text = file.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const { separator, skip } = separatorOf(text);
  try {
    const rows: unknown[] = parse(text.slice(skip), { ...CSV_OPTIONS, delimiter: given ?? separator, trim: true });
    const records = rows.map((row) => {
      const { record, info } = row as { record: string[]; info: Info };
      const line = beginOf(info.lines, record) + (skip > 0 ? 1 : 0);
      return { line, fields: record.map((cell) => cell.trim()) };
    });
    const kept = records.filter(({ fields }) => fields.some((cell) => cell !== ''));
    if (kept.length > mostLines + 1) return `The file has more than ${mostLines} lines. Split it.`;
    return kept.length < 2 ? 'The file has no lines below its header.' : kept;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = Number(/at line (\d+)/.exec(error.message)?.[1] ?? 1) + (skip > 0 ? 1 : 0);
    return `Line ${line} has a quote in the wrong place, or one that is never closed.`;
  }
}

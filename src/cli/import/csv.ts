import { Readable } from 'node:stream';
import { CsvError as ParseError, parse, type Info } from 'csv-parse';

/** One record of a CSV file: its fields and the line of the file where it ends (1-based). */
export interface CsvRecord {
  line: number;
  fields: string[];
}

/** A file that breaks RFC 4180; the message names the line. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
}

/** Far more than a record has; a quote that is never closed must not take the rest of the file for one field. */
const LONGEST_RECORD = 1_000_000;

/**
 * Reads CSV as RFC 4180 has it; lines end with LF or CRLF, empty ones are left out.
 *
 * @param text decoded text in chunks of any size
 * @throws CsvError for a quote in the wrong place, one that is never closed, and a record that is too long
 */
export async function* parseCsv(text: AsyncIterable<string> | Iterable<string>): AsyncGenerator<CsvRecord> {
  const parser = parse({
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n'],
    max_record_size: LONGEST_RECORD,
  });
  const source = Readable.from(text);
  source.on('error', (error) => parser.destroy(error));
  try {
    for await (const item of source.pipe(parser)) {
      const { record, info } = item as { record: string[]; info: Info };
      yield { line: info.lines, fields: record };
    }
  } catch (error) {
    throw error instanceof ParseError ? new CsvError(error.message) : error;
  } finally {
    source.destroy();
  }
}

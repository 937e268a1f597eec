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

const SEPARATORS = [',', ';', '\t'];
/** A line by which Excel tells the separator of the file. */
const SEPARATOR_LINE = /^sep=(.)\r?\n/i;

/**
 * Reads CSV as RFC 4180 has it; lines end with LF or CRLF, empty ones are left out. The separator is a comma, semicolon or tab:
 * the one that a line `sep=` names, else the one that its first line has most of.
 *
 * @param text decoded text in chunks of any size
 * @throws CsvError for a quote in the wrong place, one that is never closed, and a record that is too long
 */
export async function* parseCsv(text: AsyncIterable<string> | Iterable<string>): AsyncGenerator<CsvRecord> {
  const source = Readable.from(text);
  try {
    const { head, rest } = await firstLine(source);
    const named = SEPARATOR_LINE.exec(head);
    const skipped = named?.[0] ?? '';
    const parser = parse({
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n'],
      max_record_size: LONGEST_RECORD,
      delimiter: named?.[1] ?? separatorOf(head),
    });
    const whole = Readable.from(after(head.slice(skipped.length), rest));
    whole.on('error', (error) => parser.destroy(error));
    for await (const item of whole.pipe(parser)) {
      const { record, info } = item as { record: string[]; info: Info };
      yield { line: info.lines + (skipped === '' ? 0 : 1), fields: record };
    }
  } catch (error) {
    throw error instanceof ParseError ? new CsvError(error.message) : error;
  } finally {
    source.destroy();
  }
}

/** Text up to the end of the first line at least, and what comes after it. */
async function firstLine(source: Readable): Promise<{ head: string; rest: AsyncIterator<string> }> {
  const rest = (source as AsyncIterable<string>)[Symbol.asyncIterator]();
  let head = '';
  while (!head.includes('\n') && head.length < LONGEST_RECORD) {
    const next = await rest.next();
    if (next.done === true) break;
    head += next.value;
  }
  return { head, rest };
}

async function* after(head: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield head;
  yield* { [Symbol.asyncIterator]: () => rest };
}

function separatorOf(head: string): string {
  const line = (head.split('\n', 1)[0] ?? '').replace(/"[^"]*"/g, '');
  const counts = SEPARATORS.map((separator) => line.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}

import { Readable } from 'node:stream';
import { CsvError as ParseError, parse, type Info } from 'csv-parse';
import { beginOf, CSV_OPTIONS, separatorOf, type CsvRecord } from '../../domain/csv/dialect.js';

/** A file that breaks RFC 4180; the message names the line. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
}

/** Far more than a record has; a quote that is never closed must not take the rest of the file for one field. */
const LONGEST_RECORD = 1_000_000;

/**
 * Reads a file of any size, as `readCsv` reads one as a whole: lines end with LF or CRLF, and the separator is that of its first line.
 *
 * @param text decoded text in chunks of any size
 * @throws CsvError for a quote in the wrong place, one that is never closed, and a record that is too long
 */
export async function* parseCsv(text: AsyncIterable<string> | Iterable<string>): AsyncGenerator<CsvRecord> {
  const source = Readable.from(text);
  try {
    const { head, rest } = await firstLine(source);
    const { separator, skip } = separatorOf(head);
    const parser = parse({ ...CSV_OPTIONS, max_record_size: LONGEST_RECORD, delimiter: separator });
    const whole = Readable.from(after(head.slice(skip), rest));
    whole.on('error', (error) => parser.destroy(error));
    for await (const item of whole.pipe(parser)) {
      const { record, info } = item as { record: string[]; info: Info };
      yield { line: beginOf(info.lines, record) + (skip > 0 ? 1 : 0), fields: record };
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

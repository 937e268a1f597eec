/** One record of a CSV file: its fields and the line of the file where it starts (1-based). */
export interface CsvRecord {
  line: number;
  fields: string[];
}

/** A file that breaks RFC 4180; the message names the line. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
}

type Place = 'field-start' | 'plain' | 'quoted' | 'after-quote' | 'after-return';

/**
 * Reads CSV as RFC 4180 has it: fields may be quoted, a quoted field may hold commas, line breaks and doubled quotes;
 * lines end with LF or CRLF. Empty lines are left out. A quote inside a plain field is taken as it stands.
 *
 * @param text decoded text in chunks of any size
 * @throws CsvError for text after a closing quote, for a carriage return alone, and for a quoted field that never ends
 */
export async function* parseCsv(text: AsyncIterable<string> | Iterable<string>): AsyncGenerator<CsvRecord> {
  let place: Place = 'field-start';
  let fields: string[] = [];
  let field = '';
  let line = 1;
  let startLine = 1;

  for await (const chunk of text) {
    let position = 0;
    while (position < chunk.length) {
      if (place === 'plain' || place === 'quoted') {
        const end = nextOf(chunk, position, place === 'quoted');
        field += chunk.slice(position, end);
        position = end;
        if (position === chunk.length) break;
      }
      const character = chunk[position++];
      if (character === '\n') line++;
      if (place === 'quoted') {
        if (character === '"') place = 'after-quote';
        else field += character ?? '';
        continue;
      }
      if (place === 'after-return' && character !== '\n') {
        throw new CsvError(`line ${line}: a carriage return inside a plain field`);
      }
      if (character === '"' && place !== 'plain') {
        if (place === 'after-quote') field += '"';
        place = 'quoted';
      } else if (character === ',') {
        fields.push(field);
        field = '';
        place = 'field-start';
      } else if (character === '\n') {
        if (fields.length > 0 || field !== '') yield { line: startLine, fields: [...fields, field] };
        fields = [];
        field = '';
        place = 'field-start';
        startLine = line;
      } else if (character === '\r') {
        place = 'after-return';
      } else {
        if (place === 'after-quote') throw new CsvError(`line ${line}: text after the closing quote of a field`);
        field += character ?? '';
        place = 'plain';
      }
    }
  }
  if (place === 'quoted') throw new CsvError(`line ${startLine}: a quoted field of this record never ends`);
  if (fields.length > 0 || field !== '') yield { line: startLine, fields: [...fields, field] };
}

/** Where the run of ordinary characters that starts at `from` ends. */
function nextOf(chunk: string, from: number, quoted: boolean): number {
  for (let position = from; position < chunk.length; position++) {
    const character = chunk[position];
    if (character === '"' ? quoted : character === '\n' || (!quoted && (character === ',' || character === '\r'))) {
      return position;
    }
  }
  return chunk.length;
}

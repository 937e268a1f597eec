import { isDecimal } from '../../domain/micros.js';
import { fraction, type Fraction } from '../../domain/money.js';
import { MS_PER_DAY, MS_PER_HOUR, parseTimestamp } from '../../domain/time.js';
import { offsetsIn } from '../../domain/zones/database.js';
import { CsvError, parseCsv } from '../import/csv.js';
import { utf8Text } from '../import/input.js';

/** The time zone of the data set's clock times. */
export const RETAIL_TIMEZONE = 'Europe/London';

const COLUMNS = [
  'InvoiceNo',
  'StockCode',
  'Description',
  'Quantity',
  'InvoiceDate',
  'UnitPrice',
  'CustomerID',
] as const;

/** One row of the data set; `at` is its clock time in Europe/London, `quantity` is negative in cancellations. */
export interface Row {
  invoice: string;
  sku: string;
  title: string;
  quantity: bigint;
  price: Fraction;
  customer: string;
  at: { iso: string; millis: number };
}

/**
 * Reads the rows of one file, or of several one after the other (a repeated heading is skipped).
 *
 * @throws CsvError for a heading without the expected columns and for a row that cannot be read; the message names the line
 */
export async function* readRows(csv: AsyncIterable<Uint8Array>): AsyncGenerator<Row> {
  const times = new Map<string, Row['at']>();
  let index: Record<(typeof COLUMNS)[number], number> | undefined;
  for await (const { line, fields } of parseCsv(utf8Text(csv))) {
    if (!index || fields[index.InvoiceNo] === 'InvoiceNo') {
      index = headingIndex(fields, line);
      continue;
    }
    const at = index;
    const field = (column: (typeof COLUMNS)[number]) => {
      const value = fields[at[column]];
      if (value === undefined) throw new CsvError(`line ${line}: column ${column} is missing`);
      return value.trim();
    };
    const time = field('InvoiceDate');
    const known = times.get(time) ?? localTime(time, line);
    times.set(time, known);
    const invoice = field('InvoiceNo');
    if (invoice === '') throw new CsvError(`line ${line}: InvoiceNo is empty`);
    yield {
      invoice,
      sku: field('StockCode'),
      title: field('Description'),
      quantity: wholeNumber(field('Quantity'), line),
      price: decimalOf(field('UnitPrice'), line),
      customer: field('CustomerID').replace(/\.0$/, ''),
      at: known,
    };
  }
}

function headingIndex(fields: string[], line: number): Record<(typeof COLUMNS)[number], number> {
  const missing = COLUMNS.filter((column) => !fields.includes(column));
  if (missing.length > 0) {
    throw new CsvError(`line ${line}: the heading lacks ${missing.join(', ')}; expected ${COLUMNS.join(',')},Country`);
  }
  return Object.fromEntries(COLUMNS.map((column) => [column, fields.indexOf(column)])) as Record<
    (typeof COLUMNS)[number],
    number
  >;
}

/** Of a clock time that comes twice the first; one that is left out has the offset that the clock had before. */
function localTime(text: string, line: number): Row['at'] {
  const clock = text.replace(' ', 'T');
  const micros = /^[\d-]{10} [\d:]{8}$/.test(text) ? parseTimestamp(`${clock}Z`) : null;
  if (micros === null) throw new CsvError(`line ${line}: InvoiceDate "${text}" is not YYYY-MM-DD HH:MM:SS`);
  const local = micros / 1000;
  const offsetAt = offsetsIn(RETAIL_TIMEZONE);
  const before = offsetAt(local - MS_PER_DAY);
  const after = offsetAt(local + MS_PER_DAY);
  const offset = offsetAt(local - before) !== before && offsetAt(local - after) === after ? after : before;
  return { iso: `${clock}+${String(offset / MS_PER_HOUR).padStart(2, '0')}:00`, millis: local - offset };
}

function wholeNumber(text: string, line: number): bigint {
  if (!/^-?\d{1,15}$/.test(text)) throw new CsvError(`line ${line}: Quantity "${text}" is not a whole number`);
  return BigInt(text);
}

function decimalOf(text: string, line: number): Fraction {
  if (!isDecimal(text.replace(/^-/, ''))) {
    throw new CsvError(`line ${line}: UnitPrice "${text}" is not a decimal of at most 6 places`);
  }
  return fraction(text);
}

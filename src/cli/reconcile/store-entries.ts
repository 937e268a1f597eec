import type { ConversionOptions } from '../../convert/options.js';
import { fieldsOf, isFields, type Fields } from '../../domain/fields.js';
import { isDecimal } from '../../domain/micros.js';
import { formatDecimal, fraction, sum } from '../../domain/money.js';
import { DAMAGED_ID, isDamagedId } from '../../domain/csv/damaged-id.js';
import { parseCsv } from '../import/csv.js';
import { utf8Text, withHead } from '../import/input.js';
import { fileKind, platformOf } from '../import/platform/file-kind.js';
import { readPlatformOrders } from '../import/platform/read-orders.js';
import { parseJson } from '../parse-json.js';

/** What is compared: the days of a store, or its orders. */
export type EntryKind = 'days' | 'orders';

/** One day or order of the file; `line` counts from 1. */
export interface StoreEntry {
  line: number;
  kind: EntryKind;
  fields: Record<string, unknown>;
}

/** A file that holds neither days nor orders; the message names the line. */
export class EntryError extends Error {
  override readonly name = 'EntryError';
}

const FIELDS: Record<EntryKind, readonly string[]> = {
  days: ['date', 'orders', 'revenue', 'refunds'],
  orders: ['order_id', 'updated_at', 'total', 'refunded'],
};
const LONGEST_LINE = 1_000_000;

/**
 * The entries of a CSV file with a header, of NDJSON, or of an export of a platform, recognized by its beginning. Columns and fields of
 * other names are left out, and so are empty cells and orders of an export that are held back.
 */
export async function* readEntries(
  bytes: AsyncIterable<Uint8Array>,
  conversion: ConversionOptions = {},
): AsyncGenerator<StoreEntry> {
  const { head, whole } = await withHead(bytes);
  const platform = platformOf(head);
  const kind = fileKind(head);
  if (kind.kind === 'other' && kind.sentence === 'the file is empty') throw new EntryError(kind.sentence);
  if (platform !== undefined) {
    for await (const { line, conversion: one } of readPlatformOrders(whole, { platform, conversion })) {
      if ('order' in one) yield toEntry(line, one.order);
    }
  } else {
    const text = utf8Text(whole);
    yield* Buffer.from(head)
      .toString()
      .replace(/^\ufeff/, '')
      .trimStart()
      .startsWith('{')
      ? ndjsonEntries(text)
      : csvEntries(text);
  }
}

async function* csvEntries(text: AsyncIterable<string>): AsyncGenerator<StoreEntry> {
  let columns: string[] | undefined;
  for await (const { line, fields } of parseCsv(text)) {
    if (columns === undefined) {
      columns = fields.map((name) => name.trim().toLowerCase());
      continue;
    }
    if (fields.length !== columns.length) {
      throw new EntryError(`line ${line} has ${fields.length} cells, the header ${columns.length}`);
    }
    const cells = columns.map((name, i): [string, unknown] => [name, cellOf(name, fields[i]?.trim() ?? '')]);
    const given = Object.fromEntries(cells.filter(([, value]) => value !== ''));
    const id = given.order_id;
    if (typeof id === 'string' && isDamagedId(id)) throw new EntryError(`line ${line}: order_id "${id}" ${DAMAGED_ID}`);
    yield toEntry(line, given);
  }
}

/** A count is a number on the wire; what is none is for the service to refuse. */
function cellOf(name: string, text: string): unknown {
  return name === 'orders' && /^\d{1,15}$/.test(text) ? Number(text) : text;
}

async function* ndjsonEntries(text: AsyncIterable<string>): AsyncGenerator<StoreEntry> {
  let line = 0;
  let rest = '';
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) throw new EntryError(`line ${line + lines.length + 1} is too long`);
    for (const one of lines) {
      line++;
      if (one.trim() !== '') yield toEntry(line, parseLine(one, line));
    }
  }
  if (rest.trim() !== '') yield toEntry(line + 1, parseLine(rest, line + 1));
}

function parseLine(text: string, line: number): Fields {
  const value = parseJson(text);
  if (!isFields(value)) throw new EntryError(`line ${line} is not one JSON object`);
  return value;
}

function toEntry(line: number, order: object): StoreEntry {
  const given: Fields = withRefunded({ ...order }, line);
  const kind = 'order_id' in given ? 'orders' : 'date' in given ? 'days' : undefined;
  if (kind === undefined) {
    throw new EntryError(
      `line ${line} has neither an order_id nor a date: a file of orders has ${FIELDS.orders.join(', ')}, one of days ${FIELDS.days.join(', ')}`,
    );
  }
  const fields = Object.fromEntries(
    FIELDS[kind].flatMap((name): [string, unknown][] =>
      given[name] === undefined || given[name] === null ? [] : [[name, given[name]]],
    ),
  );
  return { line, kind, fields };
}

/** A whole order has its refunds, or none, and what they come to is compared like its total. */
function withRefunded(given: Fields, line: number): Fields {
  const { refunded, line_items, refunds = [] } = given;
  if (refunded !== undefined || !Array.isArray(line_items) || !Array.isArray(refunds)) return given;
  const totals = refunds.map((refund) => fieldsOf(refund).total);
  if (!totals.every(isDecimal)) throw new EntryError(`line ${line} has a refund whose total is no amount as text`);
  return { ...given, refunded: formatDecimal(sum(totals.map(fraction))) };
}

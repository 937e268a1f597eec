import type { IdsByShop } from '../domain/by-shop.js';
import { inChunks } from '../domain/in-chunks.js';

/** Bytes of a query parameter in an address; the server takes 128 KiB. */
const PARAMETER_BYTES = 120_000;
/** Of an escaped quote in an address. No byte of an id takes more. */
const BYTES_OF_BYTE = 6;

/** Ids in parts that a query parameter holds. The server's logs keep a statement, but not its parameters. */
export const idChunks = (ids: readonly string[]): Iterable<string[]> =>
  inChunks(ids, PARAMETER_BYTES, (id) => BYTES_OF_BYTE * Buffer.byteLength(id) + 9);

/** A string literal. Ids travel in the statement because a query parameter is cut at 128 KB. */
export function literal(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Whether a text begins with {q:String}, in any case. */
export const startsWith = (text: string): string => `startsWith(lowerUTF8(${text}), lowerUTF8({q:String}))`;

/** A list of column names; names of nested columns have a dot. */
export const quoted = (columns: readonly string[]): string => columns.map((name) => `\`${name}\``).join(', ');

/** An instant as milliseconds or microseconds since 1970: numbers in a row, exact for the next two centuries. */
export const millisOf = (time: string): string => `toFloat64(toUnixTimestamp64Milli(${time}))`;
export const microsOf = (time: string): string => `toFloat64(toUnixTimestamp64Micro(${time}))`;

/** The arrival stamp in the lower half of an order's version, as text. */
export const stampOf = (version: string): string => `toString(bitAnd(${version}, toUInt128(18446744073709551615)))`;

/**
 * Of statements that read some hundred rows: a second thread then costs more than it does. Sums over 366 days took 17 ms of
 * CPU with two threads, and 12 ms with one. Threads that write the answer come on top of these: 9.8 ms by day with them, 8.0
 * without. Those of a rebuild take no longer with one for 200,000 rows either: their sums 342 ms, and 377 with two.
 */
export const ONE_THREAD = 'SETTINGS max_threads = 1, output_format_parallel_formatting = 0';

/** A sub-query reads more pairs than these at less cost. */
const PAIRS_OF_A_LIST = 500;

/**
 * (shop, id) pairs, for `(shop_id, order_id) IN (…)`: all of them one literal that is read at once. With a sub-query for one pair a
 * look-up took 3.6 ms of CPU, with a constant list 2.6; with 400 pairs 4.1 and 3.1, with 5,000 7.3 and 10.6, and with a literal for each
 * of these 64.
 */
export function pairs(ids: IdsByShop): string {
  const all = [...ids];
  if (all.reduce((count, [, own]) => count + own.length, 0) <= PAIRS_OF_A_LIST) {
    const list = all.flatMap(([shopId, own]) => own.map((id) => `(${literal(shopId)},${literal(id)})`));
    return `CAST(${literal(`[${list.join(',')}]`)}, 'Array(Tuple(String, String))')`;
  }
  const shops = all.map(([shopId, own]) => `(${literal(shopId)},[${own.map(literal).join(',')}])`);
  return `SELECT p.1, arrayJoin(p.2) FROM (
    SELECT arrayJoin(CAST(${literal(`[${shops.join(',')}]`)}, 'Array(Tuple(String, Array(String)))')) AS p
  )`;
}

/** The ids of all shops in parts of at most `most` ids, so that a statement stays of a bounded size. */
export function* chunks(ids: IdsByShop, most: number): Generator<Map<string, readonly string[]>> {
  let chunk = new Map<string, readonly string[]>();
  let room = most;
  for (const [shopId, own] of ids) {
    for (let i = 0; i < own.length;) {
      const part = own.slice(i, i + room);
      chunk.set(shopId, part);
      i += part.length;
      room -= part.length;
      if (room === 0) {
        yield chunk;
        chunk = new Map();
        room = most;
      }
    }
  }
  if (chunk.size > 0) yield chunk;
}

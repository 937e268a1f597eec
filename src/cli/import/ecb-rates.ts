import { gunzipSync, inflateRawSync } from 'node:zlib';
import { isCurrency } from '../../domain/currency.js';
import { fraction, ratio, rounded, whole, ZERO, type Fraction } from '../../domain/money.js';
import { parseDay } from '../../domain/time.js';
import { FileError } from './platform/json-values.js';

/** An item of `PUT /v1/rates`. */
export interface ImportedRate {
  currency: string;
  day: string;
  rate: string;
}

const MOST_BYTES = 64 * 1024 * 1024;
const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const EURO = 'EUR';
const RATE = /^\d{1,12}(?:\.\d{1,12})?$/;
const NOT_ZERO = /[1-9]/;
const DECIMALS = 12;

/** The text of the file, of the only file in a zip, or of a gzipped one. Throws FileError. */
export function rateText(bytes: Buffer): string {
  const isZip = bytes.length > 4 && bytes.readUInt32LE(0) === LOCAL_HEADER;
  const limits = { maxOutputLength: MOST_BYTES };
  const text = isZip ? onlyEntry(bytes) : bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes, limits) : bytes;
  return text.toString('utf8');
}

function onlyEntry(bytes: Buffer): Buffer {
  const central = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
  if (central === -1 || bytes.readUInt32LE(central) !== CENTRAL_HEADER) throw new FileError('the zip is damaged');
  const [method, packed, local] = [
    bytes.readUInt16LE(central + 10),
    bytes.readUInt32LE(central + 20),
    bytes.readUInt32LE(central + 42),
  ];
  const begin = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  const content = bytes.subarray(begin, begin + packed);
  if (method === 0) return content;
  if (method !== 8) throw new FileError('the zip is packed in a way that is not known; unpack it first');
  return inflateRawSync(content, { maxOutputLength: MOST_BYTES });
}

/**
 * The rates of a history of the European Central Bank in the currency of a shop, crossed over the euro: exact fractions, rounded once,
 * half-up at the 12th decimal. `N/A` is no rate; currencies that are no codes of today are left out. Throws FileError.
 */
export function* readEcbRates(text: string, shopCurrency: string): Generator<ImportedRate> {
  const [head = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const codes = head.split(',').map((code) => code.trim());
  if (codes[0] !== 'Date')
    throw new FileError('the first line must be that of eurofxref-hist.csv: Date, and currencies');
  if (shopCurrency !== EURO && !codes.includes(shopCurrency)) {
    throw new FileError(`the file has no rates of ${shopCurrency}, the currency of the shop`);
  }
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const [day = '', ...cells] = line.split(',').map((cell) => cell.trim());
    if (parseDay(day) === null) throw new FileError(`line ${i + 2} has no day such as 2026-03-02`);
    /** Units of a currency for one euro. */
    const perEuro = new Map<string, Fraction>([[EURO, whole(1)]]);
    for (const [column, cell] of cells.entries()) {
      if (RATE.test(cell) && NOT_ZERO.test(cell)) perEuro.set(codes[column + 1] ?? '', fraction(cell));
    }
    const own = perEuro.get(shopCurrency);
    if (own === undefined) continue;
    for (const [currency, other] of perEuro) {
      if (currency === shopCurrency || !isCurrency(currency)) continue;
      const rate = rounded(ratio(own, other) ?? ZERO, DECIMALS).toFixed(DECIMALS);
      if (NOT_ZERO.test(rate)) yield { currency, day, rate };
    }
  }
}

import { formatScaled, toMicros } from '../domain/micros.js';
import { fraction, ofMicros, ratio, rounded, times, whole, type Fraction } from '../domain/money.js';
import { hold } from './holds.js';

/** Amounts and quantities are in millionths, as integers. */
export const ONE = 1_000_000n;

const DECIMAL = /^-?\d{1,15}(?:\.\d+)?$/;
const EXACT_DECIMALS = 6;
/** Prices are at most 15 digits before the point; a sum of them may be one of these and no more. */
const MOST = 10n ** 21n;

/** How an amount with more than six decimals is taken. */
export type Decimals = 'exact' | 'rounded';

/** Whether a platform left a value open. */
export function isOpen(value: unknown): value is null | undefined | '' {
  return value === null || value === undefined || value === '';
}

/** A decimal text or number as millionths; null where it is neither, or has more decimals than can be kept. */
export function readMicros(value: unknown, decimals: Decimals = 'exact'): bigint | null {
  const text = textOf(value);
  if (!DECIMAL.test(text)) return null;
  const point = text.indexOf('.');
  const places = point === -1 ? 0 : text.length - point - 1;
  if (places <= EXACT_DECIMALS) return toMicros(text);
  const amount = fraction(text);
  return decimals === 'rounded' || rounded(amount).eq(amount.num) ? microsOf(amount) : null;
}

const microsOf = (value: Fraction, decimals?: number): bigint => toMicros(rounded(value, decimals).toFixed());

/** A text without blanks at its ends, or the shortest decimal one of a number. */
function textOf(value: unknown): string {
  if (typeof value !== 'number') return typeof value === 'string' ? value.trim() : '';
  const text = String(value);
  return Math.abs(value) < 1e-6 && text.includes('e') ? value.toFixed(20) : text;
}

/** An amount that may be left open, which is 0. */
export function money(value: unknown, field: string, decimals?: Decimals): bigint {
  return isOpen(value) ? 0n : requiredMoney(value, field, decimals);
}

export function requiredMoney(value: unknown, field: string, decimals?: Decimals): bigint {
  if (isOpen(value)) throw hold('incomplete_source', field, `${field} is missing; export the order with this field.`);
  const micros = readMicros(value, decimals);
  if (micros === null) throw hold('bad_money', field, `${field} is not a decimal amount.`);
  return micros;
}

/** One that may not be negative. */
export function positiveMoney(value: unknown, field: string, decimals?: Decimals): bigint {
  const micros = money(value, field, decimals);
  if (micros < 0n) throw hold('bad_money', field, `${field} is negative.`);
  return micros;
}

export function quantityOf(value: unknown, field: string): bigint {
  if (isOpen(value)) throw hold('incomplete_source', field, `${field} is missing; export the order with this field.`);
  const micros = readMicros(value);
  if (micros === null) throw hold('bad_money', field, `${field} is not a decimal number.`);
  return micros;
}

export function formatMoney(micros: bigint): string {
  return formatScaled(micros, EXACT_DECIMALS);
}

/** Whole ones without decimals. */
export function formatQuantity(micros: bigint): string {
  return micros % ONE === 0n ? String(micros / ONE) : formatMoney(micros);
}

/** Whether an amount fits the wire: 15 digits before the point. */
export function fits(micros: bigint): boolean {
  return micros < MOST;
}

export function total(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}

export function absolute(micros: bigint): bigint {
  return micros < 0n ? -micros : micros;
}

/** The last place of a number of decimals, from 0 to 6. */
export function placeOf(decimals: number): bigint {
  return microsOf(fraction(`1e-${Math.min(Math.max(decimals, 0), EXACT_DECIMALS)}`));
}

const decimals = new Map<string, number>();

/** Decimals of a currency (ISO 4217): 2 of the euro, 0 of the yen. */
export function decimalsOf(currency: string): number {
  const known = decimals.get(currency);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  decimals.set(currency, maximumFractionDigits);
  return maximumFractionDigits;
}

/** `amount` × `part` ÷ `all`, rounded to so many decimals. */
export function share(amount: bigint, part: bigint, all: bigint, decimals: number): bigint {
  return microsOf({ num: ofMicros(amount * part).num, den: all }, decimals);
}

/** Micros × a rate, rounded to six decimals. */
export function atRate(micros: bigint, rate: Fraction): bigint {
  return microsOf(times(ofMicros(micros), rate));
}

/** What one unit of a currency is worth in another: above 0, at most 30 decimals; undefined where a value is no rate. */
export function readRate(value: unknown): Fraction | undefined {
  const text = textOf(value);
  return /^\d{1,15}(?:\.\d{1,30})?$/.test(text) && /[1-9]/.test(text) ? fraction(text) : undefined;
}

/** What one unit of the other currency is worth. */
export const inverse = (rate: Fraction | undefined): Fraction | undefined =>
  rate && (ratio(whole(1), rate) ?? undefined);

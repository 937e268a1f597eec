import { formatScaled, toMicros } from '../domain/money.js';
import { hold } from './holds.js';

/** Amounts and quantities are in millionths, as integers. */
export const ONE = 1_000_000n;
export const HALF_CENT = 5_000n;

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
  const text = typeof value === 'number' ? numberText(value) : typeof value === 'string' ? value.trim() : '';
  if (!DECIMAL.test(text)) return null;
  const point = text.indexOf('.');
  const places = point === -1 ? 0 : text.length - point - 1;
  if (places <= EXACT_DECIMALS) return toMicros(text);
  const kept = text.slice(0, point + 1 + EXACT_DECIMALS);
  const rest = text.slice(kept.length);
  if (decimals === 'exact') return /^0*$/.test(rest) ? toMicros(kept) : null;
  const up = rest.charCodeAt(0) >= '5'.charCodeAt(0) ? 1n : 0n;
  return toMicros(kept) + (text.startsWith('-') ? -up : up);
}

/** The shortest decimal text of a number. */
function numberText(value: number): string {
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

/** `amount` × `part` ÷ `whole`, rounded half away from zero to the cent. */
export function share(amount: bigint, part: bigint, whole: bigint): bigint {
  const cent = 10_000n * whole;
  return ((amount * part * 2n + cent) / (2n * cent)) * 10_000n;
}

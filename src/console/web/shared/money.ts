/** Decimal strings shown and compared exactly: money never becomes a number here. */

import { currencyDigits } from '../../../domain/currency.js';
import { formatScaled, toMicros } from '../../../domain/micros.js';
import { locale } from './locale.js';

const MAX_DECIMALS = 6;
const formats = new Map<string, Intl.NumberFormat>();

function format(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const language = locale();
  const key = JSON.stringify([language, options]);
  let found = formats.get(key);
  if (found === undefined) {
    found = new Intl.NumberFormat(language, options);
    formats.set(key, found);
  }
  return found;
}

/** One minus sign everywhere; some languages have a hyphen. */
const MINUS = '\u2212';
const withMinus = ({ type, value }: Intl.NumberFormatPart): string => (type === 'minusSign' ? MINUS : value);

/** `Intl` reads a string as the exact decimal that it is. */
function written(value: string | number, options: Intl.NumberFormatOptions): string {
  return format(options)
    .formatToParts(value as `${number}`)
    .map(withMinus)
    .join('');
}

type Sign = Intl.NumberFormatOptions['signDisplay'];

/** The form of an amount: in the digits of ISO 4217, which browsers do not agree on, or with up to so many decimals. */
function money(currency: string, decimals = 0): Intl.NumberFormatOptions {
  const digits = currencyDigits(currency) ?? 2;
  const most = Math.max(digits, decimals);
  return { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: most };
}

/** `1044.8` → `£1,044.80`, in the digits of the currency. */
export function formatMoney(decimal: string, currency: string, signDisplay: Sign = 'auto'): string {
  return written(decimal, { ...money(currency), signDisplay });
}

/** Money with all its digits: those beyond the ones of the currency, and what comes before and after them. */
export function splitMoney(decimal: string, currency: string, signDisplay: Sign = 'auto') {
  const usual = currencyDigits(currency) ?? 2;
  const parts = format({ ...money(currency, MAX_DECIMALS), signDisplay }).formatToParts(decimal as `${number}`);
  const texts = parts.map(withMinus);
  const at = parts.findIndex(({ type }) => type === 'fraction');
  if (at === -1) return { before: texts.join(''), tail: '', after: '' };
  const cut = usual === 0 ? at - 1 : at;
  const fraction = texts[at] ?? '';
  const point = usual === 0 ? (texts[cut] ?? '') : '';
  return {
    before: texts.slice(0, cut).join('') + (usual === 0 ? '' : fraction.slice(0, usual)),
    tail: point + fraction.slice(usual),
    after: texts.slice(at + 1).join(''),
  };
}

/** Money that somebody entered, such as the cost of a unit: with every decimal that it has. */
export function formatExactMoney(decimal: string, currency: string): string {
  return written(decimal, money(currency, MAX_DECIMALS));
}

/** Money on an axis: short, without cents. */
export function formatAxisMoney(value: number, currency: string): string {
  return written(value, { style: 'currency', currency, notation: 'compact', maximumFractionDigits: 1 });
}

/** A share of 1, such as `0.0131`, in percent with one decimal. */
export function formatPercent(decimal: string): string {
  return written(decimal, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

export function formatCount(count: number | string, signDisplay: Sign = 'auto'): string {
  return written(count, { signDisplay });
}

/** Units of an article; they may be parts, such as 0.5. */
export function formatQuantity(decimal: string): string {
  return written(decimal, { maximumFractionDigits: MAX_DECIMALS });
}

/** A decimal of at most six decimals as whole millionths. */
export const micros = toMicros;

/** Whole millionths as a decimal with two to six decimals. */
export const fromMicros = (value: bigint): string => formatScaled(value, MAX_DECIMALS);

/** A quotient of whole numbers, rounded half-up, away from zero; the divisor is positive. */
export function divided(value: bigint, by: bigint): bigint {
  return (2n * value + (value < 0n ? -by : by)) / (2n * by);
}

export function negated(decimal: string): string {
  return fromMicros(-micros(decimal));
}

export function addMoney(...decimals: string[]): string {
  return fromMicros(decimals.reduce((sum, decimal) => sum + micros(decimal), 0n));
}

/** Rounded to millionths, which an amount of money has at most. */
export function multiplied(decimal: string, by: string): string {
  return fromMicros(divided(micros(decimal) * micros(by), 1_000_000n));
}

export interface Change {
  /** What was added since then, a decimal. */
  difference: string;
  /** Such as `+12.3%`; null where the value before was zero or negative, of which there is no share. */
  percent: string | null;
  direction: 'up' | 'down' | 'flat';
}

/** From the value before to the one now; null where one of them is absent. */
export function changeOf(now: string | null, before: string | null): Change | null {
  if (now === null || before === null) return null;
  const [to, from] = [micros(now), micros(before)];
  const difference = to - from;
  const permille = from > 0n ? (difference * 1000n) / from : null;
  const size = permille ?? difference;
  return {
    difference: fromMicros(difference),
    percent: permille === null ? null : formatPermille(permille),
    direction: size > 0n ? 'up' : size < 0n ? 'down' : 'flat',
  };
}

function formatPermille(permille: bigint): string {
  return written(`${permille}e-3`, { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' });
}

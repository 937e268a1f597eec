/**
 * Exact money: how amounts are computed, but for the micro units of hot paths (`micros.ts`). Amounts come in and go out as
 * decimal strings; inside they are decimals of big.js, over a whole divisor where a division comes before the end.
 */
import { Big as createBig, type Big } from 'big.js';

const MAX_DECIMALS = 6;

/** A constructor of its own, so that no other user of the package changes how money is rounded. */
const BigDecimal = createBig();
// A number is refused: it may have lost digits already.
BigDecimal.strict = true;
BigDecimal.DP = MAX_DECIMALS;
BigDecimal.RM = BigDecimal.roundHalfUp;

export type { Big };

/** A decimal string or a whole number as an exact decimal. */
export function decimal(value: string | bigint): Big {
  return new BigDecimal(value);
}

/** An exact fraction: a decimal over a positive whole number, since a month has no whole number of days. */
export interface Fraction {
  readonly num: Big;
  readonly den: bigint;
}

export const ZERO: Fraction = { num: decimal('0'), den: 1n };

/** Any decimal string of the warehouse or of the wire (`-` and any number of fraction digits) as an exact fraction. */
export function fraction(text: string): Fraction {
  return text === '0' ? ZERO : { num: decimal(text), den: 1n };
}

export function whole(count: number | bigint): Fraction {
  return { num: decimal(BigInt(count)), den: 1n };
}

export function ofMicros(micros: bigint): Fraction {
  return fraction(`${micros}e-6`);
}

export function plus(a: Fraction, b: Fraction): Fraction {
  // Most sums of a day are zero.
  if (isZero(a)) return b;
  if (isZero(b)) return a;
  if (a.den === b.den) return { num: a.num.plus(b.num), den: a.den };
  const den = (a.den / commonDivisor(a.den, b.den)) * b.den;
  return { num: over(a, den).plus(over(b, den)), den };
}

/** Its numerator over a multiple of its divisor. */
function over({ num, den }: Fraction, multiple: bigint): Big {
  return den === multiple ? num : num.times(decimal(multiple / den));
}

function commonDivisor(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}

/** Adds numerators by divisor first: many terms share few divisors. */
export function sum(terms: readonly Fraction[]): Fraction {
  // A day is one term.
  if (terms.length <= 1) return terms[0] ?? ZERO;
  const byDivisor = new Map<bigint, Fraction>();
  for (const term of terms) byDivisor.set(term.den, plus(term, byDivisor.get(term.den) ?? ZERO));
  return [...byDivisor.values()].reduce(plus);
}

export function minus(a: Fraction, b: Fraction): Fraction {
  return plus(a, negative(b));
}

export function negative({ num, den }: Fraction): Fraction {
  return { num: num.neg(), den };
}

export function absolute({ num, den }: Fraction): Fraction {
  return { num: num.abs(), den };
}

export function times(a: Fraction, b: Fraction): Fraction {
  return { num: a.num.times(b.num), den: a.den * b.den };
}

/** `null` when the divisor is zero. */
export function ratio(a: Fraction, b: Fraction): Fraction | null {
  if (isZero(b)) return null;
  const divisor = b.num.times(decimal(a.den));
  const scale = decimal(10n ** BigInt(decimalsOf(divisor)));
  const num = a.num.times(decimal(b.den)).times(scale);
  return { num: isNegative(b) ? num.neg() : num, den: BigInt(divisor.abs().times(scale).toFixed()) };
}

/** Digits behind the point. */
function decimalsOf({ c, e }: Big): number {
  return Math.max(0, c.length - 1 - e);
}

/** Without the digits behind so many decimals, as the warehouse divides. */
export function cut({ num, den }: Fraction, decimals: number): Fraction {
  const scale = 10n ** BigInt(decimals);
  const digits = BigInt(num.times(decimal(scale)).round(0, BigDecimal.roundDown).toFixed()) / den;
  return fraction(`${digits}e-${decimals}`);
}

export function isZero({ num }: Fraction): boolean {
  return num.c[0] === 0;
}

export function isNegative(value: Fraction): boolean {
  return value.num.s < 0 && !isZero(value);
}

/** For sorting: below zero where `a` is less than `b`. */
export function compareFractions(a: Fraction, b: Fraction): number {
  return a.den === b.den ? a.num.cmp(b.num) : a.num.times(decimal(b.den)).cmp(b.num.times(decimal(a.den)));
}

/** The one rounding: half-up, away from zero at the half. That of money is at the sixth decimal. */
export function rounded({ num, den }: Fraction, decimals = MAX_DECIMALS): Big {
  if (den === 1n) return decimalsOf(num) > decimals ? num.round(decimals) : num;
  if (decimals === MAX_DECIMALS) return num.div(decimal(den));
  const moved = rounded({ num: num.times(decimal(`1e${decimals - MAX_DECIMALS}`)), den });
  return moved.times(decimal(`1e${MAX_DECIMALS - decimals}`));
}

/** Canonical output: at most six decimals, rounded half-up at the sixth, at least two (`"120.50"`, `"-0.333333"`). */
export function formatDecimal(value: Fraction): string {
  return formatExact(rounded(value));
}

/** All its digits, at least two decimals. */
export function formatExact(value: Big): string {
  const text = value.toFixed();
  const point = text.indexOf('.');
  return point === -1 ? `${text}.00` : text.padEnd(point + 3, '0');
}

/** The canonical output of a decimal string, see {@link formatDecimal}. */
export function canonicalDecimal(text: string): string {
  return formatDecimal(fraction(text));
}

/** The canonical form of a ratio that may not exist. */
export function formatOptional(value: Fraction | null): string | null {
  return value === null ? null : formatDecimal(value);
}

/** A quantity: at most six decimals, none of them a trailing zero (`"3"`, `"0.5"`). */
export function formatQuantity(value: Fraction): string {
  return rounded(value).toFixed();
}

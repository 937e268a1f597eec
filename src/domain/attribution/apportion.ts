import { compare } from '../compare.js';
import { formatScaled, plus, ZERO, type Fraction } from '../money.js';

const SCALE = 6;
const MICROS = 10n ** BigInt(SCALE);

/**
 * Rounds exact parts to micro units so that they add up, to the last digit, to their sum rounded half-up at the sixth
 * decimal. Each is rounded down; the micro units left over go one each to the parts that lost most, those of equal loss in
 * the order given. Parts are not negative.
 */
export function apportion(parts: readonly Fraction[]): bigint[] {
  const sum = parts.reduce(plus, ZERO);
  const total = (2n * sum.num * MICROS + sum.den) / (2n * sum.den);
  const cut = parts.map(({ num, den }, at) => ({ at, micros: (num * MICROS) / den, lost: (num * MICROS) % den, den }));
  const left = Number(total - cut.reduce((so, { micros }) => so + micros, 0n));
  const losers = cut.toSorted((a, b) => compare(b.lost * a.den, a.lost * b.den) || a.at - b.at);
  const raised = new Set(losers.slice(0, left).map(({ at }) => at));
  return cut.map(({ at, micros }) => (raised.has(at) ? micros + 1n : micros));
}

/** Micro units as a canonical decimal string: at least two decimals. */
export function formatMicros(micros: bigint): string {
  return formatScaled(micros, SCALE);
}

import { compare } from '../compare.js';
import { formatScaled, plus, ZERO, type Fraction } from '../money.js';

const SCALE = 6;
const MICROS = 10n ** BigInt(SCALE);

/**
 * Rounds exact parts to micro units so that they add up, to the last digit, to their sum rounded half-up at the sixth
 * decimal. Each is rounded down; the micro units left over go one each to the parts that lost most, those of equal loss in
 * the order given. Half-up is away from zero, as in all figures.
 */
export function apportion(parts: readonly Fraction[]): bigint[] {
  const total = roundMicros(parts.reduce(plus, ZERO));
  const cut = parts.map(({ num, den }, at) => {
    const lost = (((num * MICROS) % den) + den) % den;
    return { at, micros: (num * MICROS - lost) / den, lost, den };
  });
  const left = Number(total - cut.reduce((so, { micros }) => so + micros, 0n));
  const losers = cut.toSorted((a, b) => compare(b.lost * a.den, a.lost * b.den) || a.at - b.at);
  const raised = new Set(losers.slice(0, left).map(({ at }) => at));
  return cut.map(({ at, micros }) => (raised.has(at) ? micros + 1n : micros));
}

/** In micro units, half-up at the sixth decimal. */
function roundMicros({ num, den }: Fraction): bigint {
  const size = (2n * (num < 0n ? -num : num) * MICROS + den) / (2n * den);
  return num < 0n ? -size : size;
}

/** Micro units as a canonical decimal string: at least two decimals. */
export function formatMicros(micros: bigint): string {
  return formatScaled(micros, SCALE);
}

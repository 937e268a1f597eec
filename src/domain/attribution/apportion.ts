import { compareFractions, cut, decimal, isNegative, minus, rounded, sum, type Big, type Fraction } from '../money.js';

const DECIMALS = 6;
const LEAST = decimal('0.000001');

/**
 * Rounds exact parts to six decimals so that they add up, to the last digit, to `whole`, which is less than a millionth from
 * their sum; absent: that rounded half-up at the sixth. Each
 * is rounded down; the millionths left over go one each to the parts that lost most, those of equal loss in the order given.
 */
export function apportion(parts: readonly Fraction[], whole: Big = rounded(sum(parts))): Big[] {
  const down = parts.map((part, at) => {
    const amount = floor(part);
    return { at, amount, lost: minus(part, { num: amount, den: 1n }) };
  });
  const left = down.reduce((rest, { amount }) => rest.minus(amount), whole);
  const losers = down.toSorted((a, b) => compareFractions(b.lost, a.lost) || a.at - b.at);
  const raised = new Set(losers.slice(0, left.div(LEAST).toNumber()).map(({ at }) => at));
  return down.map(({ at, amount }) => (raised.has(at) ? amount.plus(LEAST) : amount));
}

/** The next amount of six decimals below, or the same. */
function floor(part: Fraction): Big {
  const towardsZero = cut(part, DECIMALS);
  const isCut = isNegative(minus(part, towardsZero));
  return isCut ? towardsZero.num.minus(LEAST) : towardsZero.num;
}

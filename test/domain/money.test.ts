import { Big } from 'big.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { formatScaled, isDecimal, isMore, toMicros, toSafeMicros, DECIMAL_PATTERN } from '../../src/domain/micros.js';
import {
  canonicalDecimal,
  compareFractions,
  cut,
  decimal,
  formatDecimal,
  formatExact,
  formatOptional,
  formatQuantity,
  fraction,
  isZero,
  minus,
  ofMicros,
  plus,
  ratio,
  sum,
  times,
  whole,
  ZERO,
} from '../../src/domain/money.js';

/** Exact fractions of whole numbers, the reference: no code of the service, and not its library. */
type Exact = [num: bigint, den: bigint];

function exact(text: string): Exact {
  const [int = '', digits = ''] = text.split('.');
  return [BigInt(int.replace('-', '') + digits) * (text.startsWith('-') ? -1n : 1n), 10n ** BigInt(digits.length)];
}

const add = ([a, b]: Exact, [c, d]: Exact): Exact => [a * d + c * b, b * d];
const negative = ([num, den]: Exact): Exact => [-num, den];
const multiply = ([a, b]: Exact, [c, d]: Exact): Exact => [a * c, b * d];
const divide = ([a, b]: Exact, [c, d]: Exact): Exact => (c < 0n ? [-a * d, b * -c] : [a * d, b * c]);

/** The canonical text of a value: half-up at the sixth decimal, away from zero. */
function canonical([num, den]: Exact): string {
  const [size, sign] = num < 0n ? [-num, '-'] : [num, ''];
  const whole = (size * 1_000_000n) / den;
  const micros = ((size * 1_000_000n) % den) * 2n >= den ? whole + 1n : whole;
  const digits = String(micros).padStart(7, '0');
  const decimals = digits.slice(-6).replace(/0{1,4}$/, '');
  return `${micros === 0n ? '' : sign}${digits.slice(0, -6)}.${decimals}`;
}

const digits = (min: number, max: number) =>
  fc.string({
    unit: fc.constantFrom('0', '1', '2', '3', '4', '5', '6', '7', '8', '9'),
    minLength: min,
    maxLength: max,
  });
const money = fc
  .tuple(digits(1, 15), fc.option(digits(1, 6)))
  .map(([int, fractionDigits]) => (fractionDigits === null ? int : `${int}.${fractionDigits}`));
const signed = fc.tuple(fc.constantFrom('', '-'), money).map(([sign, text]) => sign + text);
const long = fc
  .tuple(fc.constantFrom('', '-'), digits(1, 30), digits(0, 20))
  .map(([sign, int, rest]) => `${sign}${int}.${rest}0`);

describe('money', () => {
  it('takes plain non-negative decimals of 15 and 6 digits and nothing else', () => {
    const good = ['0', '0.0', '00', '007.5', '120.50', '999999999999999.999999', '000000000000000', '0.000001'];
    const bad = [
      '', ' ', '-1', '+1', '-0', '1.', '.5', '.', '1e3', '1E3', '1,5', '1 000', ' 1', '1 ', '1\n', '0x10', 'NaN', 'Infinity',
      '1.0000001', '1000000000000000', '1.2.3', '١', '１', '1_000', 'null',
    ]; // prettier-ignore
    for (const text of good) expect(isDecimal(text), text).to.equal(true);
    for (const text of bad) {
      expect(isDecimal(text), JSON.stringify(text)).to.equal(false);
      expect(toSafeMicros(text), JSON.stringify(text)).to.be.NaN;
    }
    for (const value of [1, 0, null, undefined, ['1'], {}, true, 1n]) expect(isDecimal(value)).to.equal(false);
    fc.assert(fc.property(money, (text) => DECIMAL_PATTERN.test(text)));
  });

  it('scales to millionths exactly', () => {
    fc.assert(fc.property(signed, (text) => fraction(text).num.eq(`${toMicros(text)}e-6`)));
  });

  it('uses the fast path only where a number holds the millionths exactly', () => {
    for (const text of ['9007199254.740991', '0', '000000000000001', '0.000001', '120.50']) {
      expect(toSafeMicros(text)).to.equal(Number(toMicros(text)));
    }
    for (const text of ['9007199254.740992', '9007199254.740993', '999999999999999.999999']) {
      expect(toSafeMicros(text)).to.be.NaN;
    }
    const exactly = (text: string): number => {
      const micros = toMicros(text);
      return micros <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(micros) : NaN;
    };
    fc.assert(fc.property(money, (text) => Object.is(toSafeMicros(text), exactly(text))));
  });

  it('compares amounts exactly, also those that no number holds', () => {
    fc.assert(fc.property(money, money, (a, b) => isMore(a, b) === decimal(a).gt(decimal(b))));
    for (const text of ['0.000001', '9007199254.740993', '999999999999999.999999'])
      expect(isMore(text, text)).to.equal(false);
    expect(isMore('9007199254.740993', '9007199254.740992')).to.equal(true);
    expect(isMore('999999999999999.999998', '999999999999999.999999')).to.equal(false);
  });

  it('writes the canonical form: two to six decimals, rounded half-up once', () => {
    const cases: [string, string][] = [
      ['0', '0.00'], ['120.5', '120.50'], ['33.3333333', '33.333333'], ['0.0000005', '0.000001'], ['0.0000004999', '0.00'],
      ['-0.0000004', '0.00'], ['-0.0000005', '-0.000001'], ['1.999999499999', '1.999999'], ['1.9999995', '2.00'],
      ['999999999999999999999999.9999995', '1000000000000000000000000.00'], ['1.100000', '1.10'], ['-5', '-5.00'],
      ['0.1234565', '0.123457'], ['0.1234564999999999', '0.123456'],
    ]; // prettier-ignore
    for (const [value, text] of cases) expect(formatDecimal(fraction(value)), value).to.equal(text);
    fc.assert(
      fc.property(long, (text) => {
        expect(formatDecimal(fraction(text))).to.equal(canonical(exact(text)));
        expect(canonicalDecimal(text)).to.equal(canonical(exact(text)));
      }),
    );
  });

  it('writes a quantity without zeros at its end', () => {
    const cases: [string, string][] = [
      ['0', '0'], ['3', '3'], ['100', '100'], ['100.00', '100'], ['0.50', '0.5'], ['-10.10', '-10.1'], ['9.9999995', '10'],
    ]; // prettier-ignore
    for (const [value, text] of cases) expect(formatQuantity(fraction(value)), value).to.equal(text);
    fc.assert(
      fc.property(long, (text) => {
        const bare = canonical(exact(text)).replace(/\.?0+$/, '');
        expect(formatQuantity(fraction(text))).to.equal(bare);
      }),
    );
  });

  it('computes with exact fractions and rounds at the end', () => {
    fc.assert(
      fc.property(signed, signed, signed, (a, b, c) => {
        const [x, y, z] = [fraction(a), fraction(b), fraction(c)];
        expect(formatDecimal(plus(x, y))).to.equal(canonical(add(exact(a), exact(b))));
        expect(formatDecimal(minus(x, y))).to.equal(canonical(add(exact(a), negative(exact(b)))));
        expect(formatDecimal(times(times(x, y), z))).to.equal(
          canonical(multiply(multiply(exact(a), exact(b)), exact(c))),
        );
      }),
    );
    // A third three times is one again, which no decimal in between could give.
    const third = ratio(whole(1), whole(3));
    expect(third === null ? null : formatDecimal(plus(third, plus(third, third)))).to.equal('1.00');
  });

  it('divides exactly, with the sign of both sides, and not by zero', () => {
    fc.assert(
      fc.property(signed, signed, (a, b) => {
        const quotient = formatOptional(ratio(fraction(a), fraction(b)));
        if (exact(b)[0] === 0n) expect(quotient).to.equal(null);
        else expect(quotient).to.equal(canonical(divide(exact(a), exact(b))));
      }),
    );
    expect(ratio(ZERO, whole(5))).to.satisfy(isZero);
    expect(formatOptional(ratio(whole(-1), whole(-4)))).to.equal('0.25');
  });

  it('adds up, compares and cuts parts over whole divisors exactly', () => {
    const parts = fc.array(fc.tuple(signed, fc.constantFrom(1n, 7n, 28n, 29n, 30n, 31n, 365n, 366n)), { minLength: 1 });
    fc.assert(
      fc.property(parts, parts, (list, others) => {
        const over = (all: typeof list) => sum(all.map(([text, den]) => ({ num: decimal(text), den })));
        const total = (all: typeof list) => all.map(([text, den]) => divide(exact(text), [den, 1n])).reduce(add);
        expect(formatDecimal(over(list))).to.equal(canonical(total(list)));
        const [difference] = add(total(list), negative(total(others)));
        expect(Math.sign(compareFractions(over(list), over(others)))).to.equal(
          Number(difference > 0n) - Number(difference < 0n),
        );
        const [num, den] = total(list);
        expect(cut(over(list), 12).num.eq(decimal(`${(num * 10n ** 12n) / den}e-12`))).to.equal(true);
      }),
    );
    expect(formatDecimal(ofMicros(-1n))).to.equal('-0.000001');
  });

  it('takes no number, and is not changed by another user of the package', () => {
    expect(() => decimal(0.1 as never)).to.throw(TypeError);
    const { DP, RM } = Big;
    try {
      [Big.DP, Big.RM] = [2, 0];
      expect(formatOptional(ratio(whole(2), whole(3)))).to.equal('0.666667');
    } finally {
      [Big.DP, Big.RM] = [DP, RM];
    }
  });

  it('writes scaled integers in full', () => {
    expect(formatScaled(30_000_000_000_000n, 12)).to.equal('30.00');
    expect(formatScaled(1n, 12)).to.equal('0.000000000001');
    expect(formatScaled(-1_500_000n, 6)).to.equal('-1.50');
    expect(formatScaled(0n, 12)).to.equal('0.00');
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (value) => {
        expect(formatScaled(value, 12)).to.equal(formatExact(decimal(`${value}e-12`)));
      }),
    );
  });
});

import { Big } from 'big.js';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  DECIMAL_PATTERN,
  formatDecimal,
  formatOptional,
  formatQuantity,
  formatScaled,
  fraction,
  isDecimal,
  isMore,
  minus,
  plus,
  ratio,
  times,
  toMicros,
  toSafeMicros,
  whole,
  ZERO,
} from '../../src/domain/money.js';

const exact = Big();
exact.DP = 60;
exact.NE = -1e6;
exact.PE = 1e6;

/** The canonical text of a value, by another way than the code under test. */
function canonical(value: Big): string {
  const text = value.round(6, 1).toFixed();
  const [int = '', digits = ''] = text.replace(/^-(0(\.0*)?)$/, '$1').split('.');
  return `${int}.${digits.padEnd(2, '0')}`;
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
    fc.assert(fc.property(signed, (text) => toMicros(text) === BigInt(exact(text).times(1_000_000).toFixed(0))));
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
    fc.assert(fc.property(money, money, (a, b) => isMore(a, b) === exact(a).gt(b)));
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
    fc.assert(fc.property(long, (text) => formatDecimal(fraction(text)) === canonical(exact(text))));
  });

  it('writes a quantity without zeros at its end', () => {
    const cases: [string, string][] = [
      ['0', '0'], ['3', '3'], ['100', '100'], ['100.00', '100'], ['0.50', '0.5'], ['-10.10', '-10.1'], ['9.9999995', '10'],
    ]; // prettier-ignore
    for (const [value, text] of cases) expect(formatQuantity(fraction(value)), value).to.equal(text);
    fc.assert(fc.property(long, (text) => exact(formatQuantity(fraction(text))).eq(canonical(exact(text)))));
  });

  it('computes with exact fractions and rounds at the end', () => {
    fc.assert(
      fc.property(signed, signed, signed, (a, b, c) => {
        const [x, y, z] = [fraction(a), fraction(b), fraction(c)];
        expect(formatDecimal(plus(x, y))).to.equal(canonical(exact(a).plus(b)));
        expect(formatDecimal(minus(x, y))).to.equal(canonical(exact(a).minus(b)));
        expect(formatDecimal(times(times(x, y), z))).to.equal(canonical(exact(a).times(b).times(c)));
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
        if (exact(b).eq(0)) expect(quotient).to.equal(null);
        else {
          // big.js itself rounds once here: DP is the only difference to the 60 digits above.
          const six = Big();
          six.DP = 6;
          six.RM = 1;
          expect(quotient).to.equal(canonical(exact(six(a).div(b).toFixed())));
        }
      }),
    );
    expect(ratio(ZERO, whole(5))).to.deep.include({ num: 0n });
    expect(formatOptional(ratio(whole(-1), whole(-4)))).to.equal('0.25');
  });

  it('writes scaled integers in full', () => {
    expect(formatScaled(30_000_000_000_000n, 12)).to.equal('30.00');
    expect(formatScaled(1n, 12)).to.equal('0.000000000001');
    expect(formatScaled(-1_500_000n, 6)).to.equal('-1.50');
    expect(formatScaled(0n, 12)).to.equal('0.00');
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (value) => {
        expect(exact(formatScaled(value, 12)).times(exact(10).pow(12)).toFixed(0)).to.equal(value.toString());
      }),
    );
  });
});

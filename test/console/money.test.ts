import { expect } from 'chai';
import fc from 'fast-check';
import {
  addMoney,
  changeOf,
  formatExactMoney,
  formatMoney,
  fromMicros,
  micros,
  splitMoney,
} from '../../src/console/web/shared/money.js';

const digits = (text: string): string => text.replace(/[^\d.-]/g, '');

describe('money in the pages', () => {
  // Whatever the language of the machine is.
  const own = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  before(() => {
    Object.defineProperty(globalThis, 'navigator', { value: { language: 'en-GB' }, configurable: true });
  });
  after(() => {
    if (own === undefined) Reflect.deleteProperty(globalThis, 'navigator');
    else Object.defineProperty(globalThis, 'navigator', own);
  });

  it('shows amounts that no float can hold, exactly', () => {
    expect(digits(formatMoney('999999999999999.99', 'EUR'))).to.equal('999999999999999.99');
    expect(digits(formatMoney('9007199254740993.01', 'EUR'))).to.equal('9007199254740993.01');
    expect(formatMoney('-0.10', 'EUR')).to.equal('−€0.10');
    expect(digits(formatMoney('1.005', 'EUR'))).to.equal('1.01'); // the float nearest to it lies below
    expect(digits(formatMoney('1234.5', 'JPY'))).to.equal('1235');
    expect(digits(formatMoney('1234.5', 'HUF'))).to.equal('1234.50'); // browsers say 0 digits, and 0 of IQD
    expect(digits(formatMoney('1.0005', 'IQD'))).to.equal('1.001');
  });

  it('shows what was entered with every decimal that it has', () => {
    expect(formatExactMoney('0.0049', 'EUR')).to.equal('€0.0049');
    expect(formatExactMoney('999999999999999.999999', 'EUR')).to.equal('€999,999,999,999,999.999999');
    expect(formatExactMoney('7.50', 'EUR')).to.equal('€7.50');
    expect(formatExactMoney('1234.00', 'JPY')).to.equal('JP¥1,234');
  });

  it('adds decimals exactly, whatever their size', () => {
    const money = fc.tuple(fc.bigInt(0n, 10n ** 15n - 1n), fc.integer({ min: 0, max: 999_999 }), fc.boolean());
    const decimal = money.map(([whole, part, minus]) => `${minus ? '-' : ''}${whole}.${String(part).padStart(6, '0')}`);
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        expect(micros(addMoney(a, b))).to.equal(micros(a) + micros(b));
        expect(micros(fromMicros(micros(a)))).to.equal(micros(a));
      }),
    );
    expect(addMoney('0.1', '0.2')).to.equal('0.30');
    expect(addMoney('33.333333', '-33.333333')).to.equal('0.00');
  });

  it('compares with the period before', () => {
    expect(changeOf('150.00', '100.00')).to.deep.equal({ difference: '50.00', percent: '+50%', direction: 'up' });
    expect(changeOf('-50.00', '100.00')).to.deep.equal({ difference: '-150.00', percent: '−150%', direction: 'down' });
    expect(changeOf('7', '7')).to.deep.equal({ difference: '0.00', percent: '0%', direction: 'flat' });
    expect(changeOf(null, '1.00')).to.equal(null);
    expect(changeOf('1.00', null)).to.equal(null);
  });

  it('tells no per cent of a base that is zero or negative, but the difference', () => {
    expect(changeOf('50.00', '-100.00')).to.deep.equal({ difference: '150.00', percent: null, direction: 'up' });
    expect(changeOf('-150.00', '-100.00')).to.deep.equal({ difference: '-50.00', percent: null, direction: 'down' });
    expect(changeOf('7.00', '0.00')).to.deep.equal({ difference: '7.00', percent: null, direction: 'up' });
    expect(changeOf('0.00', '0.00')).to.deep.equal({ difference: '0.00', percent: null, direction: 'flat' });
  });

  it('shows every digit that there is, those beyond the usual ones apart', () => {
    const inEnglish = (decimal: string, currency: string): string[] => {
      const { before, tail, after } = splitMoney(decimal, currency);
      return [before, tail, after];
    };
    expect(inEnglish('438283.22404', 'GBP')).to.deep.equal(['£438,283.22', '404', '']);
    expect(inEnglish('-0.10', 'GBP')).to.deep.equal(['−£0.10', '', '']);
    expect(inEnglish('12', 'GBP')).to.deep.equal(['£12.00', '', '']);
    expect(inEnglish('1200.5', 'JPY')).to.deep.equal(['JP¥1,200', '.5', '']);
    expect(inEnglish('999999999999999.999999', 'KWD').join('')).to.match(/999,999,999,999,999\.999999$/);
    expect(splitMoney('5', 'GBP', 'exceptZero').before).to.equal('+£5.00');
  });
});

import { expect } from 'chai';
import { currencyDigits, currentCurrencies, endedCurrency, isCurrency } from '../../src/domain/currency.js';

describe('currencies', () => {
  it('have the digits of the standard, whatever the runtime says', () => {
    const expected = {
      EUR: 2,
      JPY: 0,
      HUF: 2,
      COP: 2,
      IQD: 3,
      KWD: 3,
      CLF: 4,
      XAU: null,
      XXX: null,
      BGN: 2,
      ZZZ: null,
    };
    expect(Object.fromEntries(Object.keys(expected).map((code) => [code, currencyDigits(code)]))).to.deep.equal(
      expected,
    );
  });

  it('that ended are known, with their last day, and are offered to no new shop', () => {
    expect(endedCurrency('BGN')).to.deep.equal({ lastDay: '2025-12-31', next: 'EUR' });
    const current = currentCurrencies();
    for (const code of ['BGN', 'HRK', 'ANG', 'CUC', 'SLL', 'ZWL']) {
      expect(isCurrency(code), code).to.equal(true);
      expect(current, code).not.to.include(code);
      expect(current).to.include(endedCurrency(code)?.next);
    }
    expect(endedCurrency('EUR')).to.equal(null);
    expect(endedCurrency('constructor')).to.equal(null);
    expect(isCurrency('constructor')).to.equal(false);
  });

  it('are all that the runtime knows, and more', () => {
    expect(Intl.supportedValuesOf('currency').filter((code) => !isCurrency(code))).to.deep.equal([]);
    expect(currentCurrencies()).to.have.length(178).and.include.members(['XCG', 'XAD', 'ZWG', 'VED', 'XDR']);
  });
});

import { expect } from 'chai';
import { parseRange } from '../../../src/domain/metrics/range.js';
import { formatDay } from '../../../src/domain/time.js';
import { RequestError } from '../../../src/errors.js';

const NOW = Date.UTC(2026, 2, 15, 23, 59, 59, 999);
const range = (from?: string, to?: string): string => {
  const { from: first, to: last } = parseRange(from, to, NOW);
  return `${formatDay(first)}/${formatDay(last)}`;
};
const codeOf = (from?: string, to?: string): string => {
  try {
    return range(from, to);
  } catch (error) {
    if (error instanceof RequestError) return `${error.errors[0].code} ${error.errors[0].field ?? ''}`.trim();
    throw error;
  }
};

describe('the range of a metrics request', () => {
  it('is the last 30 days ending today in UTC, unless told otherwise', () => {
    expect(range()).to.equal('2026-02-14/2026-03-15');
    expect(range('2026-03-01')).to.equal('2026-03-01/2026-03-15');
    expect(range(undefined, '2026-01-30')).to.equal('2026-01-01/2026-01-30');
    expect(range('2026-03-15', '2026-03-15')).to.equal('2026-03-15/2026-03-15');
    expect(range('2030-01-01', '2030-01-02')).to.equal('2030-01-01/2030-01-02');
  });

  it('holds 366 days and no more', () => {
    expect(range('2025-01-01', '2026-01-01')).to.equal('2025-01-01/2026-01-01');
    expect(codeOf('2025-01-01', '2026-01-02')).to.equal('range_too_long from');
    expect(codeOf('1970-01-01')).to.equal('range_too_long from');
  });

  it('holds three years where it is asked for longer periods than days', () => {
    expect(parseRange('2023-03-04', '2026-03-05', NOW, 1_098)).to.deep.equal({ from: 19420, to: 20517 });
    expect(() => parseRange('2023-03-04', '2026-03-06', NOW, 1_098)).to.throw('1099 days; at most 1098');
  });

  it('tells the faults of both bounds at once, and a day outside the limits as such', () => {
    expect(() => parseRange('x', '2149-01-01', NOW))
      .to.throw(RequestError)
      .with.property('errors')
      .that.deep.equals([
        { code: 'invalid_range', message: 'from must be a real calendar day written YYYY-MM-DD.', field: 'from' },
        { code: 'invalid_range', message: 'to must lie between 1970-01-01 and 2148-12-31.', field: 'to' },
      ]);
  });

  it('refuses malformed and inverted bounds', () => {
    expect(codeOf('2026-03-02', '2026-03-01')).to.equal('invalid_range from');
    expect(codeOf('2026-03-16')).to.equal('invalid_range from');
    for (const text of ['', 'x', '2026-02-30', '2026-3-1', '20260301', '2026-03-01T00:00:00Z', ' 2026-03-01', '-1']) {
      expect(codeOf(text), text).to.equal('invalid_range from');
      expect(codeOf('2026-03-01', text), text).to.equal('invalid_range to');
    }
  });
});

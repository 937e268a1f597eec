import { expect } from 'chai';
import fc from 'fast-check';
import { comparedRange, type Comparison } from '../../../src/domain/metrics/comparison.js';
import { formatDay, parseDay } from '../../../src/domain/time.js';

const number = (text: string): number => parseDay(text) ?? NaN;
const compare = (from: string, to: string, today: string, vs: Comparison = 'before'): string => {
  const range = comparedRange({ from: number(from), to: number(to) }, vs, number(today));
  return `${formatDay(range.from)} ${formatDay(range.to)}`;
};

/** All days of some years, counted one by one. */
interface Listed {
  year: number;
  month: number;
  day: number;
}
const LISTED: Listed[] = [];
for (let year = 1997; year <= 2030; year++) {
  const isLeap = year % 4 === 0;
  for (const [month, days] of [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].entries()) {
    for (let day = 1; day <= days; day++) LISTED.push({ year, month, day });
  }
}
const BASE = number('1997-01-01');
const at = (index: number): Listed => LISTED[index] ?? { year: 0, month: 0, day: 0 };
const unitAt = (index: number, months: number): number => Math.floor((at(index).year * 12 + at(index).month) / months);
/** Of months, quarters and years the indexes of their days. */
const UNITS = [1, 3, 12].map((months) => {
  const days = new Map<number, number[]>();
  for (const i of LISTED.keys()) days.set(unitAt(i, months), [...(days.get(unitAt(i, months)) ?? []), i]);
  return { months, days };
});

/** By looking at every listed day. */
function naiveBefore(from: number, to: number, today: number): [number, number] {
  for (const { months, days } of UNITS) {
    const unit = unitAt(from, months);
    const [own = [], last = []] = [days.get(unit), days.get(unit - 1)];
    if (own[0] !== from || !own.includes(to)) continue;
    const place = ({ month, day }: Listed): number => (month % months) * 100 + day;
    const same = own.at(-1) === to ? last : last.filter((i) => place(at(i)) <= place(at(to)));
    if (own.at(-1) === to || to === today) return [same[0] ?? NaN, same.at(-1) ?? NaN];
  }
  return [from - (to - from + 1), from - 1];
}

describe('the days that a range is compared with', () => {
  it('are the whole month, quarter or year before one', () => {
    expect(compare('2026-03-01', '2026-03-31', '2026-11-26')).to.equal('2026-02-01 2026-02-28');
    expect(compare('2024-03-01', '2024-03-31', '2024-03-31')).to.equal('2024-02-01 2024-02-29');
    expect(compare('2026-01-01', '2026-01-31', '2026-11-26')).to.equal('2025-12-01 2025-12-31');
    expect(compare('2026-04-01', '2026-06-30', '2026-11-26')).to.equal('2026-01-01 2026-03-31');
    expect(compare('2025-01-01', '2025-12-31', '2026-11-26')).to.equal('2024-01-01 2024-12-31');
    // Not over yet, and asked for as a whole.
    expect(compare('2026-11-01', '2026-11-30', '2026-11-26')).to.equal('2026-10-01 2026-10-31');
  });

  it('are the same days of the one before where the present one is under way', () => {
    expect(compare('2026-11-01', '2026-11-26', '2026-11-26')).to.equal('2026-10-01 2026-10-26');
    expect(compare('2026-10-01', '2026-11-26', '2026-11-26')).to.equal('2026-07-01 2026-08-26');
    expect(compare('2026-01-01', '2026-11-26', '2026-11-26')).to.equal('2025-01-01 2025-11-26');
    expect(compare('2026-11-01', '2026-11-01', '2026-11-01')).to.equal('2026-10-01 2026-10-01');
    expect(compare('2026-03-01', '2026-03-30', '2026-03-30')).to.equal('2026-02-01 2026-02-28');
    expect(compare('2024-01-01', '2024-02-29', '2024-02-29')).to.equal('2023-10-01 2023-11-29');
    expect(compare('2024-01-01', '2024-04-30', '2024-04-30')).to.equal('2023-01-01 2023-04-30');
  });

  it('are as many days just before any other range', () => {
    expect(compare('2026-11-01', '2026-11-25', '2026-11-26')).to.equal('2026-10-07 2026-10-31');
    expect(compare('2026-11-02', '2026-11-26', '2026-11-26')).to.equal('2026-10-08 2026-11-01');
    expect(compare('2026-09-01', '2026-11-26', '2026-11-26')).to.equal('2026-06-06 2026-08-31');
    expect(compare('2026-02-01', '2026-04-30', '2026-11-26')).to.equal('2025-11-04 2026-01-31');
  });

  it('are the same weekdays 52 weeks before', () => {
    expect(compare('2026-11-01', '2026-11-30', '2026-11-26', 'year')).to.equal('2025-11-02 2025-12-01');
  });

  it('are those that a look at every day finds, for any range and today', () => {
    const first = fc.integer({ min: 400, max: LISTED.length - 800 });
    const begins = fc.oneof(
      first,
      first.map((i) => i + 1 - (LISTED[i]?.day ?? 1)),
    );
    fc.assert(
      fc.property(begins, fc.integer({ min: 0, max: 365 }), fc.boolean(), (from, days, endsToday) => {
        const to = from + days;
        const today = endsToday ? to : to + 1;
        const found = comparedRange({ from: from + BASE, to: to + BASE }, 'before', today + BASE);
        expect([found.from - BASE, found.to - BASE]).to.deep.equal(naiveBefore(from, to, today));
      }),
      { numRuns: 2_000 },
    );
  });

  it('are refused before 1970', () => {
    expect(compare('1970-02-01', '1970-02-28', '2026-01-01')).to.equal('1970-01-01 1970-01-31');
    for (const vs of ['before', 'year'] as const) {
      expect(() => compare('1970-01-01', '1970-01-31', '2026-01-01', vs)).to.throw('begin before 1970-01-01');
    }
  });
});

import { expect } from 'chai';
import { addMonths, dayAfterKey, weeksOf } from '../../src/console/web/app/calendar.js';
import { readDay, typedDay } from '../../src/console/web/app/typed-day.js';

const TODAY = '2026-03-31';

describe('a day that is typed', () => {
  for (const [text, day] of [
    ['2010-12-01', '2010-12-01'],
    [' 1 Dec 2010', '2010-12-01'],
    ['December 1, 2010', '2010-12-01'],
    ['31 mar', '2026-03-31'],
    ['1 apr', '2025-04-01'],
    ['-7', '2026-03-24'],
    ['−0', TODAY],
  ] as const) {
    it(`is read: ${text}`, () => expect(readDay(text, TODAY)).to.equal(day));
  }
  for (const text of ['1/12/2010', '12.1.2010', '1 j 2010', '1 ju 2010', '1 2 dec', 'dec 2010', '', '1', '-123456']) {
    it(`stays as it is where it can be read in no way, or in two: “${text}”`, () =>
      expect(readDay(text, TODAY)).to.equal(text));
  }
  it('is shown in a way that is read as the same day', () => {
    for (let month = 1; month <= 12; month++) {
      const day = `2024-${String(month).padStart(2, '0')}-29`;
      expect(readDay(typedDay(day, TODAY), TODAY)).to.equal(day);
    }
  });
});

describe('the days of a month', () => {
  it('are in weeks that begin on Monday', () => {
    const weeks = weeksOf('2026-02');
    expect(weeks).to.have.length(5);
    expect(weeks[0]).to.deep.equal([null, null, null, null, null, null, '2026-02-01']);
    expect(weeks[4]?.slice(0, 6)).to.deep.equal([23, 24, 25, 26, 27, 28].map((date) => `2026-02-${date}`));
    const leap = weeksOf('2024-02').flat();
    expect([leap.includes('2024-02-29'), leap.includes('2024-02-30')]).to.deep.equal([true, false]);
  });
  it('follow each other over the ends of years', () => {
    expect([addMonths('2025-12', 1), addMonths('2026-01', -1), addMonths('2026-03', -15)]).to.deep.equal([
      '2026-01',
      '2025-12',
      '2024-12',
    ]);
  });
  for (const [day, key, next] of [
    ['2026-03-01', 'ArrowLeft', '2026-02-28'],
    ['2026-03-25', 'ArrowDown', TODAY],
    ['2026-03-04', 'Home', '2026-03-02'],
    ['2026-03-04', 'End', '2026-03-08'],
    [TODAY, 'PageUp', '2026-02-28'],
    [TODAY, 'PageDown', TODAY],
    ['1970-01-01', 'ArrowLeft', '1970-01-01'],
    ['2026-03-04', 'x', null],
  ] as const) {
    it(`are left by ${key} from ${day} to ${next ?? 'none'}`, () =>
      expect(dayAfterKey(day, key, TODAY)).to.equal(next));
  }
});

import { expect } from 'chai';
import { DateTime } from 'luxon';
import { periodsOf, type Period } from '../../../src/domain/metrics/periods.js';

const DAY_MS = 86_400_000;

/** The first days of periods, as luxon groups them. */
function startsOf(from: number, to: number, period: Period): number[] {
  const starts = Array.from({ length: to - from + 1 }, (_, i) =>
    DateTime.fromMillis((from + i) * DAY_MS, { zone: 'utc' })
      .startOf(period)
      .toMillis(),
  );
  return starts.flatMap((start, i) => (start === starts[i - 1] ? [] : [from + i]));
}

describe('periods of a range', () => {
  for (const period of ['day', 'week', 'month', 'quarter'] as const) {
    it(`are each ${period} once, cut at the ends of the range`, () => {
      for (let from = 0; from < 800; from += 13) {
        for (const days of [1, 2, 7, 30, 366, 1_098]) {
          const [to, periods] = [from + days - 1, periodsOf({ from, to: from + days - 1 }, period)];
          expect(periods.map((one) => one.from)).to.deep.equal(startsOf(from, to, period));
          periods.forEach((one, i) => expect(one.to).to.equal((periods[i + 1]?.from ?? to + 1) - 1));
        }
      }
    });
  }
});

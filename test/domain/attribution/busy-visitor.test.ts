import { expect } from 'chai';
import fc from 'fast-check';
import { hourOf, isBusy } from '../../../src/domain/attribution/busy-visitor.js';

const HOUR = 3_600_000;
const byHour = (arrivals: readonly number[]): Map<number, number> => {
  const counts = new Map<number, number>();
  for (const at of arrivals) counts.set(hourOf(at), (counts.get(hourOf(at)) ?? 0) + 1);
  return counts;
};

describe('a visitor that names many orders', () => {
  it('is busy around the 24 hours in which it names more than 20', () => {
    const twenty = Array.from({ length: 20 }, (_, i) => 500 * HOUR + i * HOUR);
    expect(isBusy(byHour(twenty), 500 * HOUR)).to.equal(false);
    const more = byHour([...twenty, 523 * HOUR]);
    expect([500, 510, 523].map((hour) => isBusy(more, hour * HOUR))).to.deep.equal([true, true, true]);
    expect(isBusy(byHour([...twenty, 524 * HOUR]), 500 * HOUR), 'a day apart').to.equal(false);
    expect(isBusy(more, 490 * HOUR), 'another order of the days around').to.equal(false);
  });

  it('is judged alike in whatever order the events came, and never more strictly than by 24 hours', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(80 * HOUR), { maxLength: 60 }), fc.nat(59), (arrivals, pick) => {
        const at = arrivals[pick % Math.max(arrivals.length, 1)] ?? 0;
        const found = isBusy(byHour(arrivals), at);
        expect(isBusy(byHour(arrivals.toReversed()), at)).to.equal(found);
        const near = arrivals.filter((other) => Math.abs(other - at) < 24 * HOUR);
        const inDay = near.map((start) => near.filter((other) => other >= start && other < start + 24 * HOUR).length);
        if (found) expect(Math.max(...inDay, 0)).to.be.greaterThan(20);
      }),
    );
  });
});

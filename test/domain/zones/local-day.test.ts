import { expect } from 'chai';
import { dayEarlierIn, localHourIn } from '../../../src/domain/zones/local-day.js';

const micros = (text: string): number => Date.parse(text) * 1000;
const shown = (at: number): string => new Date(at / 1000).toISOString();

describe('hours of a time zone', () => {
  it('are those of its clock', () => {
    const hours = (timezone: string, ...at: string[]) => at.map((text) => localHourIn(timezone)(micros(text)));
    expect(hours('Europe/Berlin', '2026-03-29T00:59:59Z', '2026-03-29T01:00:00Z')).to.deep.equal([1, 3]);
    expect(hours('Europe/Berlin', '2026-10-25T00:59:00Z', '2026-10-25T01:00:00Z')).to.deep.equal([2, 2]);
    expect(hours('Asia/Kolkata', '2026-01-01T18:29:59Z', '2026-01-01T18:30:00Z')).to.deep.equal([23, 0]);
    expect(hours('America/New_York', '1969-12-31T23:00:00Z')).to.deep.equal([18]);
  });

  it('are the same a day earlier, whatever the clock did between', () => {
    const earlier = (timezone: string, at: string) => shown(dayEarlierIn(timezone)(micros(at)));
    expect(earlier('Europe/Berlin', '2026-03-02T06:00:00Z')).to.equal('2026-03-01T06:00:00.000Z');
    // Seven o'clock is 5:00 in summer, and 6:00 in winter.
    expect(earlier('Europe/Berlin', '2026-03-29T05:00:00Z')).to.equal('2026-03-28T06:00:00.000Z');
    expect(earlier('Europe/Berlin', '2026-10-25T06:00:00Z')).to.equal('2026-10-24T05:00:00.000Z');
  });
});

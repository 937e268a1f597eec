import { expect } from 'chai';
import { keepClock, showMomentsIn } from '../../src/console/web/shared/clocks.js';
import {
  addDays,
  formatDay,
  formatMoment,
  formatRange,
  formatTime,
  formatUntil,
  lengthOf,
  periodBefore,
  PRESETS,
  rangeFault,
  todayIn,
} from '../../src/console/web/shared/days.js';

describe('days in the pages', () => {
  afterEach(() => showMomentsIn(null));

  it('takes today from the time zone of the shop', () => {
    const now = Date.parse('2026-03-01T02:30:00Z');
    expect(todayIn('America/New_York', now)).to.equal('2026-02-28');
    expect(todayIn('UTC', now)).to.equal('2026-03-01');
    expect(todayIn('Pacific/Kiritimati', Date.parse('2026-12-31T11:00:00Z'))).to.equal('2027-01-01');
  });

  it('takes today and times of a shop from the clock that the API tells, also where the browser knows another law or no such zone', () => {
    // A law that no runtime has: from June over the date line, and a zone of its own.
    const start = Date.UTC(2026, 5, 1) / 1_000;
    keepClock('Pacific/Niue', { starts: [start - 86_400, start], offsets: [-39_600, 46_800] });
    keepClock('Mars/Olympus', { starts: [0], offsets: [5_400] });
    expect(todayIn('Pacific/Niue', start * 1_000 - 1)).to.equal('2026-05-31');
    expect(todayIn('Pacific/Niue', (start + 11 * 3_600) * 1_000)).to.equal('2026-06-02');
    expect(todayIn('Pacific/Niue', Date.UTC(2026, 0, 1))).to.equal('2025-12-31');
    expect(todayIn('Mars/Olympus', Date.UTC(2026, 5, 1, 22, 30))).to.equal('2026-06-02');
    showMomentsIn('Pacific/Niue');
    expect(formatTime('2026-06-01T11:00:00Z')).to.equal('00:00');
    showMomentsIn('Mars/Olympus');
    expect(formatMoment('2026-06-01T22:30:00Z', { near: '2026-01-01' })).to.match(/2.*00:00/);
    expect(formatUntil('2026-06-01T22:30:00Z')).to.match(/00:00, Olympus time$/);
  });

  it('has presets that end today and fit into a view', () => {
    const ranges = Object.fromEntries(PRESETS.map(({ id, range }) => [id, range('2028-03-31')]));
    expect(ranges['30d']).to.deep.equal({ from: '2028-03-02', to: '2028-03-31' });
    expect(ranges['last-month']).to.deep.equal({ from: '2028-02-01', to: '2028-02-29' });
    expect(ranges.month).to.deep.equal({ from: '2028-03-01', to: '2028-03-31' });
    for (const range of Object.values(ranges)) expect(lengthOf(range)).to.be.within(1, 366);
  });

  it('have their year only where it is another than that of the days around, and a clock of 24 hours', () => {
    const near = '2010-12-23';
    expect(formatDay('2010-12-07', { near })).to.match(/^(7 Dec|Dec 7)$/);
    expect(formatDay('2009-12-07', { near })).to.contain('2009');
    expect(formatDay('2010-12-07')).to.contain('2010');
    expect(formatDay('2010-12-07', { near, weekday: true })).to.contain('Tue');
    expect(formatRange({ from: '2010-12-01', to: near })).to.contain('2010');
    expect(formatRange({ from: '2010-12-01', to: near }, near)).not.to.contain('2010');
    expect(formatRange({ from: '2009-12-31', to: near }, near))
      .to.contain('2009')
      .and.contain('2010');
    showMomentsIn('Europe/London');
    const at = (timestamp: string): string => formatMoment(timestamp, { near });
    expect(at('2010-12-07T15:49:00Z')).to.match(/^\D*7\D* 15:49$/);
    expect(at('2010-12-07T00:05:00Z')).to.match(/ 00:05$/);
    expect(at('2011-01-01T00:05:00Z')).to.match(/2011.* 00:05$/);
    expect(formatMoment(null)).to.equal('–');
  });

  it('compares with as many days just before', () => {
    expect(periodBefore({ from: '2026-03-01', to: '2026-03-31' })).to.deep.equal({
      from: '2026-01-29',
      to: '2026-02-28',
    });
    expect(addDays('2024-02-28', 1)).to.equal('2024-02-29');
  });

  it('shows real days that have begun, as many as the service answers for', () => {
    const today = '2026-03-01';
    for (const day of ['0010-01-01', '1969-12-31', '2026-02-30', '2026-13-01', '2026-03-02', '2026-3-1', '', 'today']) {
      expect(rangeFault({ from: day, to: today }, today), day).to.match(
        /^Days from .*1970 to today .* can be shown\.$/,
      );
      expect(rangeFault({ from: today, to: day }, today), day).to.match(/can be shown\.$/);
    }
    expect(rangeFault({ from: '2026-03-01', to: '2026-02-28' }, today)).to.match(/must not be after/);
    expect(rangeFault({ from: '2025-02-28', to: '2026-03-01' }, today)).to.equal('At most 366 days fit into one view.');
    expect(rangeFault({ from: '2025-03-01', to: '2026-03-01' }, today)).to.equal(null);
    expect(rangeFault({ from: '1970-01-01', to: '1970-01-01' }, today)).to.equal(null);
  });
});

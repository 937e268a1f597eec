import { expect } from 'chai';
import { addDays, lengthOf, periodBefore, PRESETS, rangeFault, todayIn } from '../../src/console/web/shared/days.js';

describe('days in the pages', () => {
  it('takes today from the time zone of the shop', () => {
    const now = Date.parse('2026-03-01T02:30:00Z');
    expect(todayIn('America/New_York', now)).to.equal('2026-02-28');
    expect(todayIn('UTC', now)).to.equal('2026-03-01');
    expect(todayIn('Pacific/Kiritimati', Date.parse('2026-12-31T11:00:00Z'))).to.equal('2027-01-01');
  });

  it('has presets that end today and fit into a view', () => {
    const ranges = Object.fromEntries(PRESETS.map(({ id, range }) => [id, range('2028-03-31')]));
    expect(ranges['30d']).to.deep.equal({ from: '2028-03-02', to: '2028-03-31' });
    expect(ranges['last-month']).to.deep.equal({ from: '2028-02-01', to: '2028-02-29' });
    expect(ranges.month).to.deep.equal({ from: '2028-03-01', to: '2028-03-31' });
    for (const range of Object.values(ranges)) expect(lengthOf(range)).to.be.within(1, 366);
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

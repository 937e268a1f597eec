import { expect } from 'chai';
import { TIME_ZONES } from '../../src/domain/time-zone-names.js';
import { canonicalTimeZone, nearestTimeZone } from '../../src/domain/time-zone.js';

describe('time zones', () => {
  it('are taken in any case, and in no other spelling', () => {
    for (const [text, name] of [
      ['Europe/London', 'Europe/London'],
      ['europe/london', 'Europe/London'],
      ['AMERICA/ARGENTINA/USHUAIA', 'America/Argentina/Ushuaia'],
      ['utc', 'UTC'],
      ['etc/gmt+5', 'Etc/GMT+5'],
      ['asia/kolkata', 'Asia/Kolkata'],
      ['Asia/Calcutta', 'Asia/Calcutta'],
    ] as const) {
      expect(canonicalTimeZone(text), text).to.equal(name);
    }
    for (const text of [
      '',
      'BST',
      'VST',
      'IST',
      '+01:00',
      '-05',
      'UTC+1',
      'Mars/Olympus',
      'Europe',
      '/etc/localtime',
      ' UTC',
      'UTC ',
      'Europe/London\n',
      'Asia/Hong_\u212aong',
      'Factory',
    ]) {
      // prettier-ignore
      expect(canonicalTimeZone(text), text).to.equal(null);
    }
  });

  it('have names that the runtime knows, each once', () => {
    const names = [...TIME_ZONES];
    for (const timeZone of names) expect(() => new Intl.DateTimeFormat('en', { timeZone })).not.to.throw();
    expect(new Set(names.map((name) => name.toLowerCase())).size)
      .to.equal(names.length)
      .and.greaterThan(400);
  });

  it('lack nothing that the runtime lists, but what is too new for the warehouse', () => {
    const missing = Intl.supportedValuesOf('timeZone').filter((name) => !TIME_ZONES.has(name));
    expect(missing.filter((name) => name !== 'America/Coyhaique')).to.deep.equal([]);
  });

  it('of which none is meant have a nearest one', () => {
    for (const [text, name] of [
      ['BST', 'Europe/London'],
      ['vst', 'Asia/Ho_Chi_Minh'],
      ['Berlin', 'Europe/Berlin'],
      ['Europe/Munich', 'Europe/Zurich'],
      ['Europe/Londn', 'Europe/London'],
      ['America/New York', 'America/New_York'],
      ['Kolkatta', 'Asia/Kolkata'],
      ['America/Coyhaique', 'America/Punta_Arenas'],
      ['UTC+1', 'Etc/GMT-1'],
      ['-05:00', 'Etc/GMT+5'],
      ['UTC ', 'UTC'],
    ] as const) {
      expect(nearestTimeZone(text), text).to.equal(name);
    }
    for (const text of ['', '+99:00', 'Mars/Olympus', '🕰', 'x'.repeat(5_000_000)]) {
      expect(TIME_ZONES.has(nearestTimeZone(text)), text.slice(0, 20)).to.equal(true);
    }
  });
});

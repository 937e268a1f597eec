import { expect } from 'chai';
import { clockOf, zoneNames } from '../../../src/domain/zones/database.js';
import { canonicalTimeZone, nearestTimeZone } from '../../../src/domain/zones/time-zone.js';

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

  it('have each name once, all that the runtime lists among them, and clocks', () => {
    const names = [...zoneNames().values()];
    expect(new Set(names.map((name) => name.toLowerCase())).size)
      .to.equal(names.length)
      .and.greaterThan(590);
    expect(Intl.supportedValuesOf('timeZone').filter((name) => !names.includes(name))).to.deep.equal([]);
    for (const name of names) expect(clockOf(name).offsets, name).not.to.be.empty;
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
      ['Coyhaique', 'America/Coyhaique'],
      ['UTC+1', 'Etc/GMT-1'],
      ['-05:00', 'Etc/GMT+5'],
      ['UTC ', 'UTC'],
    ] as const) {
      expect(nearestTimeZone(text), text).to.equal(name);
    }
    for (const text of ['', '+99:00', 'Mars/Olympus', '🕰', 'x'.repeat(5_000_000)]) {
      expect(zoneNames().has(nearestTimeZone(text).toLowerCase()), text.slice(0, 20)).to.equal(true);
    }
  });
});

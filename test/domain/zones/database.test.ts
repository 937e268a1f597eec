import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import moment from 'moment-timezone';
import { formatDay } from '../../../src/domain/time.js';
import { cutClock, offsetsOf, unpackZone } from '../../../src/domain/zones/clock.js';
import {
  areZonesOld,
  clockOf,
  offsetsIn,
  OWN_RELEASE,
  useZoneData,
  zoneNames,
  zonesVersion,
} from '../../../src/domain/zones/database.js';
import { localDayIn } from '../../../src/domain/zones/local-day.js';

const PACKED = 'node_modules/moment-timezone/data/packed/latest.json';
const localDay = (zone: string, ms: number): string => formatDay(localDayIn(zone)(ms * 1000));
const NAMES = [...zoneNames().values()];

describe('the database of time zones', () => {
  it('is the release that the code names, and is old a year after it', () => {
    expect(zonesVersion()).to.equal(OWN_RELEASE.version).and.equal(moment.tz.dataVersion);
    expect(areZonesOld(Date.parse(OWN_RELEASE.day) + 365 * 86_400_000)).to.equal(false);
    expect(areZonesOld(Date.parse(OWN_RELEASE.day) + 367 * 86_400_000)).to.equal(true);
  });

  it('has the laws of 2024 to 2026', () => {
    // From the announcements of the governments; the hours by which clocks are ahead of UTC.
    const laws: [string, string, number][] = [
      ['Asia/Almaty', '2024-02-29T17:59:59Z', 6],
      ['Asia/Almaty', '2024-02-29T19:00:00Z', 5],
      ['America/Asuncion', '2025-07-01T00:00:00Z', -3], // summer time all year since October 2024
      ['Asia/Manila', '2026-07-01T00:00:00Z', 8],
      ['America/Coyhaique', '2025-07-01T00:00:00Z', -3],
      ['America/Vancouver', '2026-11-26T07:30:00Z', -7],
      ['America/Edmonton', '2026-11-26T07:30:00Z', -6],
      ['America/Winnipeg', '2026-11-26T07:30:00Z', -5],
      ['Africa/Casablanca', '2026-09-19T12:00:00Z', 1],
      ['Africa/Casablanca', '2026-09-20T12:00:00Z', 0],
    ];
    for (const [zone, at, hours] of laws)
      expect(offsetsIn(zone)(Date.parse(at)) / 3_600_000, `${zone} ${at}`).to.equal(hours);
    expect(localDay('America/Vancouver', Date.parse('2026-11-26T00:30:00-07:00'))).to.equal('2026-11-26');
  });

  it('is read as its own package reads it, a second before and at each change of every zone from 1970 through 2036', () => {
    const [from, until] = [0, Date.UTC(2037, 0, 1) / 1000];
    for (const name of NAMES) {
      const zone = moment.tz.zone(name);
      const offsetAt = offsetsIn(name);
      const changes = (zone?.untils ?? []).map((until) => until / 1000).filter((at) => at > from && at < until);
      for (const at of [from, ...changes.flatMap((change) => [change - 1, change]), until]) {
        const west = zone?.utcOffset(at * 1000) ?? NaN;
        expect(offsetAt(at * 1000), `${name} ${at}`).to.equal(Math.round(-west * 60_000) + 0);
      }
    }
  });

  it('agrees with the runtime in every zone until the laws of 2024', () => {
    const formats = new Map(
      NAMES.filter((name) => name !== 'America/Coyhaique').map((timeZone) => [
        timeZone,
        new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }),
      ]),
    );
    const instants = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2022, 0, 1) });
    fc.assert(
      fc.property(fc.constantFrom(...formats.keys()), instants, (zone, ms) => {
        expect(localDay(zone, ms), `${zone} ${ms}`).to.equal(formats.get(zone)?.format(ms));
      }),
      { numRuns: 3_000 },
    );
  });

  it('gives a part of a clock that says the same as the whole', () => {
    const at = fc.integer({ min: 946_684_800, max: 2_145_916_800 });
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), at, at, at, (name, a, b, c) => {
        const [from = 0, middle = 0, until = 0] = [a, b, c].sort((x, y) => x - y);
        const part = offsetsOf(cutClock(clockOf(name), from, until));
        for (const second of [from, middle, until - 1])
          if (second >= from && second < until) expect(part(second * 1000)).to.equal(offsetsIn(name)(second * 1000));
      }),
    );
  });

  it('is replaced as a whole by a newer release, or not at all', () => {
    const own: unknown = JSON.parse(readFileSync(PACKED, 'utf8'));
    const { zones, links } = own as { zones: string[]; links: string[] };
    const noon = Date.UTC(2026, 0, 15, 12);
    try {
      const isReunion = (zone: string) => zone.startsWith('Indian/Maldives|');
      expect(offsetsIn('Indian/Maldives')(noon)).to.equal(5 * 3_600_000);
      useZoneData({
        version: '2027a',
        zones: zones.map((zone) => (isReunion(zone) ? 'Indian/Maldives|+06|-60|0|' : zone)),
        links,
      });
      expect(zonesVersion()).to.equal('2027a');
      expect(offsetsIn('Indian/Maldives')(noon)).to.equal(6 * 3_600_000);
      for (const [data, why] of [
        [null, 'version'],
        [{ version: '2027', zones, links }, 'version'],
        [{ version: '2027b', zones: [], links: [] }, 'lacks zones'],
        [{ version: '2027b', zones, links: ['Mars/Olympus|UTC'] }, 'links'],
        [{ version: '2027b', zones: [...zones, 'X/Y|A|?|0|'], links }, 'number'],
      ] as const)
        expect(() => useZoneData(data), why).to.throw(why);
      expect(zonesVersion()).to.equal('2027a');
      expect(areZonesOld(Date.UTC(2028, 11, 30))).to.equal(false);
    } finally {
      useZoneData(own);
    }
  });

  it('unpacks a zone, without changes that change no offset', () => {
    expect(unpackZone('A/B|X Y Z|0 -10 -10|0121|10 1o0 a').clock).to.deep.equal({
      starts: [0, 3_600],
      offsets: [0, 3_600],
    });
  });

  it('changes at local midnight, also when clocks change', () => {
    const cases: [string, string, string][] = [
      ['Europe/Berlin', '2026-03-28T22:59:59.999Z', '2026-03-28'],
      ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29'], // the night of the change to summer
      ['Europe/Berlin', '2026-03-29T21:59:59Z', '2026-03-29'],
      ['Europe/Berlin', '2026-03-29T22:00:00Z', '2026-03-30'],
      ['America/New_York', '2026-11-01T03:59:59Z', '2026-10-31'],
      ['America/New_York', '2026-11-02T04:59:59Z', '2026-11-01'], // a day of 25 hours
      ['America/New_York', '2026-11-02T05:00:00Z', '2026-11-02'],
      ['America/Sao_Paulo', '2018-11-04T02:59:59Z', '2018-11-03'], // midnight itself is skipped
      ['America/Sao_Paulo', '2018-11-04T03:00:00Z', '2018-11-04'],
      ['Pacific/Apia', '2011-12-30T09:59:59Z', '2011-12-29'], // a whole day is skipped
      ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31'],
      ['Asia/Kathmandu', '2026-01-01T18:14:59Z', '2026-01-01'],
      ['Asia/Kathmandu', '2026-01-01T18:15:00Z', '2026-01-02'],
      ['Pacific/Kiritimati', '2026-01-01T10:00:00Z', '2026-01-02'],
      ['America/St_Johns', '2010-11-07T02:30:30Z', '2010-11-07'], // at 00:01 back to 23:01 of the day before
      ['America/St_Johns', '2010-11-07T02:31:00Z', '2010-11-06'],
      ['America/St_Johns', '2010-11-07T02:44:59Z', '2010-11-06'],
      ['America/St_Johns', '2010-11-07T03:30:00Z', '2010-11-07'],
    ];
    for (const [zone, instant, day] of cases) {
      expect(localDay(zone, Date.parse(instant)), `${zone} ${instant}`).to.equal(day);
    }
  });

  it('agrees with the runtime in every minute around each change of a zone that changes past midnight', () => {
    for (const [zone, year] of [
      ['America/St_Johns', 2006],
      ['America/Goose_Bay', 2009],
      ['Asia/Gaza', 2010],
    ] as const) {
      const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' });
      for (let day = Date.UTC(year, 0, 1); day < Date.UTC(year + 1, 0, 1); day += 86_400_000) {
        const before = offset(zone, day);
        if (before === offset(zone, day + 86_400_000)) continue;
        for (let ms = day; ms < day + 86_400_000; ms += 30_000) {
          expect(localDay(zone, ms), `${zone} ${new Date(ms).toISOString()}`).to.equal(format.format(ms));
        }
      }
    }
  }).timeout(240_000);
});

function offset(zone: string, ms: number): string {
  return (
    new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).format(ms).split(' ').at(-1) ?? ''
  );
}

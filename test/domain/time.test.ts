import { expect } from 'chai';
import fc from 'fast-check';
import {
  daysInMonth,
  dayRule,
  daysInYear,
  formatDay,
  formatTimestamp,
  LAST_END_DAY,
  parseDay,
  parseTimestamp,
  timestampRule,
  utcDay,
} from '../../src/domain/time.js';

describe('timestamps', () => {
  const TABLE: [string, string | null][] = [
    ['2026-03-01T09:30:00+01:00', '2026-03-01T08:30:00.000000Z'],
    ['2026-03-01T09:30:00Z', '2026-03-01T09:30:00.000000Z'],
    ['2026-03-01t09:30:00z', '2026-03-01T09:30:00.000000Z'],
    ['2026-03-01T09:30:00z', '2026-03-01T09:30:00.000000Z'],
    ['2026-03-01t09:30:00+01:00', '2026-03-01T08:30:00.000000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000000Z'],
    ['2016-12-31T23:59:60.999999Z', '2017-01-01T00:00:00.000000Z'],
    ['1990-12-31T15:59:60-08:00', '1991-01-01T00:00:00.000000Z'],
    ['2026-03-01T05:29:60+05:30', '2026-03-01T00:00:00.000000Z'],
    ['2016-12-30T23:59:60Z', null], // leap seconds end months
    ['2016-12-31T23:58:60Z', null],
    ['2016-12-31T23:59:61Z', null],
    ['2016-12-31T23:59:60+01:00', null],
    ['2026-03-01T09:30:00-00:00', '2026-03-01T09:30:00.000000Z'],
    ['2026-03-01T09:30:00.1Z', '2026-03-01T09:30:00.100000Z'],
    ['2026-03-01T09:30:00.1234567899Z', '2026-03-01T09:30:00.123456Z'],
    ['2026-03-01T00:00:00+14:00', '2026-02-28T10:00:00.000000Z'],
    ['2026-12-31T23:59:59.999999-12:00', '2027-01-01T11:59:59.999999Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000000Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000000Z'],
    ['2026-03-01T09:30:00', null], // no offset
    ['2026-03-01T09:30:00+0100', null],
    ['2026-03-01T09:30:00+01', null],
    ['2026-03-01T09:30Z', null],
    ['2026-03-01 09:30:00Z', null],
    ['2026-03-01', null],
    ['2026-02-29T00:00:00Z', null],
    ['2026-13-01T00:00:00Z', null],
    ['2026-00-01T00:00:00Z', null],
    ['2026-04-31T00:00:00Z', null],
    ['2026-03-01T24:00:00Z', null],
    ['2026-03-01T09:60:00Z', null],
    ['2026-03-01T09:30:60Z', null],
    ['2026-03-01T09:30:00+24:00', null],
    ['2026-03-01T09:30:00+01:60', null],
    ['2026-03-01T09:30:00.Z', null],
    ['1969-12-31T23:59:59Z', null],
    ['0001-01-01T00:00:00Z', null],
    ['9999-01-01T00:00:00Z', null],
    ['+002026-03-01T00:00:00Z', null],
    ['2026-03-01T09:30:00Z\n', null],
    [' 2026-03-01T09:30:00Z', null],
    ['1772353800', null],
    ['', null],
  ];
  for (const [text, expected] of TABLE) {
    it(`${JSON.stringify(text)} is ${expected ?? 'refused'}`, () => {
      const instant = parseTimestamp(text);
      expect(instant === null ? null : formatTimestamp(instant)).to.equal(expected);
    });
  }

  it('tells an instant outside the limits from what is none', () => {
    for (const text of [
      '1969-12-31T23:59:59Z',
      '1970-01-01T00:59:59+01:00',
      '2255-01-01T00:00:00Z',
      '0001-01-01T00:00:00Z',
    ]) {
      expect([parseTimestamp(text), timestampRule(text)], text).to.deep.equal([
        null,
        'must lie between 1970-01-01 and 2254-12-31',
      ]);
    }
    for (const text of ['1969-12-31T23:59:59', '1969-02-29T00:00:00Z', '2300-01-01', '']) {
      expect([parseTimestamp(text), timestampRule(text)], text).to.deep.equal([
        null,
        'must be a real RFC 3339 timestamp with an explicit offset such as "2026-03-01T09:30:00+01:00"',
      ]);
    }
  });

  it('keeps every microsecond, whatever the offset', () => {
    const instants = fc.integer({ min: 0, max: Date.UTC(2254, 0, 1) * 1000 });
    fc.assert(
      fc.property(instants, fc.integer({ min: -1439, max: 1439 }), (micros, offset) => {
        const local = Math.max(0, micros) + offset * 60_000_000;
        if (local < 0) return;
        const sign = offset < 0 ? '-' : '+';
        const two = (n: number): string => String(Math.floor(n)).padStart(2, '0');
        const zone = `${sign}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`;
        expect(parseTimestamp(formatTimestamp(local).replace('Z', zone))).to.equal(micros);
      }),
    );
  });
});

describe('days', () => {
  it('reads every instant as the runtime does', () => {
    const two = (number: number): string => String(number).padStart(2, '0');
    const zone = fc
      .tuple(fc.constantFrom('+', '-'), fc.nat(23), fc.nat(59))
      .map(([sign, hours, minutes]) => `${sign}${two(hours)}:${two(minutes)}`);
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(1970, 0, 2), max: Date.UTC(2254, 11, 30) }), zone, (ms, offset) => {
        const text = new Date(ms).toISOString().replace('Z', offset);
        expect(parseTimestamp(text)).to.equal(Date.parse(text) * 1000);
      }),
      { numRuns: 3_000 },
    );
  });

  it('takes real calendar days only', () => {
    expect(parseDay('1970-01-01')).to.equal(0);
    expect(parseDay('2024-02-29')).to.equal(19_782);
    for (const text of [
      '2023-02-29',
      '2026-1-1',
      '2026-01-01T00:00:00Z',
      '1969-12-31',
      '2149-01-01',
      '26-01-01',
      '',
      'today',
    ]) {
      expect(parseDay(text), text).to.equal(null);
    }
    expect(parseDay('2148-12-31')).to.equal(65_378);
    fc.assert(fc.property(fc.integer({ min: 0, max: 65_378 }), (day) => parseDay(formatDay(day)) === day));
  });

  it('tells a day outside the limits from what is no day', () => {
    for (const text of ['1969-12-31', '2149-01-01', '0000-02-29', '9999-12-31']) {
      expect(dayRule(text), text).to.equal('must lie between 1970-01-01 and 2148-12-31');
    }
    for (const text of ['1969-02-29', '2149-13-01', '10000-01-01', '-001-01-01', '', 'x', '2026-03-01 ']) {
      expect(dayRule(text), text).to.equal('must be a real calendar day written YYYY-MM-DD');
    }
    expect(parseDay('9999-12-31', LAST_END_DAY)).to.equal(2_932_896);
    expect(formatDay(2_932_896)).to.equal('9999-12-31');
  });

  it('knows the lengths of months and years', () => {
    const day = (text: string): number => parseDay(text) ?? NaN;
    expect(['2024-02-10', '2023-02-28', '2026-12-31', '2026-04-01', '2100-02-01'].map((text) => daysInMonth(day(text)))).to.deep.equal([29, 28, 31, 30, 28]); // prettier-ignore
    expect(['2024-12-31', '2023-01-01', '2100-06-01', '2000-06-01'].map((text) => daysInYear(day(text)))).to.deep.equal([366, 365, 365, 366]); // prettier-ignore
  });
});

describe('utcDay', () => {
  it('is the day of UTC', () => {
    expect(formatDay(utcDay(Date.UTC(2026, 2, 1, 23, 59, 59, 999)))).to.equal('2026-03-01');
    expect(formatDay(utcDay(Date.UTC(2026, 2, 2)))).to.equal('2026-03-02');
  });
});

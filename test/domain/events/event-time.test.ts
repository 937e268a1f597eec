import { expect } from 'chai';
import { eventTime } from '../../../src/domain/events/event-time.js';

const NOW = Date.UTC(2017, 0, 1, 12);

describe('the time of an event', () => {
  it('is read as every other timestamp', () => {
    for (const [ts, iso] of [
      ['2017-01-01T11:00:00.123Z', '2017-01-01T11:00:00.123Z'],
      ['2017-01-01t11:00:00.123z', '2017-01-01T11:00:00.123Z'],
      ['2017-01-01T13:00:00.123456+02:00', '2017-01-01T11:00:00.123Z'],
      ['2016-12-31T23:59:60.5Z', '2017-01-01T00:00:00.000Z'],
      ['2017-01-02T11:00:00Z', '2017-01-01T12:00:00.000Z'], // a clock that is ahead
    ] as const) {
      expect(new Date(eventTime(ts, NOW) ?? 0).toISOString(), ts).to.equal(iso);
    }
  });

  it('is none without an offset, on no real day, and where the clock tells nothing', () => {
    for (const ts of [
      '2017-01-01T11:00:00',
      '2016-11-31T00:00:00Z',
      '2016-12-31T11:00:60Z',
      '2017-01-02T12:00:01Z',
      '2016-12-02T11:59:59Z',
      'x',
    ]) {
      // prettier-ignore
      expect(eventTime(ts, NOW), ts).to.equal(null);
    }
  });

  it('is corrected by the clock of a page that says when it sent the event', () => {
    const at = (ts: string, sent: string): string | null => {
      const time = eventTime(ts, NOW, Date.parse(sent));
      return time === null ? null : new Date(time).toISOString();
    };
    expect(at('2017-01-01T08:00:00Z', '2017-01-01T09:00:00Z'), 'three hours behind').to.equal(
      '2017-01-01T11:00:00.000Z',
    );
    expect(at('2018-01-01T08:00:00Z', '2018-01-01T09:00:00Z'), 'a year ahead').to.equal('2017-01-01T11:00:00.000Z');
    expect(at('2017-01-01T11:00:00Z', '2017-01-01T11:59:55Z'), 'on the way').to.equal('2017-01-01T11:00:00.000Z');
    expect(at('2017-01-01T08:00:00Z', '2017-01-01T07:59:00Z'), 'after it was sent').to.equal(
      '2017-01-01T12:00:00.000Z',
    );
    expect(at('2016-12-30T12:00:00Z', '2017-01-01T12:00:00Z')).to.equal('2016-12-30T12:00:00.000Z');
    expect(at('2016-12-30T11:59:59Z', '2017-01-01T12:00:00Z'), 'waited too long').to.equal(null);
  });
});

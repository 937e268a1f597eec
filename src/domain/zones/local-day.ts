import { MS_PER_DAY, MS_PER_HOUR, utcDay, type LocalDay } from '../time.js';
import { offsetsIn } from './database.js';

/** The days of a time zone. Throws a RangeError for a name that is none. */
export function localDayIn(timezone: string): LocalDay {
  const offsetAt = offsetsIn(timezone);
  return (micros) => {
    const ms = Math.floor(micros / 1000);
    return utcDay(ms + offsetAt(ms));
  };
}

/** The hour of the day of a moment in microseconds since 1970, 0-23. Throws a RangeError for a name that is no time zone. */
export function localHourIn(timezone: string): (micros: number) => number {
  const offsetAt = offsetsIn(timezone);
  return (micros) => {
    const ms = Math.floor(micros / 1000);
    const local = ms + offsetAt(ms);
    return Math.floor((local - Math.floor(local / MS_PER_DAY) * MS_PER_DAY) / MS_PER_HOUR);
  };
}

/** The same time on the clock one day earlier, in microseconds; where the clock left it out or had it twice, within an hour of it. */
export function dayEarlierIn(timezone: string): (micros: number) => number {
  const offsetAt = offsetsIn(timezone);
  return (micros) => {
    const ms = Math.floor(micros / 1000);
    const then = ms - MS_PER_DAY;
    return micros + (then + offsetAt(ms) - offsetAt(then) - ms) * 1000;
  };
}

import { utcDay, type LocalDay } from '../time.js';
import { offsetsIn } from './database.js';

/** The days of a time zone. Throws a RangeError for a name that is none. */
export function localDayIn(timezone: string): LocalDay {
  const offsetAt = offsetsIn(timezone);
  return (micros) => {
    const ms = Math.floor(micros / 1000);
    return utcDay(ms + offsetAt(ms));
  };
}

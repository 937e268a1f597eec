import { clockOf } from '../../domain/zones/database.js';
import { cutClock } from '../../domain/zones/clock.js';

/** What the service stamped itself lies between these, in seconds since 1970. */
const FIRST = Date.UTC(2020, 0, 1) / 1000;
const LAST = Date.UTC(2150, 0, 1) / 1000;

/** Parameters of {@link localDate}. The engine's own zones are of another release, so it gets the clock and is asked for none. */
export function clockParameters(timezone: string): { clockStarts: number[]; clockOffsets: number[] } {
  const { starts, offsets } = cutClock(clockOf(timezone), FIRST, LAST);
  return { clockStarts: [0, ...starts.slice(1)], clockOffsets: [...offsets] };
}

/** The local day of an instant in seconds since 1970, by {@link clockParameters}. */
export const localDate = (seconds: string): string =>
  `toDate(toUInt16(intDiv(toInt64(${seconds}) + {clockOffsets:Array(Int32)}[arrayLastIndex(s -> s <= ${seconds}, {clockStarts:Array(Int64)})], 86400)))`;

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

/**
 * `local_day(moment)` for the WITH of a view: the day of a time in the zone of the shop, by the clock that is stored with its source;
 * in UTC where there is none. Both lists are constants of a query, so the engine searches instead of trying one start after the other.
 */
export const LOCAL_DAY = `(
        SELECT if(empty(any(clock_starts)), CAST(([0], [0]), 'Tuple(Array(Int64), Array(Int32))'), (any(clock_starts), any(clock_offsets)))
        FROM {database}.sources {final}
    ) AS shop_clock,
    moment -> toDate(toUInt16(intDiv(toInt64(toUnixTimestamp(moment)) + transform(
        roundDown(toInt64(toUnixTimestamp(moment)), shop_clock.1), shop_clock.1, shop_clock.2, toInt32(0)
    ), 86400))) AS local_day`;

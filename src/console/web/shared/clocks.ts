import { offsetsOf, type Clock, type OffsetAt } from '../../../domain/zones/clock.js';

/** The clocks of the time zones of shops, as the API says them. */
const clocks = new Map<string, { from: number; offsetAt: OffsetAt }>();

/** The zone of the shop whose page is shown. */
let shownZone: string | null = null;

/** From now on all moments are shown in the zone of a shop: a page is of one. Null: in that of the reader, where there is no shop. */
export function showMomentsIn(timezone: string | null): void {
  shownZone = timezone;
}

/** In which zone the page shows moments. */
export const pageZone = (): string => shownZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Takes the clock of a time zone from an answer. */
export function keepClock(timezone: string, clock: Clock): void {
  clocks.set(timezone, { from: (clock.starts[0] ?? 0) * 1000, offsetAt: offsetsOf(clock) });
}

/**
 * What a formatter is given for a moment in a time zone: by the clock of the API, since the browser's zones may be of another release, and by
 * those for a moment before that clock or for a zone of no shop.
 */
export function localTime(timezone: string, ms: number): { ms: number; timeZone: string } {
  const clock = clocks.get(timezone);
  return clock === undefined || ms < clock.from
    ? { ms, timeZone: timezone }
    : { ms: ms + clock.offsetAt(ms), timeZone: 'UTC' };
}

import { canonicalTimeZone } from '../../domain/zones/time-zone.js';
import type { Warehouse } from '../client.js';
import { defineQuery, texts, type RowOf } from '../query.js';
import { clockParameters } from './local-days.js';

const CLOCKS = defineQuery('clocks of sources', texts('timezone', 'clockStarts', 'clockOffsets'));

/** Whether a stored clock is that of the release of the time zones in this process. */
function isOfNow({ timezone, clockStarts, clockOffsets }: RowOf<typeof CLOCKS>): boolean {
  const clock = clockParameters(timezone);
  return JSON.stringify(clock.clockStarts) === clockStarts && JSON.stringify(clock.clockOffsets) === clockOffsets;
}

/** Whether the clock that is stored with the source of a shop is that of this process: workers that start renew it. */
export async function hasClockOf(warehouse: Warehouse, shopId: string, timezone: string): Promise<boolean> {
  const rows = await warehouse.ask(
    CLOCKS(
      `SELECT timezone, toString(clock_starts) AS clockStarts, toString(clock_offsets) AS clockOffsets FROM sources FINAL
       WHERE shop_id = {shop:String} AND timezone = {timezone:String}`,
      { shop: shopId, timezone },
    ),
  );
  return rows.every(isOfNow);
}

/**
 * Renews the clocks that are stored with sources where they are of another release of the time zones. Harmless to repeat, also in several
 * processes. `warehouse` is that of one shard. Returns the time zones that were renewed.
 */
export async function renewClocks(warehouse: Warehouse): Promise<string[]> {
  const rows = await warehouse.ask(
    CLOCKS(
      `SELECT DISTINCT timezone, toString(clock_starts) AS clockStarts, toString(clock_offsets) AS clockOffsets FROM sources`,
    ),
  );
  // One of a later release keeps its clock, or the days of UTC.
  const stale = rows.filter((row) => canonicalTimeZone(row.timezone) !== null && !isOfNow(row));
  const zones = [...new Set(stale.map(({ timezone }) => timezone))];
  for (const timezone of zones)
    await warehouse.run({
      name: 'renew the clocks of sources',
      // In place: a new row would be a change of settings in their history.
      sql: `ALTER TABLE sources UPDATE clock_starts = {clockStarts:Array(Int64)}, clock_offsets = {clockOffsets:Array(Int32)}
       WHERE timezone = {timezone:String} SETTINGS mutations_sync = 1`,
      params: { timezone, ...clockParameters(timezone) },
    });
  return zones;
}

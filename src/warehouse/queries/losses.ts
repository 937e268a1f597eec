import { Type } from 'typebox';
import { causeOnDay, LOSSES, type PixelDays } from '../../domain/attribution/losses.js';
import { compare } from '../../domain/compare.js';
import type { DayRange } from '../../domain/metrics/range.js';
import { formatDecimal, fraction } from '../../domain/money.js';
import { formatDay } from '../../domain/time.js';
import type { Loss } from '../../schemas/attribution.js';
import type { Warehouse } from '../client.js';
import { defineQuery } from '../query.js';
import { ONE_THREAD } from '../sql.js';
import { CREDITS } from './attribution.js';
import { clockParameters, localDate } from './local-days.js';
import { at, OWN, type CountedUntil } from './push-hours.js';

/** The unattributed orders of a range by day and cause, in this order. */
export type LossReader = (shopId: string, zone: string, range: DayRange) => Promise<Loss[]>;

const LOST = defineQuery('losses', {
  date: Type.String(),
  cause: Type.String(),
  orders: Type.String(),
  revenue: Type.String(),
});
const PIXEL_DAYS = defineQuery('days with events', { day: Type.String() });

export function createLossReader(warehouse: Warehouse, countedUntil: CountedUntil): LossReader {
  return async (shopId, zone, range) => {
    const bounds = { from: formatDay(range.from), to: formatDay(range.to) };
    const lost = LOST(
      `SELECT toString(day) AS date, c.channel AS cause, toString(sum(c.orders)) AS orders, toString(sum(c.revenue)) AS revenue
       FROM ${CREDITS}
       GROUP BY day, cause HAVING sum(c.orders) != 0 ORDER BY day, cause ${ONE_THREAD}`,
      { shop: shopId, ...bounds, model: LOSSES },
    );
    const [rows, days] = await Promise.all([
      warehouse.ask(lost),
      readPixelDays(warehouse, { shopId, zone, since: at(await countedUntil(shopId)) }),
    ]);
    return rows
      .map(({ date, cause, orders, revenue }): Loss => ({
        date,
        cause: causeOnDay(cause, date, days),
        orders: Number(orders),
        revenue: formatDecimal(fraction(revenue)),
      }))
      .sort((a, b) => compare(a.date, b.date) || compare(a.cause, b.cause));
  };
}

/** By the log of accepted pushes: hours that are over are counted there. */
async function readPixelDays(
  warehouse: Warehouse,
  { shopId, zone, since }: { shopId: string; zone: string; since: string },
): Promise<PixelDays> {
  const events = `${OWN} AND kind = 'events' AND accepted > 0`;
  const rows = await warehouse.ask(
    PIXEL_DAYS(
      `SELECT DISTINCT toString(d) AS day FROM (
         SELECT arrayJoin([${localDate('toUnixTimestamp(first_at)')}, ${localDate('toUnixTimestamp(last_at)')}]) AS d FROM push_hours WHERE ${events}
         UNION ALL
         SELECT ${localDate('toUnixTimestamp(received_at)')} AS d FROM ingest_log WHERE ${events} AND received_at >= ${since}
       ) ORDER BY day ${ONE_THREAD}`,
      { shop: shopId, ...clockParameters(zone) },
    ),
  );
  return { first: rows[0]?.day ?? null, days: new Set(rows.map(({ day }) => day)) };
}

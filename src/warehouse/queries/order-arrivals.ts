import { Type } from 'typebox';
import type { AlertFacts } from '../../domain/alerts.js';
import { windowBegin } from '../../domain/ingest-status.js';
import { MS_PER_DAY, MS_PER_HOUR } from '../../domain/time.js';
import type { Warehouse } from '../client.js';
import { defineQuery, texts } from '../query.js';
import { at, COUNTER_LIMITS, OWN, pushesWhere, type CountedUntil } from './push-hours.js';

/** Pushes of orders of the last weeks; `hours` is how long they may be absent. */
export type ReadArrivals = (
  shopId: string,
  of: { nowMs: number; hours: number },
) => Promise<Required<Pick<AlertFacts, 'arrivals' | 'refusals'>>>;

const WEEK_MS = 7 * MS_PER_DAY;
/** What is usual is what was so in these weeks. */
const WEEKS = 4;

const ms = (time: string): string => `toUnixTimestamp64Milli(toDateTime64(${time}, 3, 'UTC'))`;
const ARRIVALS = defineQuery('arrivals of orders', {
  ...texts('first_ms', 'last_ms', 'refused', 'items', 'refused_ms'),
  weeks: Type.Array(Type.Number()),
});

export function createArrivalReader(warehouse: Warehouse, countedUntil: CountedUntil): ReadArrivals {
  return async (shopId, { nowMs, hours }) => {
    const begin = nowMs - WEEKS * WEEK_MS - hours * MS_PER_HOUR;
    const counted = await countedUntil(shopId);
    const columns = 'accepted, rejected, superseded';
    const kind = `${OWN} AND kind = 'orders'`;
    const today = `p.time >= ${windowBegin(nowMs, '24h')}`;
    const sql = `SELECT toString(minIf(p.first, p.accepted > 0)) AS first_ms, toString(maxIf(p.last, p.accepted > 0)) AS last_ms,
        groupUniqArrayIf(toUInt32(intDiv(${nowMs} - p.last, ${WEEK_MS})),
          p.accepted > 0 AND modulo(${nowMs} - p.last, ${WEEK_MS}) < ${hours * MS_PER_HOUR}) AS weeks,
        toString(sumIf(p.rejected, ${today})) AS refused,
        toString(sumIf(p.accepted + p.rejected + p.superseded, ${today})) AS items,
        toString(maxIf(p.time, p.rejected > 0)) AS refused_ms
      FROM (
        SELECT ${ms('hour')} AS time, ${columns}, ${ms('first_at')} AS first, ${ms('last_at')} AS last
        FROM push_hours FINAL WHERE ${kind} AND hour >= ${at(begin)} AND hour < ${at(counted)}
        UNION ALL
        SELECT ${ms('received_at')} AS time, ${columns}, time AS first, time AS last
        FROM (${pushesWhere(`${kind} AND received_at >= ${at(Math.max(begin, counted))}`)})
      ) AS p ${COUNTER_LIMITS}`;
    const [row] = await warehouse.ask(ARRIVALS(sql, { shop: shopId }));
    const numberOf = (text: string | undefined): number | null => (Number(text) > 0 ? Number(text) : null);
    const first = numberOf(row?.first_ms) ?? nowMs;
    return {
      arrivals: {
        lastAt: numberOf(row?.last_ms),
        weeks: Math.min(WEEKS, Math.max(0, Math.floor((nowMs - first) / WEEK_MS))),
        busyWeeks: (row?.weeks ?? []).filter((week) => week >= 1 && week <= WEEKS).length,
      },
      refusals: {
        rejected: Number(row?.refused ?? 0),
        all: Number(row?.items ?? 0),
        lastAt: numberOf(row?.refused_ms),
      },
    };
  };
}

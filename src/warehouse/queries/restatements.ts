import { Type } from 'typebox';
import { RATE_AGE_DAYS } from '../../domain/costs/rates.js';
import type { SalesPart } from '../../domain/metrics/figures.js';
import type { DayRange } from '../../domain/metrics/range.js';
import { formatDay, parseDay } from '../../domain/time.js';
import type { Warehouse } from '../client.js';
import { clockParameters, localDate } from './local-days.js';
import { DAY_SUMS, PART, toPart } from './metrics.js';
import { defineQuery, texts } from '../query.js';

/** A day, and a moment in microseconds since 1970 at which something that its figures are made of changed. */
export interface DayMoment {
  at: number;
  /** Day number. */
  day: number;
}

export interface MomentQuery {
  shopId: string;
  range: DayRange;
  timezone: string;
  /** The moments from this one on, itself included. */
  from: DayMoment;
  /** The last one that may be. */
  until: DayMoment;
  limit: number;
  /** The newest of them instead of the first, from the newest on. */
  newestFirst?: boolean;
}

export interface RestatementReader {
  /**
   * The first moments, or the newest, at which days that were over then changed, by time and day. Of a change of settings every day of the
   * range that was over.
   */
  moments(query: MomentQuery): Promise<DayMoment[]>;
  /** The moments from one to another at which settings changed, in their order. */
  settingsMoments(shopId: string, from: number, until: number): Promise<number[]>;
  /** What stood on each day at each moment; a day on which nothing did is absent. */
  states(shopId: string, moments: readonly DayMoment[]): Promise<(DayMoment & { sales: SalesPart })[]>;
}

/** A version is a change where it is of another state than what held before it. */
const DAYS = `SELECT v.at AS at, v.day AS day FROM (
    SELECT valid_from AS at, day, argMax(state, computed_at) OVER (versions ROWS UNBOUNDED PRECEDING) AS held,
      argMax(state, computed_at) OVER (versions ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS held_before
    FROM daily_orders_history
    WHERE shop_id = {shop:String} AND day BETWEEN {from:Date} AND {to:Date} AND valid_from <= {until:UInt64}
    WINDOW versions AS (PARTITION BY day, part ORDER BY valid_from, computed_at)
  ) AS v WHERE v.at >= {at:UInt64} AND v.held != v.held_before`;
/** A change ends the row before it; the first row of a key alone says when it began. */
const changes = (columns: string, where: string): string =>
  `SELECT arrayJoin(arrayFilter(t -> t BETWEEN {at:UInt64} AND {until:UInt64}, [valid_until, valid_from])) AS at${columns}
   FROM settings_history WHERE shop_id = {shop:String} AND valid_until >= {at:UInt64} AND ${where}`;
const SETTINGS = `SELECT DISTINCT c.at AS at FROM (${changes('', "kind != 'rates'")}) AS c`;
/** A rate changes its day and those after it on which it may hold, of those in the range; its id begins with the day. */
const RATES = `SELECT c.at AS at, toDate(arrayJoin(range(toUInt16(greatest(c.rate_day, {from:Date})),
      toUInt16(least(c.rate_day + ${RATE_AGE_DAYS}, {to:Date})) + 1))) AS day
    FROM (${changes(
      ', toDate(substring(id, 1, 10)) AS rate_day',
      `kind = 'rates' AND id >= toString({from:Date} - ${RATE_AGE_DAYS}) AND id < toString({to:Date} + 1)`,
    )}) AS c`;
const SETTINGS_MOMENTS = `SELECT toString(s.at) AS at
  FROM (SELECT DISTINCT c.at AS at FROM (${changes('', 'true')}) AS c) AS s ORDER BY s.at`;
const momentsQuery = (order: '' | ' DESC'): string => `SELECT toString(m.at) AS at, toUInt16(m.day) AS number FROM (
    ${DAYS}
    UNION DISTINCT
    SELECT s.at AS at, toDate(arrayJoin(range(toUInt16({from:Date}), toUInt16({to:Date}) + 1))) AS day
    FROM (SELECT * FROM (${SETTINGS}) ORDER BY at${order} LIMIT {limit:UInt32}) AS s
    UNION DISTINCT
    ${RATES}
  ) AS m
  WHERE (m.at, toUInt16(m.day)) BETWEEN ({at:UInt64}, {day:UInt16}) AND ({until:UInt64}, {lastDay:UInt16})
    AND ${localDate('intDiv(m.at, 1000000)')} > m.day
  ORDER BY m.at${order}, m.day${order} LIMIT {limit:UInt32}`;

/** {days:Array(UInt16)} and {ats:Array(UInt64)} as rows. */
export const ASKED = `(
    SELECT toDate(pair.1) AS day, pair.2 AS at
    FROM (SELECT arrayJoin(arrayZip({days:Array(UInt16)}, {ats:Array(UInt64)})) AS pair)
  )`;
/** First which row it is, by narrow columns: a day that took many pushes has many rows, and they are wide. */
const STATES = `WITH held AS (
    SELECT m.day AS day, m.at AS at, h.part AS part, max(h.computed_at) AS computed_at
    FROM daily_orders_history AS h INNER JOIN ${ASKED} AS m ON h.day = m.day
    WHERE h.shop_id = {shop:String} AND h.day IN {days:Array(UInt16)} AND h.valid_from <= m.at
    GROUP BY m.day, m.at, h.part
  )
  SELECT toString(d.at) AS at, ${DAY_SUMS} FROM (
    SELECT h.*, n.at AS at
    FROM (
      SELECT * FROM daily_orders_history
      WHERE shop_id = {shop:String} AND day IN {days:Array(UInt16)} AND computed_at IN (SELECT computed_at FROM held)
      LIMIT 1 BY day, part, computed_at
    ) AS h
    INNER JOIN held AS n ON h.day = n.day AND h.part = n.part AND h.computed_at = n.computed_at
  ) AS d GROUP BY d.day, d.at`;

/** Parameters of {@link ASKED}. */
export const asked = (shopId: string, moments: readonly DayMoment[]) => ({
  shop: shopId,
  days: moments.map(({ day }) => day),
  ats: moments.map(({ at }) => at),
});

const CHANGED_DAYS = defineQuery('moments of changed days', { at: Type.String(), number: Type.Number() });
const CHANGED_SETTINGS = defineQuery('moments of changed settings', texts('at'));
const STATES_OF_DAYS = defineQuery('states of days', { ...PART, at: Type.String() });

export function createRestatementReader(warehouse: Warehouse): RestatementReader {
  return {
    async moments({ shopId, range, timezone, from, until, limit, newestFirst = false }) {
      const rows = await warehouse.ask(
        CHANGED_DAYS(momentsQuery(newestFirst ? ' DESC' : ''), {
          shop: shopId,
          from: formatDay(range.from),
          to: formatDay(range.to),
          ...clockParameters(timezone),
          at: from.at,
          day: from.day,
          until: until.at,
          lastDay: until.day,
          limit,
        }),
      );
      return rows.map(({ at, number }) => ({ at: Number(at), day: number }));
    },
    async settingsMoments(shopId, from, until) {
      const rows = await warehouse.ask(CHANGED_SETTINGS(SETTINGS_MOMENTS, { shop: shopId, at: from, until }));
      return rows.map(({ at }) => Number(at));
    },
    async states(shopId, moments) {
      if (moments.length === 0) return [];
      const rows = await warehouse.ask(STATES_OF_DAYS(STATES, asked(shopId, moments)));
      return rows.map((row) => ({ at: Number(row.at), day: parseDay(row.day) ?? 0, sales: toPart(row) }));
    },
  };
}

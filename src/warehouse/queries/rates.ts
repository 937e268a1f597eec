import { Type } from 'typebox';
import { RATE_AGE_DAYS, type DayRate, type RateInput } from '../../domain/costs/rates.js';
import type { DayRange } from '../../domain/metrics/range.js';
import { decimal } from '../../domain/money.js';
import { formatDay } from '../../domain/time.js';
import type { Warehouse } from '../client.js';
import { jsonRows } from '../columns/json-rows.js';
import { defineQuery, texts } from '../query.js';
import { ONE_THREAD } from '../sql.js';
import { stateThen } from './history.js';

/** Rows of `rates`. `shopCurrency` is that of the shop, in which the rates are. */
export function encodeRates(
  shopId: string,
  items: readonly { item: RateInput; stamp: number }[],
  shopCurrency: string,
): Buffer {
  return jsonRows(
    items.map(({ item: { currency, day, rate }, stamp }) => ({
      shop_id: shopId,
      currency,
      day,
      rate: rate ?? '0',
      shop_currency: shopCurrency,
      version: stamp,
      is_deleted: rate === null ? 1 : 0,
    })),
  );
}

export interface ListedRate {
  currency: string;
  /** `YYYY-MM-DD`. */
  day: string;
  /** Decimal without zeros at its end. */
  rate: string;
  /** Arrival stamp of the push that wrote it. */
  stamp: number;
}

export interface RateQuery {
  shopId: string;
  shopCurrency: string;
  currency?: string | undefined;
  /** First and last day, `YYYY-MM-DD`; absent: all. */
  from?: string | undefined;
  to?: string | undefined;
  /** The last one of the page before. */
  after?: Pick<ListedRate, 'currency' | 'day'> | undefined;
  limit: number;
}

/** Rates of a shop in the order of currency and day. */
export type ListRates = (query: RateQuery) => Promise<ListedRate[]>;

const RATES = defineQuery('rates', { ...texts('currency', 'day', 'rate'), stamp: Type.Number() });

export function createRateList(warehouse: Warehouse): ListRates {
  return async ({ shopId, shopCurrency, currency, from, to, after, limit }) => {
    const conditions = [
      'r.shop_id = {shop:String}',
      'r.shop_currency = {shopCurrency:String}',
      ...(currency === undefined ? [] : ['r.currency = {currency:String}']),
      ...(from === undefined ? [] : ['r.day >= {from:Date}']),
      ...(to === undefined ? [] : ['r.day <= {to:Date}']),
      ...(after === undefined ? [] : ['(r.currency, r.day) > ({afterCurrency:String}, {afterDay:Date})']),
    ];
    const rows = await warehouse.ask(
      RATES(
        `SELECT toString(r.currency) AS currency, toString(r.day) AS day, toString(r.rate) AS rate, toFloat64(r.version) AS stamp
         FROM rates AS r FINAL WHERE ${conditions.join(' AND ')}
         ORDER BY r.currency, r.day LIMIT {limit:UInt32}`,
        {
          shop: shopId,
          shopCurrency,
          limit,
          ...(currency !== undefined && { currency }),
          ...(from !== undefined && { from }),
          ...(to !== undefined && { to }),
          ...(after !== undefined && { afterCurrency: after.currency, afterDay: after.day }),
        },
      ),
    );
    return rows.map((row) => ({ ...row, rate: canonicalRate(row.rate) }));
  };
}

/** A rate without zeros at its end. */
export const canonicalRate = (text: string): string => decimal(text).toFixed();

export interface RatesQuery {
  shopId: string;
  shopCurrency: string;
  /** Days on which the rates hold. */
  range: DayRange;
  /** Of expenses; those of ad spend are found. */
  currencies: readonly string[];
  /** Microseconds since 1970 of the moment at which they were known; absent: now. */
  asOf?: number | undefined;
}

/** The rates by which amounts of a range may count: of its days and of those before that still hold. */
export type ReadRates = (query: RatesQuery) => Promise<DayRate[]>;

const HELD_RATES = defineQuery('rates that hold', { currency: Type.String(), day: Type.Number(), rate: Type.String() });

/** A shop may push the rates of all currencies, and spends in few. */
const WANTED = `(has({currencies:Array(String)}, r.currency) OR r.currency IN (
    SELECT toString(a.currency) FROM ad_spend AS a
    WHERE a.shop_id = {shop:String} AND a.event_date BETWEEN {from:Date} AND {to:Date}))`;
const NOW = `SELECT toString(q.currency) AS currency, q.day AS day, q.rate AS rate FROM rates AS q FINAL
  WHERE q.shop_id = {shop:String} AND q.shop_currency = {shopCurrency:String} AND q.day BETWEEN {first:Date} AND {to:Date}`;
/** The ids of the history begin with the day, see the view `rates_states`. */
const THEN = `SELECT substring(h.id, 12) AS currency, toDate(substring(h.id, 1, 10)) AS day, toDecimal128(h.state.3[1][1], 12) AS rate
  FROM (
    SELECT id, ${stateThen('valid_from, is_deleted, terms')} AS state FROM settings_history
    WHERE shop_id = {shop:String} AND kind = 'rates' AND id >= toString({first:Date}) AND id < toString({to:Date} + 1)
      AND valid_until > {asOf:UInt64}
    GROUP BY id
  ) AS h
  WHERE h.state.1 <= {asOf:UInt64} AND h.state.2 = 0 AND h.state.3[1][2] = {shopCurrency:String}`;

export function createRatesReader(warehouse: Warehouse): ReadRates {
  return async ({ shopId, shopCurrency, range, currencies, asOf }) => {
    const rows = await warehouse.ask(
      HELD_RATES(
        `SELECT r.currency AS currency, toUInt16(r.day) AS day, toString(r.rate) AS rate
         FROM (${asOf === undefined ? NOW : THEN}) AS r WHERE ${WANTED} ${ONE_THREAD}`,
        {
          shop: shopId,
          shopCurrency,
          currencies: [...currencies],
          first: formatDay(Math.max(0, range.from - RATE_AGE_DAYS)),
          from: formatDay(range.from),
          to: formatDay(range.to),
          ...(asOf !== undefined && { asOf }),
        },
      ),
    );
    return rows.map((row) => ({ ...row, rate: canonicalRate(row.rate) }));
  };
}

/**
 * By currency and day from {first:Date} to {last:Date}, the rate that holds of a shop whose currency is {currency:String}: `held` is
 * its day and value.
 */
export const HELD_ON_DAYS = `(
      SELECT q.currency AS currency, q.day + q.age AS on_day, argMin((q.day, q.rate), q.age) AS held
      FROM (
        SELECT toString(p.currency) AS currency, p.day AS day, p.rate AS rate, arrayJoin(range(${RATE_AGE_DAYS + 1})) AS age
        FROM rates AS p FINAL
        WHERE p.shop_id = {shop:String} AND p.shop_currency = {currency:String}
          AND p.day BETWEEN {first:Date} - ${RATE_AGE_DAYS} AND {last:Date}
      ) AS q
      GROUP BY currency, on_day
    )`;

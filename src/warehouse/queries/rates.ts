import { Type } from 'typebox';
import type { RateInput } from '../../domain/costs/rates.js';
import { decimal } from '../../domain/money.js';
import type { Warehouse } from '../client.js';
import { jsonRows } from '../columns/json-rows.js';
import { defineQuery, texts } from '../query.js';

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

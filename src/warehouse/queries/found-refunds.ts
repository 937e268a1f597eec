import type { DayRange } from '../../domain/metrics/range.js';
import { formatDay } from '../../domain/time.js';
import type { Warehouse } from '../client.js';
import { startsWith } from '../sql.js';
import { defineQuery, texts, type RowOf } from '../query.js';

const FOUND = defineQuery('refunds by the beginning of their id', texts('refund_id', 'order_id', 'day', 'total'));
export type FoundRefund = RowOf<typeof FOUND>;

/** Rows of orders that the first look keeps; more than a search shows, since a row may be of an earlier version of its order. */
const MAX_CANDIDATES = 100;

/** The newest refunds of these days whose id begins with a text, in any case. */
export type FindRefunds = (shopId: string, range: DayRange, q: string, most: number) => Promise<FoundRefund[]>;

/**
 * Looks through the ids alone first: of a year of 10^6 orders these are few, and what a row says besides is read of those found.
 */
export const createRefundFinder =
  (warehouse: Warehouse): FindRefunds =>
  (shopId, { from, to }, q, most) => {
    const ofDays = (table: string) =>
      `${table}.shop_id = {shop:String} AND ${table}.day BETWEEN {from:Date} AND {to:Date}`;
    const sql = `SELECT refund_id, d.order_id AS order_id, toString(d.day) AS day, toString(total) AS total
      FROM order_days AS d FINAL
      ARRAY JOIN d.refund_list.refund_id AS refund_id, d.refund_list.total AS total
      WHERE ${ofDays('d')} AND (d.day, d.order_id) IN (
        SELECT c.day, c.order_id FROM order_days AS c
        WHERE ${ofDays('c')} AND arrayExists(id -> ${startsWith('id')}, c.refund_list.refund_id)
        ORDER BY c.day DESC LIMIT ${MAX_CANDIDATES}
      ) AND ${startsWith('refund_id')}
      ORDER BY d.day DESC, refund_id LIMIT {most:UInt32}`;
    return warehouse.ask(FOUND(sql, { shop: shopId, from: formatDay(from), to: formatDay(to), q, most }));
  };

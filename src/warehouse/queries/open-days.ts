import { Type } from 'typebox';
import type { IdsByShop } from '../../domain/by-shop.js';
import type { OpenDay } from '../../domain/metrics/order-fact.js';
import { ORDER_AMOUNTS } from '../../domain/metrics/sums.js';
import type { Warehouse } from '../client.js';
import { defineQuery, nullable, texts } from '../query.js';
import { literal, ONE_THREAD, pairs } from '../sql.js';

/** Days of shops as a list for `IN (…)`. */
export const dayList = (days: readonly { shopId: string; day: string }[]): string =>
  days.map(({ shopId, day }) => `(${literal(shopId)},'${day}')`).join(',');

const TEXT = Type.String();
const TEXTS = Type.Array(TEXT);

const OPEN_DAYS = defineQuery('open days of orders', {
  ...texts('shop_id', 'day', 'order_id', 'version', 'placed_day', 'payment_gateway', 'refunded_fees'),
  orders: Type.Number(),
  amounts: TEXTS,
  has_gateway_fee: Type.Boolean(),
  has_tax: Type.Boolean(),
  has_fulfillment_cost: Type.Boolean(),
  skus: TEXTS,
  quantities: TEXTS,
  unit_costs: Type.Array(nullable(TEXT)),
  restocks: Type.Array(Type.Boolean()),
  in_products: Type.Boolean(),
});

/** Rows of one reading: 1 KB each. */
export const OPEN_ROWS = 5_000;

/** Where a reading ended. */
export type OpenPosition = Pick<OpenDay, 'shop_id' | 'day' | 'order_id'>;

/**
 * `open`: that `order_facts` does not have in their version with their SKUs in `daily_products`. `unpriced`: these, and those with a
 * SKU whose unit cost was stored later than their stamp.
 */
export type WhichRows = 'open' | 'unpriced' | 'all';

export interface OpenRows {
  /** Of `dayList`. */
  days: string;
  /** Of these orders alone. */
  orders?: IdsByShop;
  which: WhichRows;
  after: OpenPosition | undefined;
}

/** Rows of the days, in the order of the key. */
export async function readOpenDays(warehouse: Warehouse, { days, orders, which, after }: OpenRows): Promise<OpenDay[]> {
  const conditions = [
    `(d.shop_id, d.day) IN (${days})`,
    ...(orders === undefined ? [] : [`(d.shop_id, d.order_id) IN (${pairs(orders)})`]),
    ...(which === 'open' ? [`${KEY} NOT IN (${computedVersions(days)})`] : []),
    ...(which === 'unpriced'
      ? [`(${KEY} NOT IN (${computedVersions(days)}) OR ${KEY} IN (${unpricedVersions(days)}))`]
      : []),
    ...(after === undefined
      ? []
      : [
          `(d.shop_id, d.day, d.order_id) > (${literal(after.shop_id)}, toDate('${after.day}'), ${literal(after.order_id)})`,
        ]),
  ];
  const rows = await warehouse.ask(
    OPEN_DAYS(
      `SELECT d.shop_id AS shop_id, toString(d.day) AS day, d.order_id AS order_id, toString(d.version) AS version,
        toString(d.placed_day) AS placed_day, d.orders AS orders, [${ORDER_AMOUNTS.map(({ name }) => `d.${name}`).join(', ')}] AS amounts,
        d.has_gateway_fee AS has_gateway_fee, d.has_tax AS has_tax, d.has_fulfillment_cost AS has_fulfillment_cost,
        d.payment_gateway AS payment_gateway, arraySum(d.refund_list.gateway_fee_refund) AS refunded_fees,
        d.lines.sku AS skus, d.lines.quantity AS quantities, d.lines.unit_cost AS unit_costs, d.lines.restock AS restocks,
        ${which === 'open' ? 'false' : `toBool(${KEY} IN (${computedVersions(days)}))`} AS in_products
      FROM order_days AS d FINAL
      WHERE ${conditions.join('\n      AND ')}
      ORDER BY d.shop_id, d.day, d.order_id LIMIT ${OPEN_ROWS} ${ONE_THREAD}`,
    ),
  );
  return rows.map((row) => {
    const { skus, quantities, unit_costs, restocks } = row;
    return Object.assign(row, { lines: { skus, quantities, unit_costs, restocks } });
  });
}

/**
 * Names a version of a row by one number: versions of two orders differ by their arrival stamps, those of one order on two days by the
 * day. Comparing 40,000 rows takes 11 ms of CPU in place of 16 by the version and a hash of the row (least of 25 interleaved rounds).
 */
const keyOf = (table: string, version: string): string =>
  `bitXor(${table}.${version}, bitShiftLeft(toUInt128(${table}.day), 64))`;
const KEY = keyOf('d', 'version');

/** The versions of which `order_facts` has the row that counts, with their SKUs in `daily_products`. */
const computedVersions = (days: string): string => `${versionsIn('FINAL', days)} AND f.in_products = 1`;

const versionsIn = (final: 'FINAL' | '', days: string): string =>
  `SELECT ${keyOf('f', 'order_version')} FROM order_facts AS f ${final} WHERE (f.shop_id, f.day) IN (${days})`;

/** A change that a later one replaces may be found or not: the later one counts. The shops are named, or all changes would be read. */
const unpricedVersions = (days: string): string =>
  `SELECT ${keyOf('f', 'order_version')} FROM order_facts AS f FINAL ARRAY JOIN f.skus AS fact_sku
    INNER JOIN (
      SELECT shop_id, sku, stored_at FROM product_cost_changes WHERE shop_id IN (SELECT arrayJoin([${days}]).1)
    ) AS c ON c.shop_id = f.shop_id AND c.sku = fact_sku
    WHERE (f.shop_id, f.day) IN (${days}) AND c.stored_at >= bitAnd(f.version, toUInt256(18446744073709551615))`;

const HAS_LEFT = defineQuery('whether orders left days', texts('day'));
const LEFT_DAYS = defineQuery('days that orders left', texts('shop_id', 'day', 'order_id', 'version'));
const LEFT = (days: string): string =>
  `FROM order_days AS d WHERE d.is_deleted = 1 AND (d.shop_id, d.day) IN (${days})`;

/** Whether orders left any of the days at any time: a question of 6 ms, where the next one is of 13. */
export const hasLeftDays = async (warehouse: Warehouse, days: string): Promise<boolean> =>
  (await warehouse.ask(HAS_LEFT(`SELECT toString(d.day) AS day ${LEFT(days)} LIMIT 1 ${ONE_THREAD}`))).length > 0;

/** Days that orders left, of which `order_facts` has no row that says so. */
export const readLeftDays = (warehouse: Warehouse, days: string) =>
  warehouse.ask(
    LEFT_DAYS(
      `SELECT d.shop_id AS shop_id, toString(d.day) AS day, d.order_id AS order_id, toString(d.version) AS version ${LEFT(days)}
       AND ${KEY} NOT IN (${versionsIn('', days)}) LIMIT ${LEFT_ROWS} ${ONE_THREAD}`,
    ),
  );

/** What is more waits for the next rebuild of the day. */
const LEFT_ROWS = 100_000;

import { Type } from 'typebox';
import type { SalesPart } from '../../domain/metrics/figures.js';
import { toSums } from '../../domain/metrics/sums.js';
import { fraction } from '../../domain/money.js';
import { formatDay, parseDay } from '../../domain/time.js';
import type { DayRange } from '../../domain/metrics/range.js';
import type { Warehouse } from '../client.js';
import { defineQuery, nullable, type Query, type QueryParams, type RowOf } from '../query.js';
import { ONE_THREAD } from '../sql.js';
import { DAILY_ORDERS_THEN } from './history.js';

const LIST = Type.Array(Type.String());
export const PART = {
  day: Type.String(),
  sums: Type.Record(Type.String(), Type.String()),
  /** Parallel arrays: gateways, orders, revenue. */
  estimable: Type.Tuple([LIST, LIST, LIST]),
  /** Parallel arrays: channel and currency, amount. */
  spend: Type.Tuple([Type.Array(Type.Tuple([Type.String(), Type.String()])), LIST]),
};
const PARTS = defineQuery('sums of a range', PART);
const DAILY = defineQuery('sums by day', PART);
const UNCOSTED = defineQuery('products without cost', { number: Type.Number(), products: Type.String() });
const LAST_DAY = defineQuery('last day with orders', { day: nullable(Type.String()) });
export type PartRow = RowOf<typeof PARTS>;

const SUMS = `toString(min(d.day)) AS day, sumMap(d.sums) AS sums,
  sumMap(d.estimable.payment_gateway, d.estimable.orders, d.estimable.revenue) AS estimable,
  sumMap(arrayZip(d.spend.channel, d.spend.currency), d.spend.amount) AS spend`;
/** By day the channel makes no difference: a thousand channels on each of 366 days held the process for a second. */
export const DAY_SUMS = SUMS.replace(
  'arrayZip(d.spend.channel, d.spend.currency)',
  `arrayMap(c -> ('', c), d.spend.currency)`,
);
const NOW = `FROM daily_orders AS d FINAL WHERE d.shop_id = {shop:String} AND d.day BETWEEN {from:Date} AND {to:Date}`;
const THEN = `FROM ${DAILY_ORDERS_THEN}`;
const from = (asOf: number | undefined): string => (asOf === undefined ? NOW : THEN);

/**
 * Sums of the whole range, or of its parts between the bounds. A part without rollups has no row. With `asOf`, microseconds
 * since 1970, those that stood at that moment.
 */
function partsQuery(shopId: string, range: DayRange, bounds: readonly number[], asOf?: number): Query<PartRow> {
  const params = rangeParams(shopId, range, asOf);
  if (bounds.length === 0) return PARTS(`SELECT ${SUMS} ${from(asOf)} HAVING count() > 0 ${ONE_THREAD}`, params);
  return PARTS(
    `SELECT ${SUMS} ${from(asOf)} GROUP BY arrayCount(bound -> bound <= toUInt16(d.day), {bounds:Array(UInt16)})
      ${ONE_THREAD}`,
    { ...params, bounds: [...bounds] },
  );
}

/** Sums by day: a row for each day that has a rollup. Its spend is by currency alone. */
function dailyQuery(shopId: string, range: DayRange, asOf?: number): Query<PartRow> {
  return DAILY(`SELECT ${DAY_SUMS} ${from(asOf)} GROUP BY d.day ${ONE_THREAD}`, rangeParams(shopId, range, asOf));
}

/** Of each period, by the number of first days up to its own, how many products were sold without a known cost. */
function uncostedQuery(shopId: string, range: DayRange, firstDays: readonly number[], asOf?: number) {
  const sql = `SELECT arrayCount(first -> first <= toUInt16(d.day), {firsts:Array(UInt16)}) AS number,
      toString(uniqExactArray(d.uncosted_skus)) AS products
    ${from(asOf)} GROUP BY number ${ONE_THREAD}`;
  return UNCOSTED(sql, { ...rangeParams(shopId, range, asOf), firsts: [...firstDays] });
}

export interface MetricsReader {
  /** The parts of a range that the days in `bounds` cut; those without rollups are absent. */
  parts(shopId: string, range: DayRange, bounds: readonly number[], asOf?: number): Promise<SalesPart[]>;
  /** A part for each day that has a rollup. */
  daily(shopId: string, range: DayRange, asOf?: number): Promise<SalesPart[]>;
  /** How many products were sold without a known cost in periods of the range that begin on these days, in their order; by first day. */
  productsWithoutCost(
    shopId: string,
    range: DayRange,
    firstDays: readonly number[],
    asOf?: number,
  ): Promise<ReadonlyMap<number, number>>;
  /** Null: no day has any. */
  lastDayWithOrders(shopId: string): Promise<string | null>;
}

export function createMetricsReader(warehouse: Warehouse): MetricsReader {
  const run = async (query: Query<PartRow>): Promise<SalesPart[]> => (await warehouse.ask(query)).map(toPart);
  return {
    parts: (shopId, range, bounds, asOf) => run(partsQuery(shopId, range, bounds, asOf)),
    daily: (shopId, range, asOf) => run(dailyQuery(shopId, range, asOf)),
    async lastDayWithOrders(shopId) {
      const sql = `SELECT toString(maxOrNull(day)) AS day FROM daily_orders FINAL
        WHERE shop_id = {shop:String} AND sums['orders'] > 0 ${ONE_THREAD}`;
      const [row] = await warehouse.ask(LAST_DAY(sql, { shop: shopId }));
      return row?.day ?? null;
    },
    async productsWithoutCost(shopId, range, firstDays, asOf) {
      const rows = await warehouse.ask(uncostedQuery(shopId, range, firstDays, asOf));
      return new Map(rows.map(({ number, products }) => [firstDays[number - 1] ?? range.from, Number(products)]));
    },
  };
}

export function toPart(row: PartRow): SalesPart {
  const [gateways, orders, revenues] = row.estimable;
  const [accounts, amounts] = row.spend;
  return {
    day: parseDay(row.day) ?? 0,
    sums: toSums(row.sums),
    estimable: gateways.map((gateway, i) => ({
      gateway,
      orders: Number(orders[i]),
      revenue: fraction(revenues[i] ?? '0'),
    })),
    spend: accounts.map(([channel, currency], i) => ({ channel, currency, amount: fraction(amounts[i] ?? '0') })),
  };
}

function rangeParams(shopId: string, { from, to }: DayRange, asOf?: number): QueryParams {
  return { shop: shopId, from: formatDay(from), to: formatDay(to), ...(asOf !== undefined && { asOf }) };
}

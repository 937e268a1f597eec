import type { SalesPart } from '../../domain/metrics/figures.js';
import { toSums } from '../../domain/metrics/sums.js';
import { fraction } from '../../domain/money.js';
import { formatDay, parseDay } from '../../domain/time.js';
import type { DayRange } from '../../domain/metrics/range.js';
import type { QueryParams, Warehouse } from '../client.js';
import { ONE_THREAD } from '../sql.js';
import { DAILY_ORDERS_THEN } from './history.js';
import { asking, type Query } from './query.js';

export interface PartRow {
  day: string;
  sums: Partial<Record<string, string>>;
  /** Parallel arrays: gateways, orders, revenue. */
  estimable: [string[], string[], string[]];
  /** Parallel arrays: channel and currency, amount. */
  spend: [[string, string][], string[]];
}

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
function partsQuery(shopId: string, range: DayRange, bounds: readonly number[], asOf?: number): Query {
  const params = rangeParams(shopId, range, asOf);
  if (bounds.length === 0) return { sql: `SELECT ${SUMS} ${from(asOf)} HAVING count() > 0 ${ONE_THREAD}`, params };
  return {
    sql: `SELECT ${SUMS} ${from(asOf)} GROUP BY arrayCount(bound -> bound <= toUInt16(d.day), {bounds:Array(UInt16)})
      ${ONE_THREAD}`,
    params: { ...params, bounds: [...bounds] },
  };
}

/** Sums by day: a row for each day that has a rollup. Its spend is by currency alone. */
function dailyQuery(shopId: string, range: DayRange, asOf?: number): Query {
  const sql = `SELECT ${DAY_SUMS} ${from(asOf)} GROUP BY d.day ${ONE_THREAD}`;
  return { sql, params: rangeParams(shopId, range, asOf) };
}

export interface MetricsReader {
  /** The parts of a range that the days in `bounds` cut; those without rollups are absent. */
  parts(shopId: string, range: DayRange, bounds: readonly number[], asOf?: number): Promise<SalesPart[]>;
  /** A part for each day that has a rollup. */
  daily(shopId: string, range: DayRange, asOf?: number): Promise<SalesPart[]>;
}

export function createMetricsReader(warehouse: Warehouse): MetricsReader {
  const ask = asking(warehouse);
  const run = async (query: Query): Promise<SalesPart[]> => (await ask<PartRow>(query)).map(toPart);
  return {
    parts: (shopId, range, bounds, asOf) => run(partsQuery(shopId, range, bounds, asOf)),
    daily: (shopId, range, asOf) => run(dailyQuery(shopId, range, asOf)),
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

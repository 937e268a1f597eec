import type { Figures } from '../domain/metrics.js';
import { fraction, ZERO } from '../domain/money.js';
import { formatDay, parseDay } from '../domain/time.js';
import type { DayRange } from '../domain/range.js';
import type { QueryParams, Warehouse } from './client.js';

/** One query as a value: its text depends on nothing but its arguments. */
export interface Query {
  sql: string;
  params: QueryParams;
}

interface FigureRow {
  day: string;
  orders: string;
  revenue: string;
  refunds: string;
  cogs: string;
  gateway_fees: string;
}

const SUMS = `sum(d.orders) AS orders, sum(d.revenue) AS revenue, sum(d.refunds) AS refunds, sum(d.cogs) AS cogs,
  sum(d.gateway_fees) AS gateway_fees`;
const FROM = `FROM daily_orders AS d FINAL WHERE d.shop_id = {shop:String} AND d.day BETWEEN {from:Date} AND {to:Date}`;

/** Sums of the whole range: one row. */
export function totalsQuery(shopId: string, range: DayRange): Query {
  return { sql: `SELECT ${SUMS} ${FROM}`, params: rangeParams(shopId, range) };
}

/** Sums by day: a row for each day that has a rollup. */
export function dailyQuery(shopId: string, range: DayRange): Query {
  return { sql: `SELECT toString(d.day) AS day, ${SUMS} ${FROM} GROUP BY d.day`, params: rangeParams(shopId, range) };
}

export interface MetricsReader {
  totals(shopId: string, range: DayRange): Promise<Figures>;
  /** Figures by day number; a day without rollup is absent. */
  daily(shopId: string, range: DayRange): Promise<Map<number, Figures>>;
}

export function createMetricsReader(warehouse: Warehouse): MetricsReader {
  const run = ({ sql, params }: Query): Promise<FigureRow[]> => warehouse.query<FigureRow>(sql, params);
  return {
    async totals(shopId, range) {
      const [row] = await run(totalsQuery(shopId, range));
      if (row === undefined) throw new Error('a sum without a group gives one row');
      return toFigures(row);
    },
    async daily(shopId, range) {
      const rows = await run(dailyQuery(shopId, range));
      return new Map(rows.map((row) => [parseDay(row.day) ?? 0, toFigures(row)]));
    },
  };
}

function toFigures(row: FigureRow): Figures {
  return {
    orders: Number(row.orders),
    revenue: fraction(row.revenue),
    refunds: fraction(row.refunds),
    cogs: fraction(row.cogs),
    gatewayFees: fraction(row.gateway_fees),
    adSpend: ZERO,
  };
}

function rangeParams(shopId: string, { from, to }: DayRange): QueryParams {
  return { shop: shopId, from: formatDay(from), to: formatDay(to) };
}

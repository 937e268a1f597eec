import { Type } from 'typebox';
import type { DayRange } from '../../domain/metrics/range.js';
import { fraction } from '../../domain/money.js';
import type { ProductFigures } from '../../domain/products.js';
import { formatDay } from '../../domain/time.js';
import type { Warehouse } from '../client.js';
import { costOf, unitCost, withCatalog } from './unit-costs.js';
import { defineQuery, type Query, type RowOf } from '../query.js';

/** Where a page ended: the figure sorted by, as the warehouse writes it, and the SKU, empty for lines without one. */
export interface ProductPosition {
  value: string;
  sku: string;
}

const SORTED_BY = {
  revenue: 'revenue',
  units_sold: 'units_sold',
  units_refunded: 'units_refunded',
  refunds: 'refunds',
  cogs: 'cogs',
  gross_profit: 'revenue - refunds - cogs',
  units_without_cost: 'units_without_cost',
  revenue_without_cost: 'revenue_without_cost',
} as const;

export interface ProductQuery {
  shopId: string;
  range: DayRange;
  sort: keyof typeof SORTED_BY | 'sku';
  /** Only products that were sold without a known unit cost. */
  missingCost: boolean;
  after?: ProductPosition | undefined;
  limit: number;
}

export interface ListedProduct extends ProductFigures {
  position: ProductPosition;
}

export type ListProducts = (query: ProductQuery) => Promise<ListedProduct[]>;

const COLUMNS = [
  'sku',
  'cost_day',
  'unit_cost',
  'title',
  'lines_sold',
  'units_sold',
  'units_returned',
  'units_restocked',
  'revenue',
  'refunds',
];
const ENTRIES = `FROM daily_products AS d FINAL
      ARRAY JOIN ${COLUMNS.map((name) => `d.products.${name} AS ${name}`).join(', ')}
      WHERE d.shop_id = {shop:String} AND d.day BETWEEN {from:Date} AND {to:Date}`;

const COST = unitCost('p');

const PRODUCTS = defineQuery('products', {
  sku: Type.String(),
  title: Type.String(),
  units_sold: Type.String(),
  units_refunded: Type.String(),
  revenue: Type.String(),
  refunds: Type.String(),
  cogs: Type.String(),
  uncosted_lines: Type.String(),
  units_without_cost: Type.String(),
  revenue_without_cost: Type.String(),
  /** The figure sorted by; a number where the page is sorted by SKU. */
  sorted_by: Type.Union([Type.String(), Type.Number()]),
  position: Type.String(),
});

/** A page of the products of a range. What has no unit cost of its own is priced here, by the catalog of the day of its order. */
export function productsQuery({
  shopId,
  range,
  sort,
  missingCost,
  after,
  limit,
}: ProductQuery): Query<RowOf<typeof PRODUCTS>> {
  const bySku = sort === 'sku';
  const conditions = [
    ...(missingCost ? ['t.uncosted_lines > 0'] : []),
    ...(after === undefined ? [] : [bySku ? 't.sku > {afterSku:String}' : AFTER]),
  ];
  return PRODUCTS(
    `SELECT t.*, toString(${bySku ? "''" : 't.sorted_by'}) AS position FROM (
    SELECT p.sku AS sku, argMaxIf(p.title, (p.day, p.title), p.title != '') AS title,
      sum(p.units_sold) AS units_sold, sum(p.units_returned) AS units_refunded,
      sum(p.revenue) AS revenue, sum(p.refunds) AS refunds,
      sum(${costOf('p.units_sold - p.units_restocked', COST)}) AS cogs,
      sumIf(p.lines_sold, ${COST} IS NULL) AS uncosted_lines,
      sumIf(p.units_sold, ${COST} IS NULL) AS units_without_cost,
      sumIf(p.revenue, ${COST} IS NULL) AS revenue_without_cost,
      ${bySku ? '0' : `toDecimal256(${SORTED_BY[sort]}, 12)`} AS sorted_by
    FROM (
      SELECT d.day AS day, ${COLUMNS.join(', ')}
      ${ENTRIES}
    ) AS p
    ${withCatalog('p', 'cost_day', `SELECT sku ${ENTRIES} AND unit_cost IS NULL`)}
    GROUP BY p.sku
  ) AS t${conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`}
  ORDER BY ${bySku ? '' : 't.sorted_by DESC, '}t.sku LIMIT {limit:UInt32}`,
    {
      shop: shopId,
      from: formatDay(range.from),
      to: formatDay(range.to),
      limit,
      ...(after !== undefined && { afterSku: after.sku, ...(!bySku && { afterValue: after.value }) }),
    },
  );
}

const AFTER =
  '(t.sorted_by < {afterValue:Decimal(76, 12)} OR t.sorted_by = {afterValue:Decimal(76, 12)} AND t.sku > {afterSku:String})';

export function createProductList(warehouse: Warehouse): ListProducts {
  return async (query) =>
    (await warehouse.ask(productsQuery(query))).map((row) => ({
      sku: row.sku === '' ? null : row.sku,
      title: row.title === '' ? null : row.title,
      unitsSold: fraction(row.units_sold),
      unitsRefunded: fraction(row.units_refunded),
      revenue: fraction(row.revenue),
      refunds: fraction(row.refunds),
      cogs: fraction(row.cogs),
      unitsWithoutCost: fraction(row.units_without_cost),
      position: { value: row.position, sku: row.sku },
    }));
}

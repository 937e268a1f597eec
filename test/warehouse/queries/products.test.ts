import { expect } from 'chai';
import { productsQuery, type ProductQuery } from '../../../src/warehouse/queries/products.js';

const query: ProductQuery = {
  shopId: 's',
  range: { from: 20_513, to: 20_514 },
  sort: 'revenue',
  direction: 'desc',
  missingCost: false,
  loss: false,
  limit: 3,
};
const RANGE = { shop: 's', from: '2026-03-01', to: '2026-03-02', limit: 3 };
const OF_DAYS = 'WHERE d.shop_id = {shop:String} AND d.day BETWEEN {from:Date} AND {to:Date}';
const ENTRIES =
  'FROM daily_products AS d FINAL ARRAY JOIN d.products.sku AS sku, d.products.cost_day AS cost_day, d.products.unit_cost AS unit_cost, ' +
  'd.products.title AS title, d.products.lines_sold AS lines_sold, d.products.units_sold AS units_sold, ' +
  'd.products.units_returned AS units_returned, d.products.units_restocked AS units_restocked, d.products.revenue AS revenue, ' +
  `d.products.refunds AS refunds, d.products.discounts AS discounts ${OF_DAYS}`;
const TOTALS = [
  'units_sold',
  'units_refunded',
  'discounts',
  'revenue',
  'refunds',
  'cogs',
  'units_without_cost',
  'revenue_without_cost',
].map((name) => `toString(sum(t.${name}) OVER ())`);

/** The whole statement; what a request changes are the figure sorted by, and the end. */
const statement = (position: string, end: string): string =>
  `SELECT t.*, toString(${position}) AS position, toString(count() OVER ()) AS found, [${TOTALS.join(', ')}] AS totals FROM ( ` +
  "SELECT p.sku AS sku, substring(maxIf(concat(toString(p.day), p.title), p.title != ''), 11) AS title, " +
  'sum(p.units_sold) AS units_sold, sum(p.units_returned) AS units_refunded, ' +
  'sum(p.discounts) AS discounts, sum(p.revenue) AS revenue, sum(p.refunds) AS refunds, ' +
  'sum(toDecimal256(p.units_sold - p.units_restocked, 6) ' +
  '* toDecimal256(ifNull(coalesce(p.unit_cost, k.unit_cost), toDecimal128(0, 6)), 6)) AS cogs, ' +
  'revenue - refunds - cogs AS gross_profit, ' +
  'sumIf(p.lines_sold, coalesce(p.unit_cost, k.unit_cost) IS NULL) AS uncosted_lines, ' +
  'sumIf(p.units_sold, coalesce(p.unit_cost, k.unit_cost) IS NULL) AS units_without_cost, ' +
  'sumIf(p.revenue, coalesce(p.unit_cost, k.unit_cost) IS NULL) AS revenue_without_cost ' +
  'FROM ( SELECT d.day AS day, sku, cost_day, unit_cost, title, lines_sold, units_sold, units_returned, units_restocked, revenue, ' +
  `refunds, discounts ${ENTRIES} ) AS p ` +
  'ASOF LEFT JOIN ( SELECT c.sku AS sku, c.since AS since, toNullable(c.unit_cost) AS unit_cost FROM ' +
  `(SELECT sku, since, unit_cost FROM product_costs FINAL WHERE shop_id = {shop:String} AND sku IN ` +
  `(SELECT arrayJoin(groupUniqArrayArray(d.products.sku)) FROM daily_products AS d ${OF_DAYS})) AS c ) AS k ON p.sku = k.sku AND p.cost_day >= k.since GROUP BY p.sku ) AS t ${end} LIMIT {limit:UInt32}`;

const cases: { name: string; asked: Partial<ProductQuery>; sql: string; params: object }[] = [
  {
    name: 'the first page by revenue',
    asked: {},
    sql: statement('toDecimal256(t.revenue, 12)', 'ORDER BY toDecimal256(t.revenue, 12) DESC, t.sku'),
    params: RANGE,
  },
  {
    name: 'a later page of what has no cost, by the revenue that it affects',
    asked: { sort: 'revenue_without_cost', missingCost: true, after: { value: '7.5', sku: 'A' } },
    sql: statement(
      'toDecimal256(t.revenue_without_cost, 12)',
      'WHERE t.uncosted_lines > 0 AND (toDecimal256(t.revenue_without_cost, 12) < {afterValue:Decimal(76, 12)} OR ' +
        'toDecimal256(t.revenue_without_cost, 12) = {afterValue:Decimal(76, 12)} AND t.sku > {afterSku:String}) ' +
        'ORDER BY toDecimal256(t.revenue_without_cost, 12) DESC, t.sku',
    ),
    params: { ...RANGE, afterValue: '7.5', afterSku: 'A' },
  },
  {
    name: 'a later page by SKU',
    asked: { sort: 'sku', direction: 'asc', after: { value: '', sku: "A'" } },
    sql: statement("''", 'WHERE t.sku > {afterSku:String} ORDER BY t.sku'),
    params: { ...RANGE, afterSku: "A'" },
  },
  {
    name: 'losses that begin with a text, the smallest first',
    asked: { loss: true, q: 'mug', sort: 'gross_profit', direction: 'asc' },
    sql: statement(
      'toDecimal256(t.gross_profit, 12)',
      "WHERE t.gross_profit <= toDecimal256('-0.0000005', 12) AND " +
        '(startsWith(lowerUTF8(t.sku), lowerUTF8({q:String})) OR startsWith(lowerUTF8(t.title), lowerUTF8({q:String}))) ' +
        'ORDER BY toDecimal256(t.gross_profit, 12), t.sku',
    ),
    params: { ...RANGE, q: 'mug' },
  },
];

describe('the query of products', () => {
  for (const { name, asked, sql, params } of cases) {
    it(`asks for ${name}`, () => {
      const given = productsQuery({ ...query, ...asked });
      expect(given.sql.replace(/\s+/g, ' ')).to.equal(sql);
      expect(given.params).to.deep.equal(params);
    });
  }
});

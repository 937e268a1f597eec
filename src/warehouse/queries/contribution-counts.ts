import type { Signs } from '../../domain/metrics/figure-list.js';
import { plain } from './contribution-columns.js';
import { countsOf, inRange, LOOKED_UP, rowsOfDays } from './contribution-orders.js';

/** What one look at the rows of the days counts: terms of an order, whose sums over all orders are added. */
export interface Terms {
  entries: readonly string[];
  /** Lines of parts of a unit. */
  fractional: readonly string[];
}

export const counts = (entries: string, fractional: string, beyond: string, from: string): string =>
  `SELECT ${entries} AS entries, ${fractional} AS fractional, ${plain(beyond)} AS beyond FROM ${from}`;

export const termsOfOrders = (signs: Signs): Terms => ({
  entries: countsOf(signs),
  fractional: [],
});

/** SKUs of the catalog, by whether their first cost is from after the placed days of all orders in the range. */
const skusSince = (columns: string, compares: '<=' | '>'): string =>
  `SELECT ${columns} FROM product_costs AS c FINAL WHERE c.shop_id = {shop:String}
      GROUP BY c.sku HAVING min(c.since) ${compares} (SELECT min(p.placed_day) FROM order_days AS p WHERE ${inRange('p')})`;

/** Lines whose cost is known on every day: of their own, or of the catalog from before all orders on. */
export const TERMS_OF_LINES: Terms = {
  entries: [
    `arrayCount((sku, cost) -> cost IS NOT NULL OR sku IN (${skusSince('c.sku', '<=')}), d.skus, d.unit_costs)`,
  ],
  fractional: ['arrayCount(q -> q != floor(q), d.quantities)'],
};

/**
 * The cost of a line is known from the first version of its SKU on. Only SKUs whose first version is from within the range are
 * joined: the counts of 2.5 million lines take 280 ms of CPU so, and 340 when all lines are joined.
 */
export const COUNT_OF_LATER_LINES = counts(
  'count()',
  '0',
  '0',
  `(${rowsOfDays({}, {})}) AS d
    ARRAY JOIN d.skus AS line_sku, d.unit_costs AS line_cost
    INNER JOIN (${skusSince('c.sku AS sku, min(c.since) AS since', '>')}) AS k ON line_sku = k.sku
    WHERE line_cost IS NULL AND d.placed_day >= k.since`,
);

/** All terms by one look: two take a fifth more CPU time, most of it to read the same rows again. */
export function countOfTerms(signs: Signs, terms: readonly Terms[]): string {
  const sum = (values: readonly string[]): string => (values.length === 0 ? '0' : `sum(${values.join(' + ')})`);
  return counts(
    sum(terms.flatMap(({ entries }) => entries)),
    sum(terms.flatMap(({ fractional }) => fractional)),
    '0',
    `(${rowsOfDays(signs, {}, LOOKED_UP)}) AS d`,
  );
}

/** `since` of a version of the catalog that holds from the beginning. */
export const BEFORE_ALL_DAYS = '1900-01-01';

/**
 * Joins lines of {shop:String} to the version of the catalog `k` that holds on their day, which is that of the order for
 * restocks too: the rule of `readUnitCosts`. `skus` is a query of the SKUs that need it; what it gives too much
 * does no harm.
 */
export function withCatalog(lines: string, day: string, skus: string): string {
  return `ASOF LEFT JOIN (
      SELECT c.sku AS sku, c.since AS since, toNullable(c.unit_cost) AS unit_cost
      FROM (SELECT sku, since, unit_cost FROM product_costs FINAL WHERE shop_id = {shop:String} AND sku IN (${skus})) AS c
    ) AS k ON ${lines}.sku = k.sku AND ${lines}.${day} >= k.since`;
}

/** Of a line joined so: its own cost, else that of the catalog; null: unknown. */
export const unitCost = (lines: string): string => `coalesce(${lines}.unit_cost, k.unit_cost)`;

/** Exact; an unknown cost counts 0. */
export const costOf = (quantity: string, cost: string): string =>
  `toDecimal256(${quantity}, 6) * toDecimal256(ifNull(${cost}, toDecimal128(0, 6)), 6)`;

/**
 * A clause for a WITH in which `lines` comes before it, lines with `sku`, `unit_cost` (null: none of their own) and
 * `placed_day`. `costed` has their columns, `cost` (null: unknown), `cost_from` (line, catalog or unknown) and `cost_since`
 * (first day of the version of the catalog).
 */
export const costedLines = (skus: string): string => `costed AS (
    SELECT n.*, ${unitCost('n')} AS cost, k.since AS cost_since,
      multiIf(n.unit_cost IS NOT NULL, 'line', k.unit_cost IS NOT NULL, 'catalog', 'unknown') AS cost_from
    FROM lines AS n ${withCatalog('n', 'placed_day', skus)}
  )`;

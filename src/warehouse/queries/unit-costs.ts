/** `since` of a version of the catalog that holds from the beginning. */
export const BEFORE_ALL_DAYS = '1900-01-01';

/**
 * What lines cost, as the rebuild of daily_orders resolves it: two clauses for a WITH in which `lines` stands before them,
 * lines of {shop:String} with `sku`, `unit_cost` (null: none of their own) and `placed_day`, the day that decides for
 * restocks too. `costed` has the columns of `lines`, `cost` (null: unknown), `cost_from` (line, catalog or unknown) and
 * `cost_since` (first day of the version of the catalog).
 */
export const COSTED_LINES = `catalog AS (
    SELECT c.sku AS sku, c.since AS since, toNullable(c.unit_cost) AS unit_cost
    FROM product_costs AS c FINAL
    WHERE c.shop_id = {shop:String} AND c.sku IN (SELECT s.sku FROM lines AS s WHERE s.unit_cost IS NULL)
  ),
  costed AS (
    SELECT n.*, coalesce(n.unit_cost, k.unit_cost) AS cost, k.since AS cost_since,
      multiIf(n.unit_cost IS NOT NULL, 'line', k.unit_cost IS NOT NULL, 'catalog', 'unknown') AS cost_from
    FROM lines AS n ASOF LEFT JOIN catalog AS k ON n.sku = k.sku AND n.placed_day >= k.since
  )`;

/**
 * Lines of the orders `o` of a `FROM … WHERE …`: sold ones, and restocked ones with `restock`. An unknown unit cost is null:
 * the line says nothing, the catalog may.
 */
function linesOf(from: string): string {
  return `SELECT o.placed_day AS placed_day, o.order_id AS order_id,
      arrayJoin(arrayConcat(
        arrayMap((s, q, c) -> (s, q, c, false), o.line_items.sku, o.line_items.quantity, o.line_items.unit_cost),
        arrayMap(
          r -> (
            o.line_items.sku[indexOf(o.line_items.line_id, r.1)], r.2,
            o.line_items.unit_cost[indexOf(o.line_items.line_id, r.1)], true
          ),
          arrayFilter(r -> r.3, arrayZip(o.refund_lines.line_id, o.refund_lines.quantity, o.refund_lines.restock))
        )
      )) AS line
    ${from}`;
}

/** Versions of the catalog for the lines of those orders that have no cost of their own. */
function catalogFor(from: string): string {
  return `SELECT c.sku AS sku, c.since AS since, toNullable(c.unit_cost) AS unit_cost
    FROM product_costs AS c FINAL
    WHERE c.shop_id = {shop:String} AND c.sku IN (SELECT arrayJoin(o.line_items.sku) ${from})`;
}

const COST =
  'toDecimal256(l.quantity, 6) * toDecimal256(ifNull(coalesce(l.unit_cost, k.unit_cost), toDecimal128(0, 6)), 6)';

/** COGS by order, and how many of its sold lines have no unit cost: the rule of `daily_orders_rebuild`, by order. */
export function costsByOrder(from: string): string {
  return `SELECT l.order_id AS order_id, sum(if(l.restock, -1, 1) * ${COST}) AS cogs,
      countIf(NOT l.restock AND l.unit_cost IS NULL AND k.unit_cost IS NULL) AS unknown
    FROM (
      SELECT n.placed_day AS placed_day, n.order_id AS order_id, n.line.1 AS sku, n.line.2 AS quantity, n.line.3 AS unit_cost,
        n.line.4 AS restock
      FROM (${linesOf(from)}) AS n
    ) AS l
    ASOF LEFT JOIN (${catalogFor(from)}) AS k ON l.sku = k.sku AND l.placed_day >= k.since
    GROUP BY l.order_id`;
}

/** COGS of all of them. Quantities of a SKU and day are added before they meet the catalog. */
export function totalCosts(from: string): string {
  return `SELECT sum(l.known) + sum(toDecimal256(l.quantity, 6) * toDecimal256(ifNull(k.unit_cost, toDecimal128(0, 6)), 6)) AS cogs
    FROM (
      SELECT n.placed_day AS placed_day, if(isNull(n.line.3), n.line.1, '') AS sku,
        sumIf(if(n.line.4, -1, 1) * n.line.2, isNull(n.line.3)) AS quantity,
        sumIf(if(n.line.4, -1, 1) * toDecimal256(n.line.2, 6) * toDecimal256(assumeNotNull(n.line.3), 6), isNotNull(n.line.3)) AS known
      FROM (${linesOf(from)}) AS n
      GROUP BY placed_day, sku
    ) AS l
    ASOF LEFT JOIN (${catalogFor(from)}) AS k ON l.sku = k.sku AND l.placed_day >= k.since`;
}

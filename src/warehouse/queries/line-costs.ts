import { costOf, unitCost, withCatalog } from './unit-costs.js';

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

/** SKUs of those orders. */
const skusOf = (from: string): string => `SELECT arrayJoin(o.line_items.sku) ${from}`;

/** COGS by order, and how many of its sold lines have no unit cost. */
export function costsByOrder(from: string): string {
  return `SELECT l.order_id AS order_id, sum(if(l.restock, -1, 1) * ${costOf('l.quantity', unitCost('l'))}) AS cogs,
      countIf(NOT l.restock AND ${unitCost('l')} IS NULL) AS unknown
    FROM (
      SELECT n.placed_day AS placed_day, n.order_id AS order_id, n.line.1 AS sku, n.line.2 AS quantity, n.line.3 AS unit_cost,
        n.line.4 AS restock
      FROM (${linesOf(from)}) AS n
    ) AS l
    ${withCatalog('l', 'placed_day', skusOf(from))}
    GROUP BY l.order_id`;
}

/** COGS of all of them. Quantities of a SKU and day are added before they meet the catalog. */
export function totalCosts(from: string): string {
  return `SELECT sum(l.known) + sum(${costOf('l.quantity', 'k.unit_cost')}) AS cogs
    FROM (
      SELECT n.placed_day AS placed_day, if(isNull(n.line.3), n.line.1, '') AS sku,
        sumIf(if(n.line.4, -1, 1) * n.line.2, isNull(n.line.3)) AS quantity,
        sumIf(if(n.line.4, -1, 1) * ${costOf('n.line.2', 'n.line.3')}, isNotNull(n.line.3)) AS known
      FROM (${linesOf(from)}) AS n
      GROUP BY placed_day, sku
    ) AS l
    ${withCatalog('l', 'placed_day', skusOf(from))}`;
}

import { costOf, unitCost, withCatalog } from './unit-costs.js';

/** Orders `o`: `FROM … WHERE …`, and a query of their SKUs, maybe of more. */
interface OrderSource {
  from: string;
  skus: string;
}

/** Lines of the orders, with the quantity that is left after restocks. An unknown unit cost is null: the line says nothing, the catalog may. */
function linesOf(from: string): string {
  return `(
      SELECT n.placed_day AS placed_day, n.order_id AS order_id, line_sku AS sku, line_cost AS unit_cost, line_quantity AS quantity
      FROM (
        SELECT o.placed_day AS placed_day, o.order_id AS order_id, o.line_items.sku AS skus, o.line_items.unit_cost AS unit_costs,
          arrayMap((sold, quantity) -> quantity - arraySum(
            (id, back, restock) -> if(restock AND id = sold, back, toDecimal128(0, 6)),
            o.refund_lines.line_id, o.refund_lines.quantity, o.refund_lines.restock
          ), o.line_items.line_id, o.line_items.quantity) AS quantities
        ${from}
      ) AS n
      ARRAY JOIN n.skus AS line_sku, n.unit_costs AS line_cost, n.quantities AS line_quantity
    ) AS l`;
}

/** COGS by order, and how many of its lines have no unit cost. */
export function costsByOrder({ from, skus }: OrderSource): string {
  return `SELECT l.order_id AS order_id, sum(${costOf('l.quantity', unitCost('l'))}) AS cogs, countIf(${unitCost('l')} IS NULL) AS unknown
    FROM ${linesOf(from)}
    ${withCatalog('l', 'placed_day', skus)}
    GROUP BY l.order_id`;
}

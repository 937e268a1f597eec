import { Type } from 'typebox';
import type { OrderCostInput } from '../../domain/costs/order-costs.js';
import type { Warehouse } from '../client.js';
import { jsonRows } from '../columns/json-rows.js';
import { defineQuery, textOf, type QueryParams } from '../query.js';
import { ONE_THREAD } from '../sql.js';

const KINDS = ['fulfillment_cost', 'gateway_fee'] as const;
export type CostKind = (typeof KINDS)[number];
const KNOWN_COSTS = defineQuery('known costs of an order', {
  kind: textOf<CostKind>(),
  amount: Type.String(),
});

/** Rows of `order_costs`: one for each cost that is sent or taken back. */
export function encodeOrderCosts(shopId: string, items: readonly { item: OrderCostInput; stamp: number }[]): Buffer {
  return jsonRows(
    items.flatMap(({ item, stamp }) =>
      KINDS.flatMap((kind) => {
        const amount = item[kind];
        if (amount === undefined) return [];
        const row = { shop_id: shopId, order_id: item.order_id, kind, version: stamp };
        return [{ ...row, amount: amount ?? '0', is_deleted: amount === null ? 1 : 0 }];
      }),
    ),
  );
}

const AUDITED_COSTS = defineQuery('audited costs of orders', {
  order_id: Type.String(),
  kind: textOf<CostKind>(),
  amount: Type.String(),
  version: Type.String(),
  is_deleted: Type.Number(),
});

/** Rows as they were written, all versions of them, of the orders that a query names. */
export const auditedOrderCosts = (orders: string, params: QueryParams) =>
  AUDITED_COSTS(
    `SELECT order_id, toString(kind) AS kind, amount, toString(version) AS version, is_deleted
     FROM order_costs WHERE shop_id = {shop:String} AND order_id IN (${orders}) ${ONE_THREAD}`,
    params,
  );

const HAS_ANY = '(SELECT count() FROM (SELECT 1 FROM order_costs AS z WHERE z.shop_id = {shop:String} LIMIT 1)) > 0';

/**
 * Joins what is known apart of orders of {shop:String} as `x`: null where nothing is. `ids` is a query of the ids, maybe of
 * more; it runs only in shops that have any such cost.
 */
export const joinOrderCosts = (orderId: string, ids: string): string => `
    LEFT JOIN (
      SELECT c.order_id AS order_id, maxIf(toNullable(c.amount), c.kind = 'gateway_fee') AS gateway_fee,
        maxIf(toNullable(c.amount), c.kind = 'fulfillment_cost') AS fulfillment_cost
      FROM order_costs AS c FINAL
      WHERE c.shop_id = {shop:String} AND ${HAS_ANY} AND c.order_id IN (${ids})
      GROUP BY c.order_id
    ) AS x ON x.order_id = ${orderId}`;

/** The ids of orders of {shop:String} of which a cost of this kind is known apart; `ids` as above. */
export const ordersWithCosts = (kind: CostKind, ids: string): string => `
      SELECT c.order_id FROM order_costs AS c FINAL
      WHERE c.shop_id = {shop:String} AND ${HAS_ANY} AND c.kind = '${kind}' AND c.order_id IN (${ids})`;

/** What is known apart of one order; what is absent is not. */
export async function readOrderCosts(
  warehouse: Warehouse,
  shopId: string,
  orderId: string,
): Promise<Partial<Record<CostKind, string>>> {
  const rows = await warehouse.ask(
    KNOWN_COSTS(
      `SELECT toString(kind) AS kind, amount FROM order_costs FINAL
       WHERE shop_id = {shop:String} AND order_id = {order:String} ${ONE_THREAD}`,
      { shop: shopId, order: orderId },
    ),
  );
  return Object.fromEntries(rows.map(({ kind, amount }) => [kind, amount]));
}

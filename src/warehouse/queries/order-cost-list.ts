import { Type } from 'typebox';
import { canonicalDecimal } from '../../domain/money.js';
import type { Warehouse } from '../client.js';
import { defineQuery, nullable } from '../query.js';

/** Costs of one order; canonical decimals, null: not sent. */
export interface StoredOrderCost {
  orderId: string;
  fulfillmentCost: string | null;
  gatewayFee: string | null;
  /** Arrival stamp of the newest push of them. */
  stamp: number;
}

export interface OrderCostQuery {
  shopId: string;
  /** Those alone whose order is not there. */
  isUnknown: boolean;
  /** The last order of the page before. */
  after?: string | undefined;
  limit: number;
}

/** Costs of a shop in the order of their orders. */
export type ListOrderCosts = (query: OrderCostQuery) => Promise<StoredOrderCost[]>;

const ORDER_COSTS = defineQuery('costs of orders', {
  orderId: Type.String(),
  fulfillmentCost: nullable(Type.String()),
  gatewayFee: nullable(Type.String()),
  stamp: Type.Number(),
});
const WAITING = defineQuery('number of costs that wait', { orders: Type.Number() });

/** Without an order of this id that is not deleted: what was joined by a name is under the id. */
const IS_UNKNOWN = `c.order_id NOT IN (
  SELECT o.order_id FROM orders AS o FINAL
  WHERE o.shop_id = {shop:String} AND (o.placed_day, o.order_id) IN (
    SELECT k.day, k.order_id FROM order_keys AS k
    WHERE k.shop_id = {shop:String} AND k.order_id IN (SELECT w.order_id FROM order_costs AS w WHERE w.shop_id = {shop:String})
  )
)`;

export function createOrderCostList(warehouse: Warehouse): ListOrderCosts {
  return async ({ shopId, isUnknown, after, limit }) => {
    const rows = await warehouse.ask(
      ORDER_COSTS(
        `SELECT c.order_id AS orderId, maxIf(toNullable(c.amount), c.kind = 'fulfillment_cost') AS fulfillmentCost,
           maxIf(toNullable(c.amount), c.kind = 'gateway_fee') AS gatewayFee, toFloat64(max(c.version)) AS stamp
         FROM order_costs AS c FINAL
         WHERE c.shop_id = {shop:String} ${after === undefined ? '' : 'AND c.order_id > {after:String}'}
           ${isUnknown ? `AND ${IS_UNKNOWN}` : ''}
         GROUP BY c.order_id ORDER BY c.order_id LIMIT {limit:UInt32}`,
        { shop: shopId, limit, ...(after !== undefined && { after }) },
      ),
    );
    return rows.map(({ fulfillmentCost: cost, gatewayFee: fee, ...row }) => ({
      ...row,
      fulfillmentCost: cost === null ? null : canonicalDecimal(cost),
      gatewayFee: fee === null ? null : canonicalDecimal(fee),
    }));
  };
}

/** How many orders have costs that wait for them. */
export async function countWaitingCosts(warehouse: Warehouse, shopId: string): Promise<number> {
  const [row] = await warehouse.ask(
    WAITING(
      `SELECT toFloat64(uniqExact(c.order_id)) AS orders FROM order_costs AS c FINAL
       WHERE c.shop_id = {shop:String} AND ${IS_UNKNOWN}`,
      { shop: shopId },
    ),
  );
  return row?.orders ?? 0;
}

import { Type } from 'typebox';
import { addIds, idLists, type IdsByShop } from '../../domain/by-shop.js';
import type { Warehouse } from '../client.js';
import { defineQuery, texts, textOf } from '../query.js';
import { literal, pairs } from '../sql.js';
import { findOrders } from './named-orders.js';
import type { CostKind } from './order-costs.js';

const SHOPS_WITH_COSTS = defineQuery('shops with costs of orders', texts('shop_id'));
const WAITING_COSTS = defineQuery('costs under names of orders', {
  ...texts('shop_id', 'order_id', 'amount', 'version'),
  kind: textOf<CostKind>(),
  is_deleted: Type.Number(),
});

/** Amount of the row that ends a cost under a name, once it is one of an order. No cost is negative. */
const JOINED = '-1';

/**
 * Gives costs that were sent by an order's name to that order, where exactly one has it: each is written under its id, in its own
 * version, and ends under the name, so that another order of this name doesn't get it later. Whatever is written last, the order or
 * the cost, reads both, and a repeat changes nothing.
 *
 * @param named the names, or ids of orders where `by` is `orders`
 * @param onJoined called with the orders that got a cost, before it ends under the name, so that it is called again after a crash
 * @returns the ids of the orders that got a cost, by shop
 */
export async function joinNamedCosts(
  warehouse: Warehouse,
  named: IdsByShop,
  by: 'names' | 'orders',
  onJoined: (orders: IdsByShop) => Promise<void>,
): Promise<Map<string, string[]>> {
  const joined = new Map<string, Set<string>>();
  if (named.size === 0) return idLists(joined);
  // Few shops have any: the others end here.
  const shops = await warehouse.ask(
    SHOPS_WITH_COSTS(
      `SELECT shop_id FROM order_costs WHERE shop_id IN (${[...named.keys()].map(literal).join(',')}) LIMIT 1 BY shop_id`,
    ),
  );
  const own = new Map(shops.map(({ shop_id }): [string, readonly string[]] => [shop_id, named.get(shop_id) ?? []]));
  if (own.size === 0) return idLists(joined);
  const names = by === 'names' ? pairs(own) : namesOf(own);
  const rows = await warehouse.ask(
    WAITING_COSTS(
      `SELECT shop_id, order_id, toString(kind) AS kind, tupleElement(newest, 3) AS amount, tupleElement(newest, 2) AS is_deleted,
         toString(tupleElement(newest, 1)) AS version
       FROM (
         SELECT c.shop_id AS shop_id, c.order_id AS order_id, c.kind AS kind,
           argMax((c.version, c.is_deleted, toString(c.amount)), (c.version, c.is_deleted, -c.amount)) AS newest
         FROM order_costs AS c WHERE (c.shop_id, c.order_id) IN (${names}) GROUP BY c.shop_id, c.order_id, c.kind
       )
       WHERE NOT startsWith(tupleElement(newest, 3), '-')`,
    ),
  );
  const wanted = new Map<string, Set<string>>();
  for (const { shop_id, order_id } of rows) addIds(wanted, shop_id, [order_id]);
  const orders = await findOrders(warehouse, idLists(wanted));
  const moved = rows.flatMap((row) => {
    const { orderId, isDeleted = true } = orders.get(row.shop_id)?.get(row.order_id) ?? {};
    if (orderId === undefined || isDeleted || orderId === row.order_id) return [];
    addIds(joined, row.shop_id, [orderId]);
    return { row, orderId };
  });
  if (moved.length === 0) return idLists(joined);
  // The order's first: a crash in between leaves the name, which is then joined again.
  await warehouse.insert(
    'order_costs',
    moved.map(({ row, orderId }) => ({ ...row, order_id: orderId })),
  );
  await onJoined(idLists(joined));
  await warehouse.insert(
    'order_costs',
    moved.map(({ row }) => ({ ...row, amount: JOINED, is_deleted: 1 })),
  );
  return idLists(joined);
}

/** The names of orders, those of earlier versions maybe too. */
const namesOf = (orders: IdsByShop): string => `
  SELECT o.shop_id, o.order_name FROM orders AS o
  WHERE o.order_name != '' AND (o.shop_id, o.placed_day, o.order_id) IN (
    SELECT k.shop_id, k.day, k.order_id FROM order_keys AS k WHERE (k.shop_id, k.order_id) IN (${pairs(orders)})
  )`;

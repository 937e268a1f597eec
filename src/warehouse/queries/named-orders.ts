import { Type } from 'typebox';
import type { IdsByShop } from '../../domain/by-shop.js';
import type { QueryOptions, Warehouse } from '../client.js';
import { defineQuery, texts } from '../query.js';
import { literal, pairs } from '../sql.js';

/** Which order a text names: its id, or the name that it alone has in the shop. `isDeleted`: it was deleted here. */
export interface NamedOrder {
  orderId: string;
  isDeleted: boolean;
}

const NEWEST_ORDERS = defineQuery('orders by id or name', {
  ...texts('shop_id', 'order_id', 'order_name'),
  is_deleted: Type.Boolean(),
});

/** The newest state of each order that `ids`, a query of (shop, id) pairs, names. A tombstone on a day that an order left has no time. */
const newestOf = (ids: string): string =>
  `SELECT o.shop_id AS shop_id, o.order_id AS order_id, o.order_name AS order_name, toBool(o.is_deleted) AS is_deleted
   FROM orders AS o
   WHERE toUnixTimestamp64Micro(o.placed_at) > 0 AND (o.shop_id, o.placed_day, o.order_id) IN (
     SELECT k.shop_id, k.day, k.order_id FROM order_keys AS k WHERE (k.shop_id, k.order_id) IN (${ids})
   )
   ORDER BY o.shop_id, o.order_id, o.version DESC LIMIT 1 BY o.shop_id, o.order_id`;

/**
 * The orders that texts name, by shop and text. An id comes first, that of a deleted order too; then the name, where exactly one order
 * has it. Names are looked for among all orders of the shop, by the one column: nothing else finds an order by its name, and of 10^6
 * orders it is a few megabytes.
 */
export async function findOrders(
  warehouse: Warehouse,
  wanted: IdsByShop,
  options: QueryOptions = {},
): Promise<Map<string, Map<string, NamedOrder>>> {
  const found = new Map<string, Map<string, NamedOrder>>();
  const put = (shopId: string, text: string, order: NamedOrder): void => {
    found.set(shopId, (found.get(shopId) ?? new Map<string, NamedOrder>()).set(text, order));
  };
  if (wanted.size === 0) return found;
  for (const row of await warehouse.ask(NEWEST_ORDERS(newestOf(pairs(wanted))), options)) {
    put(row.shop_id, row.order_id, { orderId: row.order_id, isDeleted: row.is_deleted });
  }
  const names = new Map(
    [...wanted].flatMap(([shopId, texts]): [string, string[]][] => {
      const left = texts.filter((text) => found.get(shopId)?.has(text) !== true);
      return left.length === 0 ? [] : [[shopId, left]];
    }),
  );
  if (names.size === 0) return found;
  const named = `SELECT n.shop_id, n.order_id FROM orders AS n
    WHERE n.shop_id IN (${[...names.keys()].map(literal).join(',')}) AND (n.shop_id, n.order_name) IN (${pairs(names)})`;
  const owners = new Map<string, { shopId: string; name: string; ids: string[] }>();
  for (const { shop_id, order_id, order_name, is_deleted } of await warehouse.ask(
    NEWEST_ORDERS(newestOf(named)),
    options,
  )) {
    if (is_deleted) continue;
    const key = JSON.stringify([shop_id, order_name]);
    const known = owners.get(key) ?? { shopId: shop_id, name: order_name, ids: [] };
    known.ids.push(order_id);
    owners.set(key, known);
  }
  for (const { shopId, name, ids } of owners.values()) {
    const [orderId] = ids;
    // An order that was renamed since is found by its earlier name too.
    if (orderId === undefined || ids.length > 1 || names.get(shopId)?.includes(name) !== true) continue;
    put(shopId, name, { orderId, isDeleted: false });
  }
  return found;
}

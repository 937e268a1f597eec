import type { IdsByShop } from '../../domain/by-shop.js';
import type { Warehouse } from '../client.js';
import { literal, pairs } from '../sql.js';

export type NewestVersions = (shopId: string, orderIds: readonly string[]) => Promise<Map<string, number>>;

/** A push is taken within 5 s also while the warehouse is frozen: the outcome is then decided without it. */
const LOOK_UP_MS = 2_000;

/** Point look-up for the stale guard: microseconds of the newest `updated_at` of those orders that are stored. */
export function createNewestVersions(warehouse: Warehouse): NewestVersions {
  return async (shopId, orderIds) => {
    const rows = await warehouse.query<{ order_id: string; updated: string }>(
      `SELECT order_id, bitShiftRight(max(version), 64) AS updated FROM order_keys
       WHERE shop_id = ${literal(shopId)} AND order_id IN (${orderIds.map(literal).join(',')}) GROUP BY order_id`,
      undefined,
      { waitMs: LOOK_UP_MS },
    );
    return new Map(rows.map((row) => [row.order_id, Number(row.updated)]));
  };
}

/**
 * Outdates what older versions of the written orders left on days that their newest version is not on, and gives by shop
 * every day that any version of them stands on: those are to be rebuilt. One look-up for all shops: 40 of them took 186 ms
 * one by one, and 14 ms together. Run after the rows of the written versions are stored, it converges whatever the
 * interleaving of writers, crashes and repeats: each writer reads after its own write, so the last one to read sees all
 * versions. A day that has its tombstone gets it again: an insert that was cut off may have told `order_keys` of it and nobody
 * else.
 *
 * A tombstone, whose stamp is no order's, outdates every version before the newest and not the newest itself: a reader that meets a half of its rows, as of
 * two partitions, takes a day for left on which the other half is about to stand.
 */
export async function settleOrderDays(warehouse: Warehouse, written: IdsByShop): Promise<Map<string, string[]>> {
  const rows = await warehouse.query<{ shop_id: string; days: string[]; left: [string, string, string][] }>(
    `SELECT
       o.shop_id AS shop_id,
       groupUniqArrayArray(o.all_days) AS days,
       groupArrayArray(arrayMap(d -> (o.order_id, d.1, toUInt128(o.winner - 1)), arrayFilter(d -> d.2 < o.winner OR d.3 = 1, o.newest))) AS left
     FROM (
       SELECT
         k.shop_id AS shop_id,
         k.order_id AS order_id,
         groupArray((toString(k.day), k.newest_version, k.newest_deleted)) AS newest,
         groupArray(toString(k.day)) AS all_days,
         max(k.newest_version) AS winner
       FROM (
         SELECT shop_id, order_id, day, max(version) AS newest_version,
           argMax(is_deleted, (version, is_deleted)) AS newest_deleted
         FROM order_keys
         WHERE (shop_id, order_id) IN (${pairs(written)})
         GROUP BY shop_id, order_id, day
       ) AS k
       GROUP BY k.shop_id, k.order_id
     ) AS o
     GROUP BY o.shop_id`,
  );
  await warehouse.insert(
    'order_days',
    rows.flatMap(({ shop_id, left }) =>
      left.map(([order_id, day, version]) => ({ shop_id, order_id, day, version, is_deleted: 1, placed_day: day })),
    ),
  );
  return new Map(rows.map(({ shop_id, days }) => [shop_id, days]));
}

/** Every day that any version of the orders stands on, by shop. */
export async function daysOfOrders(warehouse: Warehouse, orders: IdsByShop): Promise<Map<string, string[]>> {
  const rows = await warehouse.query<{ shop_id: string; days: string[] }>(
    `SELECT shop_id, groupUniqArray(toString(day)) AS days FROM order_keys
     WHERE (shop_id, order_id) IN (${pairs(orders)}) GROUP BY shop_id`,
  );
  return new Map(rows.map(({ shop_id, days }) => [shop_id, days]));
}

import { Type } from 'typebox';
import { byShop, type IdsByShop } from '../../domain/by-shop.js';
import { OCCASION } from '../../domain/orders/orders.js';
import type { Warehouse } from '../client.js';
import type { WarehouseShards } from '../cluster/sharded-warehouse.js';
import { shareNext } from '../share-next.js';
import { defineQuery, texts } from '../query.js';
import { pairs, stampOf } from '../sql.js';

export type NewestVersions = (shopId: string, orderIds: readonly string[]) => Promise<Map<string, number>>;

/** A push is taken within 5 s also while the warehouse is frozen, after two of these waits: the outcome is then decided without it. */
const LOOK_UP_MS = 1_500;

const NEWEST_VERSIONS = defineQuery('newest versions of orders', texts('shop_id', 'order_id', 'updated'));

/** Orders of one look-up at most; a push may have 250. */
const LOOK_UP_IDS = 5_000;

/**
 * Look-up for the stale guard: microseconds of the newest `updated_at` of those orders that are stored. Pushes of all shops of a shard
 * whose look-up comes while one is under way share the next.
 */
export function createNewestVersions({ each, of }: WarehouseShards): NewestVersions {
  const lookUps = each.map((warehouse) =>
    shareNext(async (orders: readonly { shopId: string; id: string }[]) => {
      const rows = await warehouse.ask(
        NEWEST_VERSIONS(`SELECT shop_id, order_id, bitShiftRight(max(version), 64) AS updated FROM order_keys
         WHERE (shop_id, order_id) IN (${pairs(byShop(orders))}) GROUP BY shop_id, order_id`),
        { waitMs: LOOK_UP_MS },
      );
      const found = new Map<string, Map<string, number>>();
      for (const { shop_id, order_id, updated } of rows) {
        const own = found.get(shop_id) ?? new Map<string, number>();
        found.set(shop_id, own.set(order_id, Number(updated)));
      }
      return found;
    }, LOOK_UP_IDS),
  );
  return async (shopId, orderIds) => {
    const found = await lookUps[of(shopId)]?.(orderIds.map((id) => ({ shopId, id })));
    return found?.get(shopId) ?? new Map<string, number>();
  };
}

const ARRIVALS = defineQuery('orders known before', {
  ...texts('shop_id', 'order_id'),
  earliest: Type.Number(),
  known_at: Type.Array(Type.Number()),
});

/** Whether a version of an order was stored before the one with this stamp, of a push that has its stamps from `first` on. */
export type IsKnown = (shopId: string, orderId: string, stamp: number, first: number) => boolean;

/**
 * Asked after the version itself was stored it gives the same: its row says what was found then, also when it has replaced the others. Only
 * where a later version has replaced it meanwhile may a known order be taken for a new one.
 */
export async function knownOrders(warehouse: Warehouse, orders: IdsByShop): Promise<IsKnown> {
  const stamp = `toUInt64(${stampOf('k.version')})`;
  const rows = await warehouse.ask(
    ARRIVALS(`SELECT k.shop_id AS shop_id, k.order_id AS order_id, toFloat64(min(${stamp})) AS earliest,
       groupUniqArrayIf(toFloat64(${stamp}), k.occasion = ${OCCASION.known}) AS known_at
     FROM order_keys AS k WHERE (k.shop_id, k.order_id) IN (${pairs(orders)}) GROUP BY k.shop_id, k.order_id`),
  );
  const found = new Map<string, Map<string, (typeof rows)[number]>>();
  for (const row of rows) {
    const own = found.get(row.shop_id) ?? new Map<string, (typeof rows)[number]>();
    found.set(row.shop_id, own.set(row.order_id, row));
  }
  return (shopId, orderId, stamp, first) => {
    const row = found.get(shopId)?.get(orderId);
    return row !== undefined && (row.earliest < first || row.known_at.includes(stamp));
  };
}

const SETTLED_DAYS = defineQuery('days of written orders', {
  shop_id: Type.String(),
  days: Type.Array(Type.String()),
  left: Type.String(),
});

/**
 * Outdates what older versions of the written orders left on days that their newest version is not on, and gives by shop
 * every day that any version of them is on: those are to be rebuilt. One look-up for all shops: 40 of them took 186 ms
 * one by one, and 14 ms together. Run after the rows of the written versions are stored, it converges whatever the
 * interleaving of writers, crashes and repeats: each writer reads after its own write, so the last one to read sees all
 * versions. A day that has its tombstone gets it again: an insert that was cut off may have written it to `order_keys` and no one
 * else.
 *
 * A tombstone outdates every version before the newest, not the newest itself. A reader may see half of the newest rows, those of
 * one partition. It must not take the day of the other half for left.
 */
export async function settleOrderDays(warehouse: Warehouse, written: IdsByShop): Promise<Map<string, string[]>> {
  const rows = await warehouse.ask(
    SETTLED_DAYS(`SELECT o.shop_id AS shop_id, groupUniqArrayArray(arrayMap(d -> toString(d.1), o.newest)) AS days,
       sum(length(${LEFT})) AS left
     FROM ${newestOf(written)} GROUP BY o.shop_id`),
  );
  // They stay in the warehouse: orders that were sent with ever other days have left many.
  if (rows.some(({ left }) => left !== '0')) {
    await warehouse.run({
      name: 'tombstones of orders',
      // A version that was written because of its clock leaves days because of it.
      sql: `INSERT INTO order_days (shop_id, order_id, day, version, occasion, is_deleted, placed_day)
       SELECT t.shop_id, t.order_id, t.day, toUInt128(t.winner - 1), if(t.stamp <= m.last_stamp, ${OCCASION.clock}, ${OCCASION.known}), 1, t.day
       FROM (
         SELECT o.shop_id AS shop_id, o.order_id AS order_id, o.winner AS winner, toUInt64(${stampOf('o.winner')}) AS stamp,
           arrayJoin(${LEFT}).1 AS day
         FROM ${newestOf(written)}
       ) AS t ASOF LEFT JOIN clock_moves AS m ON m.shop_id = t.shop_id AND t.stamp >= m.first_stamp`,
    });
  }
  return new Map(rows.map(({ shop_id, days }) => [shop_id, days]));
}

/** Orders `o`, each with the newest word on each of its days (day, version, whether it deletes), and its highest version. */
const newestOf = (written: IdsByShop): string =>
  `(
    SELECT k.shop_id AS shop_id, k.order_id AS order_id,
      groupArray((k.day, k.newest_version, k.newest_deleted)) AS newest, max(k.newest_version) AS winner
    FROM (
      SELECT shop_id, order_id, day, max(version) AS newest_version, argMax(is_deleted, (version, is_deleted)) AS newest_deleted
      FROM order_keys
      WHERE (shop_id, order_id) IN (${pairs(written)})
      GROUP BY shop_id, order_id, day
    ) AS k
    GROUP BY k.shop_id, k.order_id
  ) AS o`;
/** The days that it has left. */
const LEFT = 'arrayFilter(d -> d.2 < o.winner OR d.3 = 1, o.newest)';

const ORDER_DAYS = defineQuery('days of orders', { shop_id: Type.String(), days: Type.Array(Type.String()) });

/** Every day that any version of the orders is on, by shop. */
export async function daysOfOrders(warehouse: Warehouse, orders: IdsByShop): Promise<Map<string, string[]>> {
  const rows = await warehouse.ask(
    ORDER_DAYS(`SELECT shop_id, groupUniqArray(toString(day)) AS days FROM order_keys
     WHERE (shop_id, order_id) IN (${pairs(orders)}) GROUP BY shop_id`),
  );
  return new Map(rows.map(({ shop_id, days }) => [shop_id, days]));
}

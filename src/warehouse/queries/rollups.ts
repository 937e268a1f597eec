import { dayRow, type DayGroup } from '../../domain/metrics/day-rows.js';
import { FIRST_DAY, LAST_DAY } from '../../domain/time.js';
import type { Warehouse } from '../client.js';
import { defineQuery, texts } from '../query.js';
import { storeDayProducts } from './day-products.js';
import { readDayGroups } from './day-sums.js';
import { dayList, type WhichRows } from './open-days.js';
import { writeFacts, type StoreProducts } from './write-facts.js';

export interface RollupDay {
  shopId: string;
  /** `YYYY-MM-DD`. */
  day: string;
}

export interface RebuildOptions {
  /** Cores that it takes at most; absent: all of them. */
  threads?: number;
  /** Of all orders of the days, not only of those that have changed: where rows may be wrong. */
  all?: boolean;
}

/**
 * Computes the rollups of these days afresh: what they sold of each SKU, and their figures. Each order's row is computed under a
 * stamp taken here, after what was stored before: of two computations of a row the later one has read all that the earlier one
 * read. The sums are those under a second stamp, taken when the rows were stored: of two computations of a day, which may be of
 * different rows, the later one has read the rows of both. A push of the catalog finds the days of a SKU in `daily_products`: orders
 * are read first, then what their days sold is stored, then the catalog is read. Gives how many rows of orders were computed.
 */
export async function rebuildRollups(
  warehouse: Warehouse,
  days: readonly RollupDay[],
  takeStamps: () => Promise<number>,
  { threads, all = false }: RebuildOptions = {},
): Promise<number> {
  const storeProducts: StoreProducts = async (open, isFirst) => {
    const computedAt = await takeStamps();
    const own = new Set(open.map(({ shop_id, day }) => keyOf(shop_id, day)));
    const stored = isFirst ? days : days.filter(({ shopId, day }) => own.has(keyOf(shopId, day)));
    await storeDayProducts(warehouse, stored, { computedAt, open, threads });
  };
  return rebuild(warehouse, days, takeStamps, { which: all ? 'all' : 'open', storeProducts });
}

/** Likewise the figures alone, after a push of the catalog: of the orders that hold a SKU of it. */
export const rebuildFigures = (
  warehouse: Warehouse,
  days: readonly RollupDay[],
  takeStamps: () => Promise<number>,
): Promise<number> => rebuild(warehouse, days, takeStamps, { which: 'unpriced' });

async function rebuild(
  warehouse: Warehouse,
  days: readonly RollupDay[],
  takeStamps: () => Promise<number>,
  { which, storeProducts }: { which: WhichRows; storeProducts?: StoreProducts },
): Promise<number> {
  if (days.length === 0) return 0;
  const list = dayList(days);
  const read_at = await takeStamps();
  const computed = await writeFacts(warehouse, list, {
    stamp: read_at,
    which,
    ...(storeProducts && { storeProducts }),
  });
  const computed_at = await takeStamps();
  const groups = groupsByDay(await readDayGroups(warehouse, list));
  const rows = days.map(({ shopId, day }) =>
    dayRow({ shop_id: shopId, day }, groups.get(keyOf(shopId, day)) ?? [], { read_at, computed_at }),
  );
  await warehouse.insert('daily_orders', rows);
  return computed;
}

const keyOf = (shopId: string, day: string): string => `${shopId}\n${day}`;

function groupsByDay(groups: readonly DayGroup[]): ReadonlyMap<string, DayGroup[]> {
  const byDay = new Map<string, DayGroup[]>();
  for (const group of groups) {
    const key = keyOf(group.shop_id, group.day);
    const known = byDay.get(key);
    if (known === undefined) byDay.set(key, [group]);
    else known.push(group);
  }
  return byDay;
}

const STORED_DAYS = defineQuery('stored days', texts('shop_id', 'day'));

/** Days with any order or ad spend of the shops, newest first; for rebuilding by hand. */
export async function storedDays(
  warehouse: Warehouse,
  { shopId, from = FIRST_DAY, to = LAST_DAY }: { shopId?: string; from?: string; to?: string },
): Promise<RollupDay[]> {
  const shop = shopId === undefined ? '' : 'AND shop_id = {shop:String}';
  const rows = await warehouse.ask(
    STORED_DAYS(
      `SELECT shop_id, toString(day) AS day FROM (
       SELECT DISTINCT shop_id, day FROM order_days WHERE day BETWEEN {from:Date} AND {to:Date} ${shop}
       UNION DISTINCT
       SELECT shop_id, placed_day AS day FROM orders WHERE placed_day BETWEEN {from:Date} AND {to:Date} ${shop}
       UNION DISTINCT
       SELECT shop_id, event_date AS day FROM ad_spend WHERE event_date BETWEEN {from:Date} AND {to:Date} ${shop}
       UNION DISTINCT
       SELECT shop_id, day FROM daily_orders WHERE day BETWEEN {from:Date} AND {to:Date} ${shop}
     ) ORDER BY day DESC, shop_id`,
      { from, to, ...(shopId !== undefined && { shop: shopId }) },
    ),
  );
  return rows.map((row) => ({ shopId: row.shop_id, day: row.day }));
}

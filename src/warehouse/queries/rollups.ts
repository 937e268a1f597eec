import { FIRST_DAY, LAST_DAY } from '../../domain/time.js';
import type { Warehouse } from '../client.js';
import { defineQuery, texts } from '../query.js';

export interface RollupDay {
  shopId: string;
  /** `YYYY-MM-DD`. */
  day: string;
}

export interface RebuildOptions {
  /** Cores that it takes at most; absent: all of them. */
  threads?: number;
}

/** Computes the rollups of these days afresh: what their orders come to, then the figures. */
export async function rebuildRollups(
  warehouse: Warehouse,
  days: readonly RollupDay[],
  takeStamps: () => Promise<number>,
  options: RebuildOptions = {},
): Promise<void> {
  await request(warehouse, 'rollup_requests', days, await takeStamps(), options);
  await rebuildFigures(warehouse, days, takeStamps, options);
}

/**
 * Computes the figures of these days from what their orders came to and the catalog of today. The stamp is taken here, after
 * whatever was stored before: of two computations of a day the later one has read all that the earlier one read.
 */
export async function rebuildFigures(
  warehouse: Warehouse,
  days: readonly RollupDay[],
  takeStamps: () => Promise<number>,
  options: RebuildOptions = {},
): Promise<void> {
  await request(warehouse, 'figure_requests', days, await takeStamps(), options);
}

async function request(
  warehouse: Warehouse,
  table: string,
  days: readonly RollupDay[],
  computedAt: number,
  options: RebuildOptions,
): Promise<void> {
  const rows = days.map(({ shopId, day }) => ({ shop_id: shopId, day, computed_at: computedAt }));
  await warehouse.insert(table, rows, options);
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

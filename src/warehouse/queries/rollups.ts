import type { Warehouse } from '../client.js';

export interface RollupDay {
  shopId: string;
  /** `YYYY-MM-DD`. */
  day: string;
}

/**
 * Computes the rollups of these days afresh. `computedAt` is a stamp taken before, so that the later rebuild wins.
 * `threads` bounds the cores that it takes; absent: all of them.
 */
export async function rebuildRollups(
  warehouse: Warehouse,
  days: readonly RollupDay[],
  computedAt: number,
  options: { threads?: number } = {},
): Promise<void> {
  await warehouse.insert(
    'rollup_requests',
    days.map(({ shopId, day }) => ({ shop_id: shopId, day, computed_at: computedAt })),
    options,
  );
}

/** Days on which any order or ad spend of the shops stands, newest first; for rebuilding by hand. */
export async function storedDays(
  warehouse: Warehouse,
  { shopId, from = '1970-01-01', to = '2148-12-31' }: { shopId?: string; from?: string; to?: string },
): Promise<RollupDay[]> {
  const shop = shopId === undefined ? '' : 'AND shop_id = {shop:String}';
  const rows = await warehouse.query<{ shop_id: string; day: string }>(
    `SELECT shop_id, toString(day) AS day FROM (
       SELECT DISTINCT shop_id, day FROM order_days WHERE day BETWEEN {from:Date} AND {to:Date} ${shop}
       UNION DISTINCT
       SELECT shop_id, event_date AS day FROM ad_spend WHERE event_date BETWEEN {from:Date} AND {to:Date} ${shop}
       UNION DISTINCT
       SELECT shop_id, day FROM daily_orders WHERE day BETWEEN {from:Date} AND {to:Date} ${shop}
     ) ORDER BY day DESC, shop_id`,
    { from, to, ...(shopId !== undefined && { shop: shopId }) },
  );
  return rows.map((row) => ({ shopId: row.shop_id, day: row.day }));
}

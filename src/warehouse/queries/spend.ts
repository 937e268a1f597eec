import { spendChannel } from '../../domain/costs/spend-channel.js';
import { clearsDay, type SpendInput } from '../../domain/costs/spend.js';
import type { Warehouse } from '../client.js';
import type { RollupDay } from './rollups.js';
import { jsonRows } from '../columns/json-rows.js';

/** An accepted row with its stored channel and the arrival stamp that its push reserved. */
export interface StampedSpend {
  row: SpendInput;
  channel: string;
  stamp: number;
}

/** Rows of a push as ready-made bytes: of `ad_spend`, and of `ad_spend_clears`. */
export interface SpendRows {
  spend: Buffer;
  clears: Buffer;
}

/** A row that clears its day is stored as well: with the stamp of the clear it is what is left of the day. */
export function encodeSpend(shopId: string, items: readonly StampedSpend[]): SpendRows {
  const keyOf = ({ row, channel, stamp }: StampedSpend) => ({
    shop_id: shopId,
    event_date: row.event_date,
    channel,
    currency: row.currency,
    version: stamp,
  });
  return {
    spend: jsonRows(
      items.map((item) => ({
        ...keyOf(item),
        campaign_id: item.row.campaign_id ?? '',
        adset_id: item.row.adset_id ?? '',
        ad_id: item.row.ad_id ?? '',
        campaign_name: item.row.campaign_name ?? '',
        adset_name: item.row.adset_name ?? '',
        ad_name: item.row.ad_name ?? '',
        spend: item.row.spend,
        impressions: item.row.impressions ?? null,
        clicks: item.row.clicks ?? null,
        conversions: item.row.conversions ?? null,
        conversion_value: item.row.conversion_value ?? null,
        order_channel: spendChannel(item.channel),
      })),
    ),
    clears: jsonRows(items.filter(({ row }) => clearsDay(row)).map(keyOf)),
  };
}

/** Computes the spend of these days afresh. `computedAt` is a stamp taken after the rows were stored. */
export async function rebuildSpend(
  warehouse: Warehouse,
  days: readonly RollupDay[],
  computedAt: number,
): Promise<void> {
  await warehouse.insert(
    'spend_rollup_requests',
    days.map(({ shopId, day }) => ({ shop_id: shopId, day, computed_at: computedAt })),
  );
}

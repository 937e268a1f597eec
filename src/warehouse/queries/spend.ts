import { spendChannel } from '../../domain/costs/spend-channel.js';
import { clearsDay, type SpendInput } from '../../domain/costs/spend.js';
import { parseDay } from '../../domain/time.js';
import type { Warehouse } from '../client.js';
import type { RollupDay } from './rollups.js';
import { RowBinaryWriter } from '../columns/row-binary.js';

/** An accepted row with its stored channel and the arrival stamp that its push reserved. */
export interface StampedSpend {
  row: SpendInput;
  channel: string;
  stamp: number;
}

/** Rows of a push as ready-made bytes, in the column order of the two insert statements below. */
export interface SpendRows {
  spend: Buffer;
  clears: Buffer;
}

export const INSERT_AD_SPEND = `INSERT INTO ad_spend (shop_id, event_date, channel, currency, campaign_id, adset_id, ad_id,
  campaign_name, adset_name, ad_name, spend, impressions, clicks, conversions, conversion_value, version,
  order_channel) FORMAT RowBinary`;

export const INSERT_AD_SPEND_CLEARS = `INSERT INTO ad_spend_clears (shop_id, event_date, channel, currency, version)
  FORMAT RowBinary`;

/** A row that clears its day is stored as well: with the stamp of the clear it is what is left of the day. */
export function encodeSpend(shopId: string, items: readonly StampedSpend[]): SpendRows {
  const spend = new RowBinaryWriter();
  const clears = new RowBinaryWriter();
  for (const { row, channel, stamp } of items) {
    writeKey(spend, shopId, row, channel);
    for (const text of [row.campaign_id, row.adset_id, row.ad_id, row.campaign_name, row.adset_name, row.ad_name]) {
      spend.string(text ?? '');
    }
    spend.decimal(row.spend);
    for (const count of [row.impressions, row.clicks]) {
      spend.bool(count === undefined);
      if (count !== undefined) spend.uint64(count);
    }
    spend.bool(row.conversions === undefined);
    if (row.conversions !== undefined) spend.float64(row.conversions);
    spend.nullableDecimal(row.conversion_value);
    spend.uint64(stamp);
    spend.string(spendChannel(channel));

    if (!clearsDay(row)) continue;
    writeKey(clears, shopId, row, channel);
    clears.uint64(stamp);
  }
  return { spend: spend.bytes(), clears: clears.bytes() };
}

function writeKey(w: RowBinaryWriter, shopId: string, row: SpendInput, channel: string): void {
  w.string(shopId);
  w.date(parseDay(row.event_date) ?? 0);
  w.string(channel);
  w.string(row.currency);
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

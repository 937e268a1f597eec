import type { AdChannel } from '../../domain/connections.js';
import type { Warehouse } from '../client.js';
import { defineQuery, texts } from '../query.js';

/** Ad channels of which a shop ever received spend, cleared ones too. A row that is stored twice changes nothing. */
export type ReadAdChannels = (shopId: string) => Promise<AdChannel[]>;

const AD_CHANNELS = defineQuery('ad channels', texts('channel', 'accounts', 'last_ms'));
const CHANNELS = `SELECT channel, uniqExact(currency) AS accounts, intDiv(max(version), 1000) AS last_ms
  FROM ad_spend WHERE shop_id = {shop:String} GROUP BY channel ORDER BY channel`;

export function createAdChannelReader(warehouse: Warehouse): ReadAdChannels {
  return async (shopId) => {
    const rows = await warehouse.ask(AD_CHANNELS(CHANNELS, { shop: shopId }));
    // The version is the arrival stamp of the push, in microseconds.
    return rows.map((row) => ({ channel: row.channel, accounts: Number(row.accounts), lastMs: Number(row.last_ms) }));
  };
}

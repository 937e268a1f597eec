import type { Warehouse } from '../client.js';

/** Names that a shop has used, at most so many. */
export type ReadShopNames = (shopId: string, most: number) => Promise<string[]>;

const CHANNELS = `SELECT DISTINCT toString(s.channel) AS name FROM ad_spend AS s WHERE s.shop_id = {shop:String}`;
const AD_ACCOUNTS = `SELECT DISTINCT concat(toString(s.currency), ' ', toString(s.channel)) AS name
  FROM ad_spend AS s WHERE s.shop_id = {shop:String}`;
/** In the spelling in which rules match them. */
const GATEWAYS = `SELECT DISTINCT d.payment_gateway AS name FROM order_days AS d
  WHERE d.shop_id = {shop:String} AND d.payment_gateway != ''`;

/** A push waits for two of them at most, and is queued within 5 s whatever the warehouse does. */
const LOOK_UP_MS = 1_500;

function reader(warehouse: Warehouse, sql: string): ReadShopNames {
  return async (shopId, most) => {
    const rows = await warehouse.query<{ name: string }>(
      `${sql} ORDER BY name LIMIT {most:UInt32}`,
      { shop: shopId, most },
      { waitMs: LOOK_UP_MS },
    );
    return rows.map(({ name }) => name);
  };
}

export function createShopNameReaders(
  warehouse: Warehouse,
): Record<'channels' | 'adAccounts' | 'gateways', ReadShopNames> {
  return {
    channels: reader(warehouse, CHANNELS),
    adAccounts: reader(warehouse, AD_ACCOUNTS),
    gateways: reader(warehouse, GATEWAYS),
  };
}

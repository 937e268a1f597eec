import { Type } from 'typebox';
import type { Warehouse } from '../client.js';
import { defineQuery, type DefinedQuery, type Row } from '../query.js';

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

const NAME = { name: Type.String() };
const CHANNEL_NAMES = defineQuery('channels of a shop', NAME);
const AD_ACCOUNT_NAMES = defineQuery('ad accounts of a shop', NAME);
const GATEWAY_NAMES = defineQuery('gateways of a shop', NAME);

function reader(warehouse: Warehouse, query: DefinedQuery<Row<typeof NAME>>, sql: string): ReadShopNames {
  return async (shopId, most) => {
    const rows = await warehouse.ask(query(`${sql} ORDER BY name LIMIT {most:UInt32}`, { shop: shopId, most }), {
      waitMs: LOOK_UP_MS,
    });
    return rows.map(({ name }) => name);
  };
}

export function createShopNameReaders(
  warehouse: Warehouse,
): Record<'channels' | 'adAccounts' | 'gateways', ReadShopNames> {
  return {
    channels: reader(warehouse, CHANNEL_NAMES, CHANNELS),
    adAccounts: reader(warehouse, AD_ACCOUNT_NAMES, AD_ACCOUNTS),
    gateways: reader(warehouse, GATEWAY_NAMES, GATEWAYS),
  };
}

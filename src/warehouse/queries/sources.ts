import { Type } from 'typebox';
import { conversionText, readConversion } from '../../domain/source-conversion.js';
import type { SourceRecord } from '../../domain/source.js';
import type { Warehouse } from '../client.js';
import { dateTimeText, nullableDateTimeText } from '../columns/date-time.js';
import { defineQuery, nullable, texts } from '../query.js';

const SOURCE = defineQuery('source', {
  ...texts('shop_id', 'platform', 'currency', 'timezone', 'shop_domain', 'conversion', 'registered_ms'),
  own_hosts: Type.Array(Type.String()),
  locked_ms: nullable(Type.String()),
  closed_ms: nullable(Type.String()),
  version: Type.String(),
});
const SHOP_IDS = defineQuery('shops', texts('shop_id'));

export interface SourceStore {
  find(shopId: string): Promise<SourceRecord | null>;
  shopIds(): Promise<string[]>;
  write(record: SourceRecord, version: number): Promise<void>;
}

export function createSourceStore(warehouse: Warehouse): SourceStore {
  return {
    async find(shopId) {
      const [row] = await warehouse.ask(
        SOURCE(
          `SELECT shop_id, platform, currency, timezone, shop_domain, conversion, own_hosts, version,
           toUnixTimestamp64Milli(registered_at) AS registered_ms,
           -- An order in the warehouse locks as well, should the write of the lock itself have been lost.
           coalesce(toUnixTimestamp64Milli(locked_at), if((SELECT count() > 0 FROM (SELECT 1 FROM order_keys WHERE shop_id = {shop:String} LIMIT 1)), toUnixTimestamp64Milli(registered_at), NULL)) AS locked_ms,
           toUnixTimestamp64Milli(closed_at) AS closed_ms
         FROM sources FINAL
         WHERE shop_id = {shop:String}`,
          { shop: shopId },
        ),
      );
      if (row === undefined) return null;
      return {
        shopId: row.shop_id,
        platform: row.platform,
        currency: row.currency,
        timezone: row.timezone,
        shopDomain: row.shop_domain === '' ? null : row.shop_domain,
        conversion: readConversion(row.conversion),
        ownHosts: row.own_hosts,
        registeredAt: Number(row.registered_ms),
        lockedAt: row.locked_ms === null ? null : Number(row.locked_ms),
        closedAt: row.closed_ms === null ? null : Number(row.closed_ms),
        revision: row.version,
      };
    },
    async shopIds() {
      const rows = await warehouse.ask(SHOP_IDS('SELECT DISTINCT shop_id FROM sources ORDER BY shop_id'));
      return rows.map((row) => row.shop_id);
    },
    async write(record, version) {
      await warehouse.insert('sources', [
        {
          shop_id: record.shopId,
          platform: record.platform,
          currency: record.currency,
          timezone: record.timezone,
          shop_domain: record.shopDomain ?? '',
          conversion: conversionText(record.conversion ?? null),
          own_hosts: [...record.ownHosts],
          registered_at: dateTimeText(record.registeredAt),
          locked_at: nullableDateTimeText(record.lockedAt),
          closed_at: nullableDateTimeText(record.closedAt),
          version,
        },
      ]);
    },
  };
}

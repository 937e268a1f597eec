import { Type } from 'typebox';
import { conversionText, readConversion } from '../../domain/source-conversion.js';
import type { SourceRecord } from '../../domain/source.js';
import type { Warehouse } from '../client.js';
import { dateTimeText, nullableDateTimeText } from '../columns/date-time.js';
import { millisOf } from '../sql.js';
import { clockParameters } from './local-days.js';
import { defineQuery, nullable, texts } from '../query.js';

const SOURCE = defineQuery('source', {
  ...texts('shopId', 'platform', 'currency', 'timezone', 'conversion', 'revision'),
  shopDomain: nullable(Type.String()),
  ownHosts: Type.Array(Type.String()),
  convertSpend: Type.Boolean(),
  registeredAt: Type.Number(),
  lockedAt: nullable(Type.Number()),
  closedAt: nullable(Type.Number()),
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
          `SELECT shop_id AS shopId, platform, currency, timezone, nullIf(shop_domain, '') AS shopDomain, conversion,
           own_hosts AS ownHosts, convert_spend AS convertSpend, toString(version) AS revision, ${millisOf('registered_at')} AS registeredAt,
           -- An order in the warehouse locks as well, should the write of the lock itself have been lost.
           coalesce(${millisOf('locked_at')}, if((SELECT count() > 0 FROM (SELECT 1 FROM order_keys WHERE shop_id = {shop:String} LIMIT 1)), registeredAt, NULL)) AS lockedAt,
           ${millisOf('closed_at')} AS closedAt
         FROM sources FINAL
         WHERE shop_id = {shop:String}`,
          { shop: shopId },
        ),
      );
      return row === undefined ? null : { ...row, conversion: readConversion(row.conversion) };
    },
    async shopIds() {
      const rows = await warehouse.ask(SHOP_IDS('SELECT DISTINCT shop_id FROM sources ORDER BY shop_id'));
      return rows.map((row) => row.shop_id);
    },
    async write(record, version) {
      const { clockStarts, clockOffsets } = clockParameters(record.timezone);
      await warehouse.insert('sources', [
        {
          shop_id: record.shopId,
          platform: record.platform,
          currency: record.currency,
          timezone: record.timezone,
          shop_domain: record.shopDomain ?? '',
          conversion: conversionText(record.conversion ?? null),
          own_hosts: [...record.ownHosts],
          convert_spend: record.convertSpend ?? false,
          registered_at: dateTimeText(record.registeredAt),
          locked_at: nullableDateTimeText(record.lockedAt),
          closed_at: nullableDateTimeText(record.closedAt),
          version,
          clock_starts: clockStarts,
          clock_offsets: clockOffsets,
        },
      ]);
    },
  };
}

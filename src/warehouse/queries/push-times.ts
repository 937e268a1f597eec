import type { Received } from '../../domain/connections.js';
import type { IngestKind } from '../../domain/ingest.js';
import type { Warehouse } from '../client.js';
import { at, LIMITS, OWN, type CountedUntil } from './push-hours.js';
import { defineQuery, textOf, texts } from '../query.js';

/** First and last push of a kind of which something was accepted, of a table: repeats and earlier counts change neither. */
const timesIn = (table: string, first: string, last: string, condition: string): string =>
  `SELECT kind, toString(toUnixTimestamp64Milli(min(${first}))) AS first, toString(toUnixTimestamp64Milli(max(${last}))) AS last
   FROM ${table} WHERE ${OWN} AND accepted > 0 AND ${condition} GROUP BY kind ${LIMITS}`;

const PUSH_TIMES = defineQuery('first and last pushes', {
  kind: textOf<IngestKind>(),
  ...texts('first', 'last'),
});
export type ReadReceived = (shopId: string) => Promise<Map<IngestKind, Received>>;

export function createReceivedReader(warehouse: Warehouse, countedUntil: CountedUntil): ReadReceived {
  return async (shopId) => {
    const since = `received_at >= ${at(await countedUntil(shopId))}`;
    const queries = [
      timesIn('push_hours', 'first_at', 'last_at', '1'),
      timesIn('ingest_log', 'received_at', 'received_at', since),
    ];
    const found = await Promise.all(queries.map((sql) => warehouse.ask(PUSH_TIMES(sql, { shop: shopId }))));
    const times = new Map<IngestKind, Received>();
    for (const { kind, first, last } of found.flat()) {
      const known = times.get(kind) ?? { firstMs: Infinity, lastMs: 0 };
      times.set(kind, {
        firstMs: Math.min(known.firstMs, Number(first)),
        lastMs: Math.max(known.lastMs, Number(last)),
      });
    }
    return times;
  };
}

import { Type } from 'typebox';
import type { IngestKind } from '../../domain/ingest.js';
import type { LastRejection } from '../../domain/reconcile.js';
import type { ErrorDetail } from '../../errors.js';
import type { Warehouse } from '../client.js';
import { idChunks, millisOf } from '../sql.js';
import { defineQuery, nullable, textOf, texts, type Query, type RowOf } from '../query.js';

/** The place of a rejected item: newest push first, within a push in its order. */
export interface RejectionPlace {
  /** Milliseconds since 1970. */
  at: number;
  batchId: string;
  position: number;
}

export interface RejectionFilter {
  shopId: string;
  kind?: IngestKind | undefined;
  code?: string | undefined;
}

export type StoredRejection = ReturnType<typeof toRejection>;

export interface RejectionsReader {
  /** At most `limit` after a place. */
  list(filter: RejectionFilter, after: RejectionPlace | undefined, limit: number): Promise<StoredRejection[]>;
  /** By order id. */
  lastOfOrders(shopId: string, orderIds: readonly string[]): Promise<Map<string, LastRejection>>;
}

const REJECTION_DAYS = 7;
// The TTL drops a day as a whole, some time after its end.
const SCOPE = `shop_id = {shop:String}
  AND received_at > fromUnixTimestamp64Milli({now:Int64}) - INTERVAL ${REJECTION_DAYS} DAY`;
const KEY = 'received_at, batch_id, position';
const NEWEST = 'received_at DESC, batch_id, position';

const REJECTIONS = defineQuery('rejected items', {
  ...texts('batchId', 'errors', 'payload', 'keyLast4', 'requestId'),
  at: Type.Number(),
  position: Type.Number(),
  kind: textOf<IngestKind>(),
  id: nullable(Type.String()),
  isCut: Type.Boolean(),
});
const LAST_REJECTIONS = defineQuery('last rejections of orders', { ...texts('id', 'errors'), at: Type.Number() });

/** The page's keys first, because payloads are large; rows that were written twice are the same. */
function listQuery(
  { shopId, kind, code }: RejectionFilter,
  after: RejectionPlace | undefined,
  { limit, nowMs }: { limit: number; nowMs: number },
): Query<RowOf<typeof REJECTIONS>> {
  const conditions = [
    SCOPE,
    ...(kind === undefined ? [] : ['kind = {kind:String}']),
    ...(code === undefined ? [] : ['has(codes, {code:String})']),
    ...(after === undefined
      ? []
      : [
          `(received_at < fromUnixTimestamp64Milli({at:Int64}) OR received_at = fromUnixTimestamp64Milli({at:Int64})
  AND (batch_id, position) > ({batch:String}, {position:UInt32}))`,
        ]),
  ];
  return REJECTIONS(
    `SELECT ${millisOf('received_at')} AS at, batch_id AS batchId, position, kind, item_id AS id, errors, payload,
  is_cut AS isCut, key_last4 AS keyLast4, request_id AS requestId
FROM rejections
WHERE shop_id = {shop:String} AND (${KEY}) IN (
  SELECT ${KEY} FROM rejections WHERE ${conditions.join('\n  AND ')}
  ORDER BY ${NEWEST} LIMIT 1 BY ${KEY} LIMIT {limit:UInt32}
)
ORDER BY ${NEWEST} LIMIT 1 BY ${KEY}`,
    {
      shop: shopId,
      now: nowMs,
      limit,
      ...(kind !== undefined && { kind }),
      ...(code !== undefined && { code }),
      ...(after !== undefined && { at: after.at, batch: after.batchId, position: after.position }),
    },
  );
}

const toRejection = ({ errors, payload, ...rejection }: RowOf<typeof REJECTIONS>) => ({
  ...rejection,
  errors: JSON.parse(errors) as ErrorDetail[],
  payload: payload === '' ? null : (JSON.parse(payload) as object),
});

export function createRejectionsReader(warehouse: Warehouse, now: () => number): RejectionsReader {
  return {
    async list(filter, after, limit) {
      const rows = await warehouse.ask(listQuery(filter, after, { limit, nowMs: now() }));
      return rows.map(toRejection);
    },
    async lastOfOrders(shopId, orderIds) {
      const found = new Map<string, LastRejection>();
      for (const ids of idChunks(orderIds)) {
        const query = LAST_REJECTIONS(
          `SELECT assumeNotNull(item_id) AS id, ${millisOf('max(received_at)')} AS at,
  argMax(errors, (received_at, batch_id, position)) AS errors
FROM rejections WHERE ${SCOPE} AND kind = 'orders' AND item_id IN {ids:Array(String)}
GROUP BY item_id`,
          { shop: shopId, now: now(), ids },
        );
        for (const { id, at, errors } of await warehouse.ask(query)) {
          found.set(id, { at, errors: JSON.parse(errors) as ErrorDetail[] });
        }
      }
      return found;
    },
  };
}

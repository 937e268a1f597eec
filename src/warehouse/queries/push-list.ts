import { Type } from 'typebox';
import { PUSH_KINDS, type PushKind } from '../../domain/ingest.js';
import type { Receipt } from '../../domain/receipts.js';
import type { PushPlace } from '../../schemas/pushes.js';
import type { Warehouse } from '../client.js';
import { millisOf } from '../sql.js';
import { logged } from './ingest-log.js';
import { defineQuery, textOf, texts, type Query, type RowOf } from '../query.js';

export interface PushFilter {
  shopId: string;
  kind?: PushKind | undefined;
  receipt?: Receipt | undefined;
}

/** A push of which something was accepted. */
export type ListedPush = RowOf<typeof PUSHES>;

/** At most `limit` pushes behind a place, newest first. */
export type ListPushes = (filter: PushFilter, after: PushPlace | undefined, limit: number) => Promise<ListedPush[]>;

const HOUR_MS = 3_600_000;
const KEPT_MS = 30 * 24 * HOUR_MS;

/** Milliseconds since 1970, both inclusive. */
interface Span {
  from: number;
  to: number;
}

const PUSHES = defineQuery('accepted pushes', {
  ...texts('batchId', 'keyLast4', 'requestId'),
  kind: textOf<PushKind>(),
  at: Type.Number(),
  accepted: Type.Number(),
  rejected: Type.Number(),
  superseded: Type.Number(),
  ms: Type.Number(),
});

function pushesQuery(
  { shopId, kind, receipt }: PushFilter,
  span: Span,
  after: PushPlace | undefined,
  limit: number,
): Query<ListedPush> {
  const at = 'fromUnixTimestamp64Milli({at:Int64})';
  const conditions = [
    'shop_id = {shop:String} AND kind IN {kinds:Array(String)} AND accepted > 0',
    'received_at BETWEEN fromUnixTimestamp64Milli({from:Int64}) AND fromUnixTimestamp64Milli({to:Int64})',
    ...(receipt === undefined ? [] : ['batch_id = {receipt:String}']),
    ...(after === undefined ? [] : [`(received_at < ${at} OR received_at = ${at} AND batch_id > {batch:String})`]),
  ];
  // A push that was written twice has two rows until they are merged.
  return PUSHES(
    `SELECT ${millisOf('received_at')} AS at, batch_id AS batchId, kind, key_last4 AS keyLast4, accepted, rejected, superseded,
      request_id AS requestId, ms
    FROM ingest_log WHERE ${conditions.join('\n      AND ')}
    ORDER BY received_at DESC, batch_id LIMIT 1 BY received_at, batch_id LIMIT {limit:UInt32}`,
    {
      shop: shopId,
      kinds: kind === undefined ? [...PUSH_KINDS] : [kind],
      ...span,
      limit,
      ...(receipt !== undefined && { receipt: receipt.batchId }),
      ...(after !== undefined && { at: after.at, batch: after.batchId }),
    },
  );
}

export function createPushList(warehouse: Warehouse, now: () => number): ListPushes {
  return async (filter, after, limit) => {
    const found: ListedPush[] = [];
    // Clocks of processes differ by moments.
    const span = filter.receipt === undefined ? { from: 0, to: now() + HOUR_MS } : logged(filter.receipt);
    const first = Math.max(span.from, now() - KEPT_MS);
    let last = Math.min(span.to, after?.at ?? Infinity);
    // In parts that grow: a page of a busy shop reads some hours, that of a quiet one all.
    for (let hours = 4; last >= first && found.length < limit; hours *= 8) {
      const from = Math.max(first, last - hours * HOUR_MS);
      found.push(...(await warehouse.ask(pushesQuery(filter, { from, to: last }, after, limit - found.length))));
      last = from - 1;
    }
    return found;
  };
}

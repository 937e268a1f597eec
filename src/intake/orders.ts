import { randomUUID } from 'node:crypto';
import { countErrors, type IngestHeader } from '../domain/ingest.js';
import { checkOrderRules } from '../domain/order-rules.js';
import { orderVersion, type OrderInput } from '../domain/orders.js';
import type { SourceRecord } from '../domain/source.js';
import { localDayIn } from '../domain/time.js';
import type { ErrorDetail } from '../errors.js';
import { unavailable } from '../errors.js';
import { jobKey, packSegments, type OrdersJob } from '../queue/jobs.js';
import type { Producer } from '../queue/producer.js';
import type { SourceRegistry } from '../registry/sources.js';
import { orderValidator, type OrderBatchResult, type OrderResult } from '../schemas/orders.js';
import type { OrderVersions, Reservation, VersionClaim } from '../state/order-versions.js';
import { encodeOrders, type NewestVersions, type StampedOrder } from '../warehouse/orders.js';

export interface OrderIntakeDeps {
  sources: SourceRegistry;
  versions: OrderVersions;
  newestVersions: NewestVersions;
  producer: Producer;
  now: () => number;
}

/**
 * Takes one push of orders: checks every item, decides its outcome against all earlier pushes (also those still in the
 * queue, and those of the same batch), and puts what is accepted into the durable queue. Resolves only once it is there.
 * Throws `source_not_registered` and `queue_unavailable`; with `validateOnly` nothing is stored.
 */
export type TakeOrders = (
  shopId: string,
  items: readonly unknown[],
  options: { validateOnly: boolean },
) => Promise<OrderBatchResult>;

/** A source that is edited again and again while one push is decided; the client may simply send it again. */
const MAX_ATTEMPTS = 5;

export function createOrderIntake(deps: OrderIntakeDeps): TakeOrders {
  const { sources, versions, newestVersions, producer, now } = deps;

  return async (shopId, items, { validateOnly }) => {
    const batchId = randomUUID();
    let fresh = false;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const source = await sources.require(shopId, { fresh });
      const checked = checkItems(items, source, now());
      const valid = checked.flatMap((item) => (item.order === undefined ? [] : [item.order]));
      const reservation = await reserve(source, batchId, valid, validateOnly);
      if (reservation.kind !== 'reserved') {
        fresh = true;
        continue;
      }
      const { accepted, stamp } = reservation;
      const stamped: StampedOrder[] = valid.flatMap((order, i) =>
        accepted[i] === true ? [{ order, stamp: stamp + i }] : [],
      );
      const result = toResult(checked, accepted);
      if (!validateOnly) await enqueue(source, batchId, result, stamped);
      return result;
    }
    throw unavailable('store_unavailable', 'The source was being edited; send the request again.');
  };

  async function reserve(
    source: SourceRecord,
    batchId: string,
    orders: readonly OrderInput[],
    dryRun: boolean,
  ): Promise<Reservation> {
    if (orders.length === 0) return { kind: 'reserved', accepted: [], stamp: 0, lockedSource: false };
    const claims: VersionClaim[] = orders.map((order) => ({ orderId: order.order_id, updatedAt: orderVersion(order) }));
    const { shopId, revision: sourceRevision } = source;
    const request = { shopId, batchId, jobKey: jobKey('orders', batchId), sourceRevision, nowMs: now(), dryRun };
    try {
      const first = await versions.reserve({ ...request, claims });
      if (first.kind !== 'unknown') return first;
      const unknown = [...new Set(first.indexes.flatMap((i) => claims[i]?.orderId ?? []))];
      // With the warehouse away the outcome is decided on what Redis knows; the warehouse settles on the newest later.
      const stored = await newestVersions(shopId, unknown).catch(() => new Map<string, number>());
      return await versions.reserve({
        ...request,
        claims: claims.map((claim) => ({ ...claim, stored: stored.get(claim.orderId) ?? null })),
      });
    } catch (error) {
      throw unavailable(
        'queue_unavailable',
        'The queue is out of reach; nothing was taken. Send the request again.',
        error,
      );
    }
  }

  async function enqueue(
    source: SourceRecord,
    batchId: string,
    result: OrderBatchResult,
    stamped: readonly StampedOrder[],
  ): Promise<void> {
    const header: IngestHeader = {
      shop_id: source.shopId,
      kind: 'orders',
      batch_id: batchId,
      received_at: now(),
      accepted: result.accepted,
      rejected: result.rejected,
      superseded: result.superseded,
      errors: countErrors(result.results.map((item) => item.errors ?? [])),
    };
    const rows = encodeOrders(source.shopId, stamped, localDayIn(source.timezone));
    const job: OrdersJob = {
      schema: 1,
      header,
      order_ids: [...new Set(stamped.map(({ order }) => order.order_id))],
      rows: packSegments([rows.orders, rows.orderDays]),
    };
    try {
      await producer.add('orders', batchId, job);
    } catch (error) {
      await versions.release(batchId, now()).catch(() => undefined); // else the sweep ends it
      throw error;
    }
  }
}

/** Faults that are told of one item, and of a batch; past them every item that is at fault is told one. */
const ITEM_FAULTS = 1_000;
const BATCH_FAULTS = 50_000;

interface CheckedItem {
  orderId: string | null;
  order?: OrderInput;
  errors: ErrorDetail[];
}

function checkItems(items: readonly unknown[], source: SourceRecord, nowMs: number): CheckedItem[] {
  const context = { currency: source.currency, nowMicros: nowMs * 1000 };
  let left = BATCH_FAULTS;
  return items.map((item) => {
    const limit = Math.max(1, Math.min(left, ITEM_FAULTS));
    const errors = [...orderValidator.check(item, limit), ...checkOrderRules(item, context)].slice(0, limit);
    left -= errors.length;
    const orderId = (item as { order_id?: unknown } | null)?.order_id;
    return {
      orderId: typeof orderId === 'string' ? orderId : null,
      errors,
      ...(errors.length === 0 && { order: item as OrderInput }),
    };
  });
}

function toResult(checked: readonly CheckedItem[], accepted: readonly boolean[]): OrderBatchResult {
  let index = 0;
  const results = checked.map(({ orderId, order, errors }): OrderResult => {
    if (order === undefined) return { order_id: orderId, outcome: 'rejected', errors };
    return { order_id: orderId, outcome: accepted[index++] === true ? 'accepted' : 'superseded' };
  });
  const count = (outcome: string): number => results.filter((result) => result.outcome === outcome).length;
  return { accepted: count('accepted'), rejected: count('rejected'), superseded: count('superseded'), results };
}

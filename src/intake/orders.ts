import { randomUUID } from 'node:crypto';
import { countErrors, type IngestHeader } from '../domain/ingest.js';
import { checkOrderRules, type OrderRuleContext } from '../domain/order-rules.js';
import { orderVersion, type OrderInput } from '../domain/orders.js';
import type { SourceRecord } from '../domain/source.js';
import { localDayIn } from '../domain/time.js';
import type { ErrorDetail } from '../errors.js';
import { unavailable } from '../errors.js';
import { jobKey, packSegments, type NewJob, type OrdersJob } from '../queue/jobs.js';
import type { Producer } from '../queue/producer.js';
import type { SourceRegistry } from '../registry/sources.js';
import { orderValidator, type OrderBatchResult, type OrderResult } from '../schemas/orders.js';
import type { OrderVersions, Reservation, VersionClaim } from '../state/order-versions.js';
import { createOrderEncoder, type NewestVersions, type OrderEncoder } from '../warehouse/orders.js';

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
 * Throws `source_not_registered` and `queue_unavailable`, and what `read` throws; with `validateOnly` nothing is stored.
 *
 * `read` gives the items, again when the push has to be checked anew: kept over the waits for Redis, the parsed items of
 * all requests under way would be the better part of the process's memory.
 */
export type TakeOrders = (
  shopId: string,
  read: () => readonly unknown[],
  options: { validateOnly: boolean },
) => Promise<OrderBatchResult>;

/** Encoders that are kept for the next pushes, and how large they may have grown. */
const MOST_ENCODERS = 16;
const MOST_ENCODER_BYTES = 512 * 1024;

/** A source that is edited again and again while one push is decided; the client may simply send it again. */
const MAX_ATTEMPTS = 5;

export function createOrderIntake(deps: OrderIntakeDeps): TakeOrders {
  const { sources, versions, newestVersions, producer, now } = deps;
  const encoders: OrderEncoder[] = [];

  return async (shopId, read, { validateOnly }) => {
    const batchId = randomUUID();
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const encoder = encoders.pop() ?? createOrderEncoder();
      try {
        const push = await prepare(shopId, read, encoder, { fresh: attempt > 0 });
        const reservation = await reserve(push, batchId, validateOnly);
        if (reservation.kind !== 'reserved') continue;
        const result = toResult(push.checked, reservation.accepted);
        if (!validateOnly) await enqueue(push, encoder, batchId, result, reservation);
        return result;
      } finally {
        if (encoders.length < MOST_ENCODERS && encoder.size() <= MOST_ENCODER_BYTES) encoders.push(encoder);
      }
    }
    throw unavailable('store_unavailable', 'The source was being edited; send the request again.');
  };

  async function prepare(
    shopId: string,
    read: () => readonly unknown[],
    encoder: OrderEncoder,
    options: { fresh: boolean },
  ): Promise<Push> {
    const items = read();
    const source = await sources.require(shopId, options);
    const orders: OrderInput[] = [];
    const checked = checkItems(items, source, now(), orders);
    // The currency may have been changed through another process or thread.
    const isDoubtful = checked.some(({ errors }) => errors.some(({ code }) => code === 'currency_mismatch'));
    if (isDoubtful && !options.fresh) return prepare(shopId, read, encoder, { fresh: true });
    encoder.encode(shopId, orders, localDayIn(source.timezone));
    return {
      source,
      checked,
      claims: orders.map((order) => ({ orderId: order.order_id, updatedAt: orderVersion(order) })),
    };
  }

  async function reserve({ source, claims }: Push, batchId: string, dryRun: boolean): Promise<Reservation> {
    if (claims.length === 0) return { kind: 'reserved', accepted: [], stamp: 0, lockedSource: false };
    const { shopId, revision: sourceRevision } = source;
    const request = { shopId, batchId, jobKey: jobKey('orders', batchId), sourceRevision, nowMs: now(), dryRun };
    try {
      const first = await versions.reserve({ ...request, claims });
      if (first.kind !== 'unknown') return first;
      const unknown = new Set(first.indexes.flatMap((i) => claims[i]?.orderId ?? []));
      // With the warehouse away the outcome is decided on what Redis knows; the warehouse settles on the newest later.
      const stored = await newestVersions(shopId, [...unknown]).catch(() => new Map<string, number>());
      const lookedUp = ({ orderId }: VersionClaim) => unknown.has(orderId) && { stored: stored.get(orderId) ?? null };
      return await versions.reserve({ ...request, claims: claims.map((claim) => ({ ...claim, ...lookedUp(claim) })) });
    } catch (error) {
      throw unavailable(
        'queue_unavailable',
        'The queue is out of reach; nothing was taken. Send the request again.',
        error,
      );
    }
  }

  async function enqueue(
    { source, checked, claims }: Push,
    encoder: OrderEncoder,
    batchId: string,
    { accepted, rejected, superseded }: OrderBatchResult,
    reservation: Reservation & { kind: 'reserved' },
  ): Promise<void> {
    const header: IngestHeader = {
      shop_id: source.shopId,
      kind: 'orders',
      batch_id: batchId,
      received_at: now(),
      accepted,
      rejected,
      superseded,
      errors: countErrors(checked.map(({ errors }) => errors)),
    };
    const rows = encoder.rows(reservation.accepted, reservation.stamp);
    const taken = claims.filter((_, i) => reservation.accepted[i] === true);
    const job: NewJob<OrdersJob> = {
      schema: 1,
      header,
      order_ids: [...new Set(taken.map(({ orderId }) => orderId))],
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
  /** None on a valid item. */
  errors: readonly ErrorDetail[];
}

/** A push that was checked and encoded; of its parsed items nothing is left. */
interface Push {
  source: SourceRecord;
  checked: readonly CheckedItem[];
  /** Of the valid items, in their order. */
  claims: readonly VersionClaim[];
}

/** Checks all items and adds the valid ones to `valid`. */
function checkItems(
  items: readonly unknown[],
  source: SourceRecord,
  nowMs: number,
  valid: OrderInput[],
): CheckedItem[] {
  const context = { currency: source.currency, nowMicros: nowMs * 1000 };
  let left = BATCH_FAULTS;
  return items.map((item) => {
    const limit = Math.max(1, Math.min(left, ITEM_FAULTS));
    const errors = faultsOf(item, context, limit);
    left -= errors.length;
    if (errors.length === 0) valid.push(item as OrderInput);
    const orderId = (item as { order_id?: unknown } | null)?.order_id;
    return { orderId: typeof orderId === 'string' ? orderId : null, errors };
  });
}

function faultsOf(item: unknown, context: OrderRuleContext, limit: number): readonly ErrorDetail[] {
  const ofForm = orderValidator.check(item, limit);
  const ofRules = checkOrderRules(item, context);
  return ofForm.length === 0 && ofRules.length <= limit ? ofRules : [...ofForm, ...ofRules].slice(0, limit);
}

function toResult(checked: readonly CheckedItem[], accepted: readonly boolean[]): OrderBatchResult {
  const counts = { accepted: 0, rejected: 0, superseded: 0 };
  let valid = 0;
  const results = checked.map(({ orderId, errors }): OrderResult => {
    if (errors.length > 0) {
      counts.rejected++;
      return { order_id: orderId, outcome: 'rejected', errors };
    }
    const outcome = accepted[valid++] === true ? 'accepted' : 'superseded';
    counts[outcome]++;
    return { order_id: orderId, outcome };
  });
  return { ...counts, results };
}

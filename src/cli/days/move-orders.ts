import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stores } from '../../composition/stores.js';
import type { IngestHeader } from '../../domain/ingest.js';
import { inChunks } from '../../domain/in-chunks.js';
import { micros, OCCASION, STAMPS_OF_ORDER } from '../../domain/orders/orders.js';
import { batchId as newBatchId, type Receipt } from '../../domain/receipts.js';
import type { SourceRecord } from '../../domain/source.js';
import { formatDay, type LocalDay } from '../../domain/time.js';
import { localDayIn } from '../../domain/zones/local-day.js';
import { JOB_SCHEMA, jobKey, type GroupJob, type NewJob, type OrdersPush } from '../../queue/jobs.js';
import type { Producer } from '../../queue/producer.js';
import { packParts } from '../../queue/segments.js';
import type { Receipts } from '../../redis/receipts.js';
import { isDeadJob, reservationsOf, stillReserved } from '../../redis/reservations.js';
import type { Warehouse } from '../../warehouse/client.js';
import { createOrderEncoder, ORDER_DAYS_HEAD, ORDERS_HEAD, type OrderEncoder } from '../../warehouse/columns/orders.js';
import type { StoredOrder } from '../../warehouse/columns/stored-order.js';
import { copyCredits } from '../../warehouse/queries/clock-moves.js';
import { newestOrders } from '../../warehouse/queries/order-detail.js';

export interface MoverDeps {
  redis: Stores['redis'];
  /** The shard of the shop. */
  warehouse: Warehouse;
  producer: Pick<Producer, 'add'>;
  /** Of the queue of orders. */
  receipts: Receipts;
  now: () => number;
  signal: AbortSignal;
}

export interface Moved {
  moved: number;
  /** Orders that wait in jobs that failed for good: what these hold must not lose to what is stored. */
  left: number;
  /** Ids that did not fit into the push. */
  rest: string[];
  /** Of the push; null: nothing was to be moved any more. */
  receipt: Receipt | null;
}

/** Orders that are read at once: each may have thousands of lines. */
const READ_ORDERS = 50;
/** A push takes no further orders beyond these bytes of rows. */
const PUSH_BYTES = 4 * 1024 * 1024;
const POLL_MS = 50;
const STANDSTILL_MS = 10 * 60_000;

/**
 * Writes stored orders again on the days of now, as a push through the queue, and resolves when it is stored. Each keeps its
 * `updated_at`, so that the stale guard decides as before, and gets a new arrival stamp. What was pushed before the stamps were
 * taken is waited for and read; what is pushed later has a later stamp and wins.
 */
export function createMover(deps: MoverDeps, source: SourceRecord): (orderIds: readonly string[]) => Promise<Moved> {
  const { redis, warehouse, producer, receipts, now, signal } = deps;
  const { shopId, timezone } = source;
  const encoder = createOrderEncoder();
  const localDay = localDayIn(timezone);

  /** Waits until no earlier push is under way; gives the orders of those that failed for good. */
  const untilEarlierStored = async (): Promise<Set<string>> => {
    const dead = new Set<string>();
    let open = await reservationsOf(redis, shopId);
    for (let since = Date.now(); open.length > 0;) {
      const left: typeof open = [];
      for (const push of await stillReserved(redis, open)) {
        if (await isDeadJob(redis, push.jobKey)) for (const id of push.orderIds) dead.add(id);
        else left.push(push);
      }
      if (left.length < open.length) since = Date.now();
      if (Date.now() - since > STANDSTILL_MS)
        throw new Error(`pushes of ${shopId} are not stored for ten minutes: do the workers run?`);
      open = left;
      if (open.length > 0) await sleep(POLL_MS, undefined, { signal });
    }
    return dead;
  };

  return async (orderIds) => {
    signal.throwIfAborted();
    const jobId = randomUUID();
    const receipt: Receipt = { batchId: newBatchId(now(), randomUUID()), madeAt: now() };
    const push = { shopId, batchId: receipt.batchId, jobKey: jobKey('orders', jobId) };
    const first = await receipts.open({ ...push, count: STAMPS_OF_ORDER * orderIds.length });
    const dead = await untilEarlierStored();
    const wanted = orderIds.filter((id) => !dead.has(id));
    const { orders, rest } = await encodeMisdated(warehouse, { shopId, localDay, encoder, first }, wanted);
    const left = orderIds.length - wanted.length;
    if (orders.length === 0) return { moved: 0, left, rest, receipt: null };
    await copyCredits(warehouse, shopId, creditsOf(orders, localDay));
    const header: IngestHeader = {
      shop_id: shopId,
      kind: 'orders',
      batch_id: receipt.batchId,
      received_at: now(),
      accepted: orders.length,
      rejected: 0,
      superseded: 0,
      errors: [],
    };
    const rows = encoder.rows(
      orders.map(() => true),
      first,
      () => OCCASION.clock,
    );
    const last = first + STAMPS_OF_ORDER * (orders.length - 1);
    const job: NewJob<GroupJob<OrdersPush>> = {
      schema: JOB_SCHEMA,
      pushes: [
        {
          header,
          order_ids: orders.map(({ order_id }) => order_id),
          checkouts: [...new Set(orders.flatMap(({ checkout_token }) => checkout_token ?? []))],
          clock_move: { first_stamp: first, last_stamp: last },
          bytes: [rows.orders.length, rows.orderDays.length],
        },
      ],
      rows: await packParts([[ORDERS_HEAD], [rows.orders], [ORDER_DAYS_HEAD], [rows.orderDays]]),
    };
    await producer.add('orders', jobId, job);
    await untilStored(receipts, push, signal);
    return { moved: orders.length, left, rest, receipt };
  };
}

/** Encodes those of the orders that are still misdated and not newer than the stamps, as many as fit. */
async function encodeMisdated(
  warehouse: Warehouse,
  { shopId, localDay, encoder, first }: { shopId: string; localDay: LocalDay; encoder: OrderEncoder; first: number },
  orderIds: readonly string[],
): Promise<{ orders: StoredOrder[]; rest: string[] }> {
  const orders: StoredOrder[] = [];
  encoder.begin(shopId, localDay);
  for (const chunk of inChunks(orderIds, READ_ORDERS)) {
    if (encoder.size() > PUSH_BYTES) return { orders, rest: orderIds.slice(orderIds.indexOf(chunk[0] ?? '')) };
    for (const order of await newestOrders(warehouse, shopId, chunk)) {
      if (order.deleted || order.received_at >= first || !isMisdated(order, localDay)) continue;
      encoder.add(order, order.version);
      orders.push(order);
    }
  }
  return { orders, rest: [] };
}

function isMisdated({ placed_at, day, refunds }: StoredOrder, localDay: LocalDay): boolean {
  return (
    localDay(micros(placed_at)) !== day || refunds.some((refund) => localDay(micros(refund.refunded_at)) !== refund.day)
  );
}

const creditsOf = (orders: readonly StoredOrder[], localDay: LocalDay) =>
  orders.flatMap(({ order_id: orderId, day, placed_at }) => {
    const [from, to] = [formatDay(day), formatDay(localDay(micros(placed_at)))];
    return from === to ? [] : { orderId, from, to };
  });

async function untilStored(
  receipts: Receipts,
  push: { shopId: string; batchId: string },
  signal: AbortSignal,
): Promise<void> {
  for (const since = Date.now(); ;) {
    const { kind } = await receipts.find(push);
    if (kind !== 'queued') return;
    if (Date.now() - since > STANDSTILL_MS)
      throw new Error(`the orders of ${push.shopId} have been in the queue for ten minutes: do the workers run?`);
    await sleep(POLL_MS, undefined, { signal });
  }
}

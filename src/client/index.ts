import type { Order, OrderBatchResult } from '../schemas/orders.js';
import { fieldOf, ProfitNotFreshError, wrongAnswer } from './errors.js';
import { createSend, pause, type SendOptions } from './send.js';

export { ProfitApiError, ProfitNotFreshError, ProfitUnavailableError, type Fault } from './errors.js';
export type { ClientOptions } from './send.js';

/** What became of orders, however many pushes they were; the results are in the order of the orders. */
export type PushResult = OrderBatchResult;

/** Talks to one service with one key. */
export interface Client {
  /**
   * Pushes any number of orders, in batches. A rejected order is in the results and no error.
   *
   * @throws ProfitApiError, ProfitUnavailableError
   */
  pushOrders(orders: readonly Order[]): Promise<PushResult>;
  /**
   * Waits until all figures contain the push of a receipt, and every push of the shop before it.
   *
   * @throws ProfitNotFreshError after `timeoutMs` (default 300,000); ProfitApiError, ProfitUnavailableError
   */
  wait(receipt: string, options?: WaitOptions): Promise<void>;
  /**
   * Deletes an order; the receipt of that. An order that came by a newer push brings it back.
   *
   * @throws ProfitApiError with status 404 where there is no such order; ProfitUnavailableError
   */
  deleteOrder(orderId: string): Promise<{ receipt: string }>;
  /**
   * Any other request of the API; the body of its answer, or `{ receipt }` of one that has a receipt alone. JSON that is encoded already may be given as bytes.
   *
   * @throws ProfitApiError, ProfitUnavailableError
   */
  request(method: string, path: string, body?: unknown): Promise<unknown>;
}

export interface WaitOptions {
  /** How long to wait at most, in milliseconds. */
  timeoutMs?: number;
}

const MAX_ORDERS = 250;
const MAX_BYTES = 3_500_000;
const POLL_MS = 1_000;

export function createClient(options: SendOptions): Client {
  const send = createSend(options);
  return {
    request: (method, path, body) => send(method, path, body),
    async deleteOrder(orderId) {
      const receipt = fieldOf(await send('DELETE', `/v1/orders/${encodeURIComponent(orderId)}`), 'receipt');
      if (typeof receipt !== 'string') throw wrongAnswer('DELETE /v1/orders');
      return { receipt };
    },
    async wait(receipt, { timeoutMs = 300_000 } = {}) {
      const until = performance.now() + timeoutMs;
      const path = `/v1/ingest/pushes?receipt=${encodeURIComponent(receipt)}`;
      for (;;) {
        const left = until - performance.now();
        const daysLeft = daysLeftOf(await send('GET', path, undefined, until));
        if (daysLeft === 0) return;
        if (left <= POLL_MS) throw new ProfitNotFreshError(receipt, daysLeft);
        await pause(POLL_MS, options.signal);
      }
    },
    async pushOrders(orders) {
      const all: PushResult = {
        accepted: 0,
        rejected: 0,
        superseded: 0,
        results: [],
      };
      for (const batch of batchesOf(orders)) {
        const answer = await send('POST', '/v1/orders', { orders: batch });
        if (!isResult(answer, batch.length)) throw wrongAnswer('POST /v1/orders');
        all.accepted += answer.accepted;
        all.rejected += answer.rejected;
        all.superseded += answer.superseded;
        all.results.push(...answer.results);
        if (answer.receipt !== undefined) all.receipt = answer.receipt;
      }
      return all;
    },
  };
}

/** Days of which some figures do not contain the push yet; null while it or an earlier one is queued. */
function daysLeftOf(answer: unknown): number | null {
  const daysLeft = fieldOf(answer, 'days_left');
  if (daysLeft === null || typeof daysLeft === 'number') return daysLeft;
  throw wrongAnswer('GET /v1/ingest/pushes');
}

function* batchesOf(orders: readonly Order[]): Generator<Order[]> {
  let batch: Order[] = [];
  let bytes = 0;
  for (const order of orders) {
    const size = new TextEncoder().encode(JSON.stringify(order)).length + 1;
    if (batch.length === MAX_ORDERS || (batch.length > 0 && bytes + size > MAX_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(order);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

function isResult(answer: unknown, count: number): answer is PushResult {
  const results = fieldOf(answer, 'results');
  return Array.isArray(results) && results.length === count && typeof fieldOf(answer, 'accepted') === 'number';
}

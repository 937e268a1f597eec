import type { Order, OrderBatchResult } from '../schemas/orders.js';
import { fieldOf, ProfitApiError } from './errors.js';
import { createSend, type ClientOptions } from './send.js';

export { ProfitApiError, ProfitUnavailableError, type Fault } from './errors.js';
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
   * Any other request of the API; the body of its answer.
   *
   * @throws ProfitApiError, ProfitUnavailableError
   */
  request(method: string, path: string, body?: unknown): Promise<unknown>;
}

const MAX_ORDERS = 250;
const MAX_BYTES = 3_500_000;

export function createClient(options: ClientOptions): Client {
  const send = createSend(options);
  return {
    request: send,
    async pushOrders(orders) {
      const all: PushResult = {
        accepted: 0,
        rejected: 0,
        superseded: 0,
        results: [],
      };
      for (const batch of batchesOf(orders)) {
        const answer = await send('POST', '/v1/orders', { orders: batch });
        if (!isResult(answer, batch.length)) {
          throw new ProfitApiError('The answer is not one of POST /v1/orders; is the url right?', 200, [], undefined);
        }
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

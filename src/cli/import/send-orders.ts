import { fieldsOf } from '../../domain/fields.js';
import { apiError, errorsOf, type ApiAnswer, type ApiClient, type ServiceError } from './api-client.js';
import type { OrderLine, RejectedLine } from './order-lines.js';
import type { Patience } from './patience.js';

/** What became of the orders of a batch. */
export interface SentOrders {
  accepted: number;
  superseded: number;
  rejected: RejectedLine[];
  /** Of the push; of one that was sent in parts the last. */
  receipt?: string;
}

export interface SendTarget {
  client: ApiClient;
  patience: Patience;
  /** The orders were read from a platform, whose `updated_at` have whole seconds. */
  wholeSeconds: boolean;
}

const OPENING = Buffer.from('{"orders":[');
const COMMA = Buffer.from(',');
const CLOSING = Buffer.from(']}');

/**
 * Sends orders as one batch. When the service refuses the request as a whole (400, 413), its halves are sent, down to
 * the single order that is at fault, which is then rejected with the service's errors.
 *
 * @throws ApiError for an answer that no order is at fault for (401, 403, 404, 409, …), OutOfPatienceError
 */
export async function sendOrders(target: SendTarget, orders: OrderLine[]): Promise<SentOrders> {
  if (orders.length === 0) return { accepted: 0, superseded: 0, rejected: [] };
  const { client, patience } = target;
  const bytes = Buffer.concat([OPENING, ...orders.flatMap((order) => [order.bytes, COMMA]).slice(0, -1), CLOSING]);
  const path = target.wholeSeconds ? '/v1/orders?whole_seconds=1' : '/v1/orders';
  const answer = await patience.send(() => client.request('POST', path, { bytes }));

  if (answer.status === 200) return settle(answer, orders);
  const errors = errorsOf(answer);
  const orderAtFault = answer.status === 413 || (answer.status === 400 && errors.length > 0);
  if (!orderAtFault) throw apiError(answer, 'POST /v1/orders');
  const [first] = orders;
  if (first && orders.length === 1) {
    const said = errors.length > 0 ? errors : [{ code: 'body_too_large', message: 'The order is too large to send.' }];
    return { accepted: 0, superseded: 0, rejected: [rejection(first, said)] };
  }
  const middle = orders.length >> 1;
  const head = await sendOrders(target, orders.slice(0, middle));
  const tail = await sendOrders(target, orders.slice(middle));
  return {
    accepted: head.accepted + tail.accepted,
    superseded: head.superseded + tail.superseded,
    rejected: [...head.rejected, ...tail.rejected],
    ...receiptIn(tail.receipt ?? head.receipt),
  };
}

function settle(answer: ApiAnswer, orders: OrderLine[]): SentOrders {
  const { receipt } = fieldsOf(answer.body);
  const sent: SentOrders = { accepted: 0, superseded: 0, rejected: [], ...receiptIn(receipt) };
  const results = resultsOf(answer.body);
  if (results?.length !== orders.length) throw apiError(answer, 'POST /v1/orders');
  for (const [index, order] of orders.entries()) {
    const result = results[index];
    if (result?.outcome === 'accepted') sent.accepted++;
    else if (result?.outcome === 'superseded') sent.superseded++;
    else if (result?.outcome === 'rejected') sent.rejected.push(rejection(order, result.errors ?? [], result.order_id));
    else throw apiError(answer, 'POST /v1/orders');
  }
  return sent;
}

function receiptIn(receipt: unknown): { receipt?: string } {
  return typeof receipt === 'string' ? { receipt } : {};
}

interface OrderResult {
  order_id?: string | null;
  outcome?: string;
  errors?: ServiceError[];
}

function resultsOf(body: unknown): (OrderResult | undefined)[] | undefined {
  if (typeof body !== 'object' || body === null || !('results' in body) || !Array.isArray(body.results))
    return undefined;
  return body.results as (OrderResult | undefined)[];
}

function rejection(order: OrderLine, errors: ServiceError[], orderId?: string | null): RejectedLine {
  return { line: order.line, orderId: orderId ?? idIn(order.bytes), errors, order: order.bytes.toString() };
}

function idIn(bytes: Buffer): string | null {
  const order: unknown = JSON.parse(bytes.toString());
  if (typeof order !== 'object' || order === null || !('order_id' in order)) return null;
  return typeof order.order_id === 'string' ? order.order_id : null;
}

import { faultsIn, wrongAnswer } from '../../client/errors.js';
import { ProfitApiError, type Client, type Fault } from '../../client/index.js';
import { fieldsOf } from '../../domain/fields.js';
import type { OrderLine, RejectedLine } from './order-lines.js';

/** What became of the orders of a batch. */
export interface SentOrders {
  accepted: number;
  superseded: number;
  rejected: RejectedLine[];
  /** Of the push; of one that was sent in parts the last. */
  receipt?: string;
}

const OPENING = Buffer.from('{"orders":[');
const COMMA = Buffer.from(',');
const CLOSING = Buffer.from(']}');

/**
 * Sends orders as one batch. When the service refuses the request as a whole (400, 413), its halves are sent, down to
 * the single order that is at fault, which is then rejected with the service's errors.
 *
 * @throws ProfitApiError for an answer that no order is at fault for (401, 403, 404, 409, …), ProfitUnavailableError
 */
export async function sendOrders(client: Client, path: string, orders: OrderLine[]): Promise<SentOrders> {
  if (orders.length === 0) return { accepted: 0, superseded: 0, rejected: [] };
  const bytes = Buffer.concat([OPENING, ...orders.flatMap((order) => [order.bytes, COMMA]).slice(0, -1), CLOSING]);
  const answer = await client.request('POST', path, bytes).catch(refusalOf);
  if (!(answer instanceof ProfitApiError)) return settle(answer, orders);
  const [first] = orders;
  if (first && orders.length === 1) {
    const tooLarge = [{ code: 'body_too_large', message: 'The order is too large to send.' }];
    const errors = answer.errors.length > 0 ? answer.errors : tooLarge;
    return { accepted: 0, superseded: 0, rejected: [rejection(first, errors, undefined)] };
  }
  const middle = orders.length >> 1;
  const head = await sendOrders(client, path, orders.slice(0, middle));
  const tail = await sendOrders(client, path, orders.slice(middle));
  return {
    accepted: head.accepted + tail.accepted,
    superseded: head.superseded + tail.superseded,
    rejected: [...head.rejected, ...tail.rejected],
    ...receiptIn(tail.receipt ?? head.receipt),
  };
}

/** An answer for which an order is at fault; throws any other error. */
function refusalOf(error: unknown): ProfitApiError {
  if (!(error instanceof ProfitApiError)) throw error;
  if (error.status === 413 || (error.status === 400 && error.errors.length > 0)) return error;
  throw error;
}

function settle(answer: unknown, orders: OrderLine[]): SentOrders {
  const { results, receipt } = fieldsOf(answer);
  const sent: SentOrders = { accepted: 0, superseded: 0, rejected: [], ...receiptIn(receipt) };
  if (!Array.isArray(results) || results.length !== orders.length) throw wrongAnswer('POST /v1/orders');
  for (const [index, order] of orders.entries()) {
    const { outcome, order_id: orderId } = fieldsOf(results[index]);
    if (outcome === 'accepted') sent.accepted++;
    else if (outcome === 'superseded') sent.superseded++;
    else if (outcome === 'rejected') sent.rejected.push(rejection(order, faultsIn(results[index]), orderId));
    else throw wrongAnswer('POST /v1/orders');
  }
  return sent;
}

function receiptIn(receipt: unknown): { receipt?: string } {
  return typeof receipt === 'string' ? { receipt } : {};
}

function rejection({ line, bytes }: OrderLine, errors: readonly Fault[], orderId: unknown): RejectedLine {
  const order = bytes.toString();
  const id = orderId ?? fieldsOf(JSON.parse(order)).order_id;
  return { line, orderId: typeof id === 'string' ? id : null, errors, order };
}

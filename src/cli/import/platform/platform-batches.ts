import type { LineBatch, RejectedLine } from '../order-lines.js';
import type { GivenOrder } from './read-orders.js';

/**
 * Cuts the orders of a platform into batches, by number and bytes.
 *
 * @param options `skip` orders, which an earlier run has sent, are left out; a batch has at most `maxOrders` orders, and about
 *   `maxBytes` bytes
 */
export async function* platformBatches(
  orders: AsyncIterable<GivenOrder>,
  options: { maxOrders: number; maxBytes: number; skip: number },
): AsyncGenerator<LineBatch> {
  const { maxOrders, maxBytes } = options;
  let { skip } = options;
  let batch = emptyBatch();
  let batchBytes = 0;
  for await (const order of orders) {
    if (skip > 0) {
      skip--;
      continue;
    }
    const bytes = 'order' in order.conversion ? Buffer.from(JSON.stringify(order.conversion.order)) : undefined;
    const size = bytes?.length ?? 0;
    const isFull = batch.orders.length >= maxOrders || (batch.orders.length > 0 && batchBytes + size > maxBytes);
    if (isFull || batch.held.length >= maxOrders) {
      yield batch;
      batch = emptyBatch();
      batchBytes = 0;
    }
    batch.endLine = order.line;
    if (bytes === undefined) {
      batch.held.push(heldLine(order));
    } else {
      batch.orders.push({ line: order.line, bytes });
      batchBytes += size + 1;
    }
  }
  if (batch.orders.length + batch.held.length > 0) yield batch;
}

function emptyBatch(): LineBatch {
  return { orders: [], rejected: [], held: [], endLine: 0, endOffset: 0 };
}

/** An order that is held back, as its file has it. */
export function heldLine({ line, id, text, conversion }: GivenOrder): RejectedLine {
  const errors = 'hold' in conversion ? [{ ...conversion.hold }] : [];
  return { line, orderId: id ?? null, errors, order: text() };
}

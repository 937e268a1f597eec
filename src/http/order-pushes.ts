import type { Sender } from '../domain/ingest.js';
import type { TakeOrders } from '../ingest/orders.js';
import type { Turns } from '../ingest/turns.js';
import { orderBatchValidator, ORDERS_PER_BATCH, orderValidator } from '../schemas/orders.js';
import { batchForm, readItems } from './middleware/read-items.js';

/** A push of orders whose sender was admitted; nobody has looked into its body yet. */
export interface OrderPush {
  sender: Sender;
  body: Buffer;
  validateOnly: boolean;
}

/**
 * Takes a push; resolves once what was accepted is in the durable queue, with the answer as JSON text. Throws a
 * RequestError for what is refused as a whole.
 */
export type PushOrders = (push: OrderPush) => Promise<string>;

export interface OrderPushDeps {
  takeOrders: TakeOrders;
  turns: Turns;
  /** Throws `queue_unavailable` while the queue is over its budget. */
  requireCapacity: () => void;
}

/** All that happens to a push between its bytes and the answer. */
export function createOrderPushes({ takeOrders, turns, requireCapacity }: OrderPushDeps): PushOrders {
  return async ({ sender, body, validateOnly }) => {
    const turn = await turns.begin(sender.shopId);
    const { items } = await readItems(body, FORM, turn);
    if (!validateOnly) requireCapacity();
    return JSON.stringify(await takeOrders(sender, items, { validateOnly, turn }));
  };
}

const FORM = batchForm('orders', ORDERS_PER_BATCH, { envelope: orderBatchValidator, item: orderValidator });

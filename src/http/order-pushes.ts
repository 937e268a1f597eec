import type { TakeOrders } from '../intake/orders.js';
import { orderBatchValidator } from '../schemas/orders.js';
import { parseJson } from './json.js';
import { requireValid } from './validate.js';

/** A push of orders whose sender was admitted; nobody has looked into its body yet. */
export interface OrderPush {
  shopId: string;
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
  /** Throws `queue_unavailable` while the queue is over its budget. */
  requireCapacity: () => void;
}

/** All that happens to a push between its bytes and the answer. */
export function createOrderPushes({ takeOrders, requireCapacity }: OrderPushDeps): PushOrders {
  return async ({ shopId, body, validateOnly }) => {
    const read = (): readonly unknown[] => {
      const { orders } = requireValid(orderBatchValidator, parseJson(body));
      if (!validateOnly) requireCapacity();
      return orders;
    };
    return JSON.stringify(await takeOrders(shopId, read, { validateOnly }));
  };
}

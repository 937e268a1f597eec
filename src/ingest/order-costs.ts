import { checkOrderCostRules, type OrderCostInput } from '../domain/costs/order-costs.js';
import type { Sender } from '../domain/ingest.js';
import type { Items } from '../body/items.js';
import type { Yielder } from '../body/yielding.js';
import type { OrderCostsPush } from '../queue/jobs.js';
import type { SourceRegistry } from '../repositories/sources.js';
import { orderCostValidator, type OrderCostBatchResult } from '../schemas/order-costs.js';
import { encodeOrderCosts } from '../warehouse/queries/order-costs.js';
import { checkNamed, type QueueDeps, queueItems, resultsOf, suppliedId } from './batch.js';
import { checkBy } from './check.js';

export interface OrderCostIntakeDeps extends QueueDeps<OrderCostsPush> {
  sources: SourceRegistry;
}

/**
 * Takes one push of costs of orders into the durable queue, under stamps that make the newest push of an order's cost win in
 * whatever order the jobs run. Throws `source_not_registered` and `queue_unavailable`.
 */
export type TakeOrderCosts = (sender: Sender, items: Items, yielder: Yielder) => Promise<OrderCostBatchResult>;

export function createOrderCostIntake(deps: OrderCostIntakeDeps): TakeOrderCosts {
  const { sources } = deps;

  return async (sender, items, yielder) => {
    const { shopId } = sender;
    await sources.require(shopId);
    const checked = await checkNamed(items, yielder, KIND);
    const counts = await queueItems({ sender, kind: 'order_costs', checked }, deps, (header, stamped) => {
      const order_ids = [...new Set(stamped.map(({ item }) => item.order_id))];
      return { push: { header, order_ids }, segments: [encodeOrderCosts(shopId, stamped)] };
    });
    return { ...counts, results: resultsOf(checked) };
  };
}

const KIND = {
  check: checkBy(orderCostValidator, checkOrderCostRules),
  idsOf: (value: unknown) => ({ order_id: suppliedId(value, 'order_id') }),
  read: (value: unknown) => value as OrderCostInput,
};

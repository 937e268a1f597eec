import { orderCostWarnings, type NamedOrders } from '../domain/costs/order-cost-warnings.js';
import { checkOrderCostRules, type OrderCostInput } from '../domain/costs/order-costs.js';
import type { Sender } from '../domain/ingest.js';
import type { Items } from '../body/items.js';
import type { Yielder } from '../body/yielding.js';
import type { OrderCostsPush } from '../queue/jobs.js';
import type { OrderVersions } from '../redis/order-versions.js';
import type { SourceRegistry } from '../repositories/sources.js';
import { orderCostValidator, type OrderCostBatchResult } from '../schemas/order-costs.js';
import type { Warehouse } from '../warehouse/client.js';
import { findOrders } from '../warehouse/queries/named-orders.js';
import { encodeOrderCosts } from '../warehouse/queries/order-costs.js';
import { checkNamed, type QueueDeps, queueItems, resultsOf, suppliedId } from './batch.js';
import { checkBy } from './check.js';

export interface OrderCostIntakeDeps extends QueueDeps<OrderCostsPush> {
  sources: SourceRegistry;
  versions: Pick<OrderVersions, 'among'>;
  warehouse: Warehouse;
}

/**
 * Takes one push of costs of orders into the durable queue, under stamps that make the newest push of an order's cost win in
 * whatever order the jobs run, and says which of the orders are not known. Throws `source_not_registered` and `queue_unavailable`.
 */
export type TakeOrderCosts = (sender: Sender, items: Items, yielder: Yielder) => Promise<OrderCostBatchResult>;

/** The push is taken without the answer of a warehouse that is slower. */
const LOOK_UP_MS = 1_500;

export function createOrderCostIntake(deps: OrderCostIntakeDeps): TakeOrderCosts {
  const { sources, versions, warehouse } = deps;

  /** Which orders are meant, and which are not known: neither stored, nor accepted and on their way. Null: it can't be said now. */
  const lookUp = async (shopId: string, orderIds: readonly string[]): Promise<NamedOrders | null> => {
    if (orderIds.length === 0) return { ids: new Map(), unknown: new Set() };
    try {
      const wanted = new Map([[shopId, orderIds]]);
      const stored = (await findOrders(warehouse, wanted, { key: shopId, waitMs: LOOK_UP_MS })).get(shopId);
      const left = orderIds.filter((id) => stored?.get(id) === undefined);
      const onTheirWay = await versions.among(shopId, left);
      return {
        ids: new Map([...(stored ?? [])].map(([text, { orderId }]) => [text, orderId])),
        unknown: new Set(orderIds.filter((id) => stored?.get(id)?.isDeleted ?? !onTheirWay.has(id))),
      };
    } catch {
      // The worker joins what has to be joined.
      return null;
    }
  };

  return async (sender, items, yielder) => {
    const { shopId } = sender;
    await sources.require(shopId);
    const checked = await checkNamed(items, yielder, KIND);
    const orderIds = checked.map(({ item }) => item?.order_id);
    const distinct = [...new Set(orderIds.flatMap((id) => id ?? []))];
    const named = await lookUp(shopId, distinct);
    const counts = await queueItems({ sender, kind: 'order_costs', checked }, deps, (header, stamped) => {
      return { push: { header, order_ids: distinct }, segments: [encodeOrderCosts(shopId, stamped)] };
    });
    const warnings = orderCostWarnings(orderIds, named);
    const results = resultsOf(checked).map((result, i) => {
      const own = warnings[i] ?? [];
      return own.length === 0 ? result : { ...result, warnings: own };
    });
    return { ...counts, ...(named !== null && { orders_unknown: named.unknown.size }), results };
  };
}

const KIND = {
  check: checkBy(orderCostValidator, checkOrderCostRules),
  idsOf: (value: unknown) => ({ order_id: suppliedId(value, 'order_id') }),
  read: (value: unknown) => value as OrderCostInput,
};

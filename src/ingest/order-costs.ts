import { checkOrderCostRules, type OrderCostInput } from '../domain/costs/order-costs.js';
import type { Sender } from '../domain/ingest.js';
import type { ErrorDetail } from '../errors.js';
import type { Items } from '../body/items.js';
import type { Yielder } from '../body/yielding.js';
import type { OrderCostsPush } from '../queue/jobs.js';
import type { Receipts } from '../redis/receipts.js';
import type { SourceRegistry } from '../repositories/sources.js';
import { orderCostValidator, type OrderCostBatchResult } from '../schemas/order-costs.js';
import { encodeOrderCosts } from '../warehouse/queries/order-costs.js';
import { outcomeOf, queueItems, suppliedId, type CheckedItem } from './batch.js';
import { checkItems } from './check.js';
import type { GroupCommit } from './group-commit.js';

export interface OrderCostIntakeDeps {
  sources: SourceRegistry;
  receipts: Pick<Receipts, 'open'>;
  commit: GroupCommit<OrderCostsPush>;
  now: () => number;
}

/**
 * Takes one push of costs of orders into the durable queue, under stamps that make the newest push of an order's cost win in
 * whatever order the jobs run. Throws `source_not_registered` and `queue_unavailable`.
 */
export type TakeOrderCosts = (sender: Sender, items: Items, yielder: Yielder) => Promise<OrderCostBatchResult>;

/** Rejected items are in the answer alone, as those of fee rules are. */
const NO_REJECTIONS = { add: () => undefined, keep: () => Promise.resolve() };

export function createOrderCostIntake(deps: OrderCostIntakeDeps): TakeOrderCosts {
  const { sources } = deps;

  return async (sender, items, yielder) => {
    const { shopId } = sender;
    await sources.require(shopId);
    const checked: CheckedCost[] = [];
    const check = (value: unknown, limit: number): readonly ErrorDetail[] =>
      [...orderCostValidator.check(value, limit), ...checkOrderCostRules(value)].slice(0, limit);
    await checkItems(items, yielder, check, (value, errors) => {
      const orderId = suppliedId(value, 'order_id');
      checked.push(errors.length === 0 ? { orderId, item: value as OrderCostInput, errors } : { orderId, errors });
    });
    const push = { sender, kind: 'order_costs', checked, rejections: NO_REJECTIONS } as const;
    const counts = await queueItems(push, deps, (header, stamped) => {
      const order_ids = [...new Set(stamped.map(({ item }) => item.order_id))];
      return { push: { header, order_ids }, segments: [encodeOrderCosts(shopId, stamped)] };
    });
    return {
      ...counts,
      results: checked.map((cost) => ({ order_id: cost.orderId, ...outcomeOf(cost) })),
    };
  };
}

interface CheckedCost extends CheckedItem<OrderCostInput> {
  orderId: string | null;
}

import { randomUUID } from 'node:crypto';
import { checkProductCostRules, type ProductCostInput } from '../domain/product-costs.js';
import { packSegments, type NewJob, type ProductCostsJob } from '../queue/jobs.js';
import type { Producer } from '../queue/producer.js';
import type { SourceRegistry } from '../registry/sources.js';
import { productCostValidator, type ProductCostBatchResult, type ProductCostResult } from '../schemas/product-costs.js';
import type { TakeStamps } from '../state/stamps.js';
import { encodeProductCosts } from '../warehouse/product-costs.js';
import { countOutcomes, ingestHeader, outcomeOf, stampItems, type CheckedItem } from './batch.js';

export interface ProductCostIntakeDeps {
  sources: SourceRegistry;
  takeStamps: TakeStamps;
  producer: Producer;
  now: () => number;
}

/**
 * Takes one push of unit costs: checks every item and puts what is accepted into the durable queue, under stamps that make
 * the newest push of a key win in whatever order the jobs run. Resolves only once it is queued. Throws
 * `source_not_registered` and `queue_unavailable`.
 */
export type TakeProductCosts = (shopId: string, items: readonly unknown[]) => Promise<ProductCostBatchResult>;

export function createProductCostIntake(deps: ProductCostIntakeDeps): TakeProductCosts {
  const { sources, takeStamps, producer, now } = deps;

  return async (shopId, items) => {
    const { currency } = await sources.require(shopId);
    const checked = items.map((item) => check(item, currency));
    const stamped = await stampItems(checked, takeStamps);
    const batchId = randomUUID();
    const rows = encodeProductCosts(
      shopId,
      stamped.map(({ item, stamp }) => ({ cost: item, stamp })),
      currency,
    );
    const job: NewJob<ProductCostsJob> = {
      schema: 1,
      header: ingestHeader({ shopId, kind: 'product_costs', batchId, nowMs: now() }, checked),
      stamps: { first: stamped[0]?.stamp ?? 0, count: stamped.length },
      rows: packSegments([rows]),
    };
    await producer.add('product-costs', batchId, job);
    return { ...countOutcomes(checked), results: checked.map((item, i) => toResult(items[i], item)) };
  };
}

function check(value: unknown, currency: string): CheckedItem<ProductCostInput> {
  const errors = [...productCostValidator.check(value), ...checkProductCostRules(value, currency)];
  return errors.length === 0 ? { item: value as ProductCostInput, errors } : { errors };
}

function toResult(value: unknown, checked: CheckedItem<unknown>): ProductCostResult {
  const { sku, effective_from } = (value ?? {}) as Record<string, unknown>;
  return {
    sku: typeof sku === 'string' ? sku : null,
    effective_from: typeof effective_from === 'string' ? effective_from : null,
    ...outcomeOf(checked),
  };
}

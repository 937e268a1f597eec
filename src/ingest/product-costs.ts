import { trimBlanks } from '../domain/blanks.js';
import { checkProductCostRules, type ProductCostInput } from '../domain/costs/product-costs.js';
import type { Sender } from '../domain/ingest.js';
import { formatDecimal, sum, ZERO } from '../domain/money.js';
import type { ProductCostsPush } from '../queue/jobs.js';
import type { SourceRegistry } from '../repositories/sources.js';
import {
  productCostValidator,
  type ProductCostBatchResult,
  type ProductCostPreview,
} from '../schemas/product-costs.js';
import type { CostPreview, PreviewCosts } from '../warehouse/queries/cost-preview.js';
import { encodeProductCosts } from '../warehouse/queries/product-costs.js';
import { checkNamed, countOutcomes, type QueueDeps, queueItems, resultsOf, suppliedId, suppliedText } from './batch.js';
import { checkBy } from './check.js';
import type { Items } from '../body/items.js';
import type { OpenRejections } from './rejections.js';
import type { Yielder } from '../body/yielding.js';

export interface ProductCostIntakeDeps extends QueueDeps<ProductCostsPush> {
  sources: SourceRegistry;
  openRejections: OpenRejections;
  previewCosts: PreviewCosts;
}

/**
 * Takes one push of unit costs: checks every item and puts what is accepted into the durable queue, under stamps that make
 * the newest push of a key win in whatever order the jobs run. Resolves only once it is queued. Throws
 * `source_not_registered` and `queue_unavailable`. With `validateOnly` nothing is stored, and the answer says what the push would
 * change; that throws `store_unavailable`.
 */
export type TakeProductCosts = (
  sender: Sender,
  items: Items,
  options: { validateOnly: boolean; yielder: Yielder },
) => Promise<ProductCostBatchResult>;

export function createProductCostIntake(deps: ProductCostIntakeDeps): TakeProductCosts {
  const { sources, openRejections } = deps;

  return async (sender, items, { validateOnly, yielder }) => {
    const { shopId } = sender;
    // Another process may have changed the currency a moment ago.
    const { currency } = await sources.require(shopId, { fresh: true });
    const rejections = openRejections(sender, 'product_costs');
    const checked = await checkNamed(items, yielder, {
      check: checkBy(productCostValidator, (value) => checkProductCostRules(value, currency)),
      idsOf: (value) => ({ sku: suppliedId(value, 'sku'), effective_from: suppliedText(value, 'effective_from') }),
      read: (value) => folded(value as ProductCostInput),
      onRejected: (position, value, errors, { sku }) => rejections.add(position, sku, value, errors),
    });
    const results = resultsOf(checked);
    if (validateOnly) {
      const costs = checked.flatMap(({ item }) => item ?? []);
      const preview = toPreview(costs, await deps.previewCosts(shopId, costs));
      return { ...countOutcomes(checked), preview, results };
    }
    const counts = await queueItems({ sender, kind: 'product_costs', checked, rejections }, deps, (header, items) => {
      const costs = items.map(({ item, stamp }) => ({ cost: item, stamp }));
      const stamps = { first: items[0]?.stamp ?? 0, count: items.length };
      return { push: { header, stamps }, segments: [encodeProductCosts(shopId, costs, currency)] };
    });
    return { ...counts, results };
  };
}

const folded = (cost: ProductCostInput): ProductCostInput => ({ ...cost, sku: trimBlanks(cost.sku) });

/** Each SKU of the push once. */
function toPreview(costs: readonly ProductCostInput[], { days, netProfit }: CostPreview): ProductCostPreview {
  return {
    days,
    net_profit_change: formatDecimal(sum([...netProfit.values()])),
    costs: [...new Set(costs.map(({ sku }) => sku))].map((sku) => ({
      sku,
      net_profit_change: formatDecimal(netProfit.get(sku) ?? ZERO),
    })),
  };
}

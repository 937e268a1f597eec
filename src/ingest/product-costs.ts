import { trimBlanks } from '../domain/blanks.js';
import { checkProductCostRules, type ProductCostInput } from '../domain/costs/product-costs.js';
import type { Sender } from '../domain/ingest.js';
import { formatDecimal, sum, ZERO } from '../domain/money.js';
import type { ErrorDetail } from '../errors.js';
import type { ProductCostsPush } from '../queue/jobs.js';
import type { SourceRegistry } from '../repositories/sources.js';
import {
  productCostValidator,
  type ProductCostBatchResult,
  type ProductCostPreview,
  type ProductCostResult,
} from '../schemas/product-costs.js';
import type { Receipts } from '../redis/receipts.js';
import type { CostPreview, PreviewCosts } from '../warehouse/queries/cost-preview.js';
import { encodeProductCosts } from '../warehouse/queries/product-costs.js';
import { countOutcomes, outcomeOf, queueItems, suppliedId, suppliedText, type CheckedItem } from './batch.js';
import { checkItems } from './check.js';
import type { GroupCommit } from './group-commit.js';
import type { Items } from '../body/items.js';
import type { OpenRejections } from './rejections.js';
import type { Yielder } from '../body/yielding.js';

export interface ProductCostIntakeDeps {
  sources: SourceRegistry;
  receipts: Pick<Receipts, 'open'>;
  commit: GroupCommit<ProductCostsPush>;
  openRejections: OpenRejections;
  previewCosts: PreviewCosts;
  now: () => number;
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
    const checked: CheckedCost[] = [];
    const rejections = openRejections(sender, 'product_costs');
    const check = (value: unknown, limit: number): readonly ErrorDetail[] =>
      [...productCostValidator.check(value, limit), ...checkProductCostRules(value, currency)].slice(0, limit);
    await checkItems(items, yielder, check, (value, errors) => {
      const ids = { sku: suppliedId(value, 'sku'), effectiveFrom: suppliedText(value, 'effective_from') };
      checked.push(
        errors.length === 0 ? { ...ids, item: folded(value as ProductCostInput), errors } : { ...ids, errors },
      );
      if (errors.length > 0) rejections.add(checked.length - 1, ids.sku, value, errors);
    });
    const results = checked.map(toResult);
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

interface CheckedCost extends CheckedItem<ProductCostInput> {
  sku: string | null;
  effectiveFrom: string | null;
}

const folded = (cost: ProductCostInput): ProductCostInput => ({ ...cost, sku: trimBlanks(cost.sku) });

/** Each SKU of the push once. */
function toPreview(costs: readonly ProductCostInput[], { days, netProfit }: CostPreview): ProductCostPreview {
  return {
    days,
    net_profit_change: formatDecimal(sum(netProfit.values())),
    costs: [...new Set(costs.map(({ sku }) => sku))].map((sku) => ({
      sku,
      net_profit_change: formatDecimal(netProfit.get(sku) ?? ZERO),
    })),
  };
}

function toResult(cost: CheckedCost): ProductCostResult {
  return { sku: cost.sku, effective_from: cost.effectiveFrom, ...outcomeOf(cost) };
}

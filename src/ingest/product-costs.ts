import { checkProductCostRules, type ProductCostInput } from '../domain/costs/product-costs.js';
import type { Sender } from '../domain/ingest.js';
import type { ErrorDetail } from '../errors.js';
import type { ProductCostsPush } from '../queue/jobs.js';
import type { SourceRegistry } from '../repositories/sources.js';
import { productCostValidator, type ProductCostBatchResult, type ProductCostResult } from '../schemas/product-costs.js';
import type { Receipts } from '../redis/receipts.js';
import { encodeProductCosts } from '../warehouse/queries/product-costs.js';
import {
  countOutcomes,
  ingestHeader,
  newBatchId,
  outcomeOf,
  receiptOf,
  stampItems,
  stampsOf,
  suppliedId,
  type CheckedItem,
} from './batch.js';
import { checkItems } from './check.js';
import type { GroupCommit } from './group-commit.js';
import type { Items } from './items.js';
import type { OpenRejections } from './rejections.js';
import type { Turn } from './turns.js';

export interface ProductCostIntakeDeps {
  sources: SourceRegistry;
  receipts: Pick<Receipts, 'open'>;
  commit: GroupCommit<ProductCostsPush>;
  openRejections: OpenRejections;
  now: () => number;
}

/**
 * Takes one push of unit costs: checks every item and puts what is accepted into the durable queue, under stamps that make
 * the newest push of a key win in whatever order the jobs run. Resolves only once it is queued. Throws
 * `source_not_registered` and `queue_unavailable`.
 */
export type TakeProductCosts = (sender: Sender, items: Items, turn: Turn) => Promise<ProductCostBatchResult>;

export function createProductCostIntake(deps: ProductCostIntakeDeps): TakeProductCosts {
  const { sources, receipts, commit, openRejections, now } = deps;

  return async (sender, items, turn) => {
    const { shopId } = sender;
    const { currency } = await sources.require(shopId);
    const checked: CheckedCost[] = [];
    const rejections = openRejections(sender, 'product_costs');
    const check = (value: unknown, limit: number): readonly ErrorDetail[] =>
      [...productCostValidator.check(value, limit), ...checkProductCostRules(value, currency)].slice(0, limit);
    await checkItems(items, turn, check, (value, errors) => {
      const ids = { sku: suppliedId(value, 'sku'), effectiveFrom: suppliedId(value, 'effective_from') };
      checked.push(errors.length === 0 ? { ...ids, item: value as ProductCostInput, errors } : { ...ids, errors });
      if (errors.length > 0) rejections.add(checked.length - 1, ids.sku, value, errors);
    });
    const batchId = newBatchId(now());
    const stamped = await stampItems({ shopId, batchId }, checked, receipts);
    const rows = encodeProductCosts(
      shopId,
      stamped.map(({ item, stamp }) => ({ cost: item, stamp })),
      currency,
    );
    const counted = ingestHeader({ sender, kind: 'product_costs', batchId, nowMs: now() }, checked);
    const header = { ...counted, ...stampsOf(stamped) };
    const stamps = { first: stamped[0]?.stamp ?? 0, count: stamped.length };
    const queued = commit.add({ header, stamps }, [rows], stamped.length);
    await Promise.all([queued, rejections.keep(batchId)]);
    return {
      ...countOutcomes(checked),
      ...receiptOf(batchId, stamped.length),
      results: checked.map(toResult),
    };
  };
}

interface CheckedCost extends CheckedItem<ProductCostInput> {
  sku: string | null;
  effectiveFrom: string | null;
}

function toResult(cost: CheckedCost): ProductCostResult {
  return { sku: cost.sku, effective_from: cost.effectiveFrom, ...outcomeOf(cost) };
}

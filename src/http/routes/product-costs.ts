import type { Router } from 'express';
import { FROM_THE_BEGINNING } from '../../domain/costs/product-costs.js';
import { formatDay, parseDay } from '../../domain/time.js';
import {
  PRODUCT_COSTS_BODY_BYTES,
  PRODUCT_COSTS_PAGE,
  PRODUCT_COSTS_PER_BATCH,
  productCostBatchValidator,
  productCostValidator,
  type ProductCostPage,
} from '../../schemas/product-costs.js';
import type { StoredProductCost } from '../../warehouse/queries/product-costs.js';
import { packed, unpacked } from '../cursor.js';
import { authOf } from '../middleware/authenticate.js';
import { batchForm } from '../../ingest/read-items.js';
import type { RouteDeps } from '../route-deps.js';
import { readQuery, refuseQuery } from '../middleware/query.js';
import { answerPush } from './answer-push.js';

const FORM = batchForm('costs', {
  most: PRODUCT_COSTS_PER_BATCH,
  bytes: PRODUCT_COSTS_BODY_BYTES,
  envelope: productCostBatchValidator,
  item: productCostValidator,
});

/** `PUT` and `GET /v1/products/costs` (contract: "Product costs"). */
export function productCostRoutes(router: Router, deps: RouteDeps): void {
  router.put('/v1/products/costs', ...deps.write('products:write'), async (req, res) => {
    refuseQuery(req);
    await answerPush(req, res, FORM, deps, (...push) => {
      deps.requireCapacity();
      return deps.takeProductCosts(...push);
    });
  });

  router.get('/v1/products/costs', ...deps.read, async (req, res) => {
    const { sku, after, size } = readQuery(req, (query) => ({
      sku: query.text('sku'),
      after: query.parsed('after', parseCursor, 'must be the next of an earlier answer'),
      size: query.integer('limit', { min: 1, max: PRODUCT_COSTS_PAGE.max, fallback: PRODUCT_COSTS_PAGE.default }),
    }));
    const { shopId } = authOf(res);
    await deps.sources.require(shopId);
    const found = await deps.listProductCosts({ shopId, sku, after, limit: size + 1 });
    const costs = found.slice(0, size);
    const last = costs.at(-1);
    const page: ProductCostPage = {
      costs: costs.map(({ sku, unitCost, effectiveFrom, currency }) => ({
        sku,
        unit_cost: unitCost,
        effective_from: effectiveFrom === FROM_THE_BEGINNING ? null : formatDay(effectiveFrom),
        currency,
      })),
      ...(found.length > size && last !== undefined && { next: cursorOf(last) }),
    };
    res.json(page);
  });
}

type Key = Pick<StoredProductCost, 'sku' | 'effectiveFrom'>;

/** Opaque to clients: the key of the last entry of a page. */
function cursorOf({ sku, effectiveFrom }: Key): string {
  const day = effectiveFrom === FROM_THE_BEGINNING ? null : formatDay(effectiveFrom);
  return packed([sku, day]);
}

function parseCursor(text: string): Key | null {
  const [sku, day] = unpacked(text);
  const effectiveFrom = day === null ? FROM_THE_BEGINNING : typeof day === 'string' ? parseDay(day) : null;
  return typeof sku === 'string' && effectiveFrom !== null ? { sku, effectiveFrom } : null;
}

import type { Router } from 'express';
import { FROM_THE_BEGINNING } from '../../domain/product-costs.js';
import { formatDay, parseDay } from '../../domain/time.js';
import { requestError } from '../../errors.js';
import {
  PRODUCT_COSTS_BODY_BYTES,
  PRODUCT_COSTS_PAGE,
  productCostBatchValidator,
  type ProductCostPage,
} from '../../schemas/product-costs.js';
import { storeUnavailable } from '../../warehouse/client.js';
import type { StoredProductCost } from '../../warehouse/product-costs.js';
import { authOf } from '../authenticate.js';
import { readJson } from '../read-json.js';
import type { RouteDeps } from '../route-deps.js';
import { queryOf, requireValid } from '../validate.js';

/** `PUT` and `GET /v1/products/costs` (contract: "Product costs"). */
export function productCostRoutes(router: Router, deps: RouteDeps): void {
  router.put('/v1/products/costs', ...deps.write('products:write'), async (req, res) => {
    queryOf(req, []);
    const { costs } = requireValid(productCostBatchValidator, await readJson(req, PRODUCT_COSTS_BODY_BYTES));
    deps.requireCapacity();
    res.json(await deps.takeProductCosts(authOf(res).shopId, costs));
  });

  router.get('/v1/products/costs', ...deps.read, async (req, res) => {
    const { sku, after, limit } = queryOf(req, ['sku', 'after', 'limit']);
    const size = pageSize(limit);
    const start = after === undefined ? undefined : parseCursor(after);
    const { shopId } = authOf(res);
    await deps.sources.require(shopId);
    const found = await deps
      .listProductCosts({ shopId, sku, after: start, limit: size + 1 })
      .catch((error: unknown) => {
        throw storeUnavailable(error);
      });
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

function pageSize(limit: string | undefined): number {
  if (limit === undefined) return PRODUCT_COSTS_PAGE.default;
  const size = /^\d{1,6}$/.test(limit) ? Number(limit) : 0;
  if (size >= 1 && size <= PRODUCT_COSTS_PAGE.max) return size;
  throw requestError('invalid_value', `limit must be a whole number from 1 to ${PRODUCT_COSTS_PAGE.max}.`, 'limit');
}

type Key = Pick<StoredProductCost, 'sku' | 'effectiveFrom'>;

/** Opaque to clients: the key of the last entry of a page. */
function cursorOf({ sku, effectiveFrom }: Key): string {
  return Buffer.from(JSON.stringify([sku, formatDay(effectiveFrom)])).toString('base64url');
}

function parseCursor(text: string): Key {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    parts = undefined;
  }
  const [sku, day] = Array.isArray(parts) ? (parts as unknown[]) : [];
  const effectiveFrom = typeof day === 'string' ? parseDay(day) : null;
  if (typeof sku === 'string' && effectiveFrom !== null) return { sku, effectiveFrom };
  throw requestError('invalid_value', 'after must be the next of an earlier answer.', 'after');
}

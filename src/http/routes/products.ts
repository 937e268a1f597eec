import type { Router } from 'express';
import { formatDecimal, formatOptional, formatQuantity } from '../../domain/money.js';
import { grossMargin, type ProductFigures } from '../../domain/products.js';
import {
  PRODUCT_SORTS,
  Product,
  productPlaceValidator,
  type ProductPlace,
  type ProductsResponse,
} from '../../schemas/products.js';
import type { ProductPosition } from '../../warehouse/queries/products.js';
import { boundsOf, readCurrency } from '../answers/period.js';
import { nextOf, ofAnotherQuery, queryId, rangeOf, readRangeCursor } from '../cursor.js';
import { formatOf } from '../exports/format.js';
import { allPages, pageOf, type Page } from '../exports/pages.js';
import { authOf } from '../middleware/authenticate.js';
import { readQuery } from '../middleware/query.js';
import type { RouteDeps } from '../route-deps.js';

/** `GET /v1/products` (contract: "Explaining figures"). */
export function productRoutes(router: Router, deps: RouteDeps): void {
  router.get('/v1/products', ...deps.read, async (req, res) => {
    const format = formatOf(req, res);
    const asked = readQuery(req, (query) => {
      const missingCost = query.flag('missing_cost') ?? false;
      query.never('as_of', "products show today's state");
      return {
        range: query.range(deps.now()),
        missingCost,
        sort: query.oneOf('sort', PRODUCT_SORTS) ?? (missingCost ? 'revenue_without_cost' : 'revenue'),
        ...pageOf(query, {
          isExport: format !== null,
          parse: (text) => readRangeCursor(text, productPlaceValidator),
        }),
        after: query.receipt(),
      };
    });
    const { cursor, limit, sort, missingCost } = asked;
    const { shopId } = authOf(res);
    const query = queryId(shopId, req.query, cursor);
    // Only a list by SKU has no figure to go on from.
    if (cursor?.place.value === '' && sort !== 'sku') throw ofAnotherQuery();
    const range = rangeOf(asked.range, cursor);
    const { currency } = await readCurrency(deps, shopId, { range, after: asked.after, asOf: undefined });
    const read = async (after: ProductPosition | undefined): Promise<Page<Product, ProductPosition>> => {
      const found = await deps.listProducts({ shopId, range, sort, missingCost, after, limit: limit + 1 });
      const listed = found.slice(0, limit);
      return { rows: listed.map(toProduct), last: found.length > limit ? listed.at(-1)?.position : undefined };
    };
    if (format !== null) {
      return deps.sendExport(req, res, { format, name: 'products', range, schema: Product, pages: allPages(read) });
    }
    const { rows, last } = await read(cursor?.place);
    const answer: ProductsResponse = {
      ...boundsOf(range),
      currency,
      products: rows,
      ...nextOf(query, last && ({ ...range, ...last } satisfies ProductPlace)),
    };
    res.json(answer);
  });
}

function toProduct(figures: ProductFigures): Product {
  return {
    sku: figures.sku,
    ...(figures.title !== null && { title: figures.title }),
    units_sold: formatQuantity(figures.unitsSold),
    units_refunded: formatQuantity(figures.unitsRefunded),
    revenue: formatDecimal(figures.revenue),
    refunds: formatDecimal(figures.refunds),
    cogs: formatDecimal(figures.cogs),
    units_without_cost: formatQuantity(figures.unitsWithoutCost),
    gross_margin: formatOptional(grossMargin(figures)),
  };
}

import type { Router } from 'express';
import { MAX_RANGE_DAYS } from '../../domain/metrics/range.js';
import { formatDecimal, formatOptional, formatQuantity } from '../../domain/money.js';
import { grossMargin, type ProductFigures } from '../../domain/products.js';
import { formatDay } from '../../domain/time.js';
import {
  PRODUCT_SORTS,
  Product,
  PRODUCTS_PAGE,
  productPlaceValidator,
  type ProductPlace,
  type ProductsResponse,
} from '../../schemas/products.js';
import type { ProductPosition } from '../../warehouse/queries/products.js';
import { readCurrency } from '../answers/period.js';
import { queryId, readCursor, requireCursorOf, writeCursor, type Cursor } from '../cursor.js';
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
      const missingCost = query.flag('missing_cost');
      return {
        range: query.range(deps.now()),
        missingCost,
        sort: query.oneOf('sort', PRODUCT_SORTS, missingCost ? 'revenue_without_cost' : 'revenue'),
        ...pageOf(query, { isExport: format !== null, page: PRODUCTS_PAGE, parse: parseCursor }),
        after: query.receipt(),
        asOf: query.moment('as_of', deps.now(), deps.keptDays),
      };
    });
    const { cursor, limit, sort, missingCost, asOf } = asked;
    const { shopId } = authOf(res);
    const query = queryId(shopId, req.query);
    requireCursorOf(query, cursor);
    const place = cursor?.place;
    // The range of the first page: without `to` it ends today, which may be another day by now.
    const range = place === undefined ? asked.range : { from: place.from, to: place.to };
    const { currency } = await readCurrency(deps, shopId, { range, after: asked.after, asOf });
    const read = async (after: ProductPosition | undefined): Promise<Page<Product, ProductPosition>> => {
      const found = await deps.listProducts({ shopId, range, sort, missingCost, asOf, after, limit: limit + 1 });
      const listed = found.slice(0, limit);
      return { rows: listed.map(toProduct), last: found.length > limit ? listed.at(-1)?.position : undefined };
    };
    if (format !== null) {
      return deps.sendExport(req, res, { format, name: 'products', range, schema: Product, pages: allPages(read) });
    }
    const { rows, last } = await read(cursor?.place);
    const answer: ProductsResponse = {
      from: formatDay(range.from),
      to: formatDay(range.to),
      currency,
      products: rows,
      ...(last !== undefined && { next: writeCursor<ProductPlace>({ query, place: { ...range, ...last } }) }),
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

/** A range of a cursor is bound like any other. */
function parseCursor(text: string): Cursor<ProductPlace> | null {
  const cursor = readCursor(text, productPlaceValidator);
  if (cursor === null) return null;
  const { from, to } = cursor.place;
  return from <= to && to - from < MAX_RANGE_DAYS ? cursor : null;
}

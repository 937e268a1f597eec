import { formatDecimal, formatOptional, formatQuantity } from '../../domain/money.js';
import { grossMargin, type ProductFigures } from '../../domain/products.js';
import {
  PRODUCT_SORTS,
  Product,
  productPlaceValidator,
  ProductsResponse,
  type ProductPlace,
} from '../../schemas/products.js';
import type { ListProducts, ProductPosition } from '../../warehouse/queries/products.js';
import { boundsOf, readCurrency, type PeriodDeps } from '../answers/period.js';
import { nextOf, ofAnotherQuery, queryId, rangeOf, readRangeCursor } from '../cursor.js';
import { EXPORT_TYPES } from '../exports/format.js';
import { allPages, type Page } from '../exports/pages.js';
import type { SendExport } from '../exports/send-export.js';
import { AFTER, cursor, limit, never, oneOf, RANGE, switchOn } from '../parameters.js';
import { defineRoute, type Route } from '../route.js';

export interface ProductDeps extends Pick<PeriodDeps, 'now' | 'requirePush' | 'sources'> {
  listProducts: ListProducts;
  sendExport: SendExport;
}

/** `GET /v1/products` (contract: "Explaining figures"). */
export const productRoutes: readonly Route<ProductDeps>[] = [
  defineRoute({
    id: 'listProducts',
    method: 'get',
    path: '/v1/products',
    tag: 'Metrics',
    scope: 'read',
    summary: 'Figures by product',
    description:
      'What counted orders sold of each SKU in a range of at most 366 days, and what refunds brought back, page by page. Sales ' +
      'stand on the day of the order, refunds on theirs, in the time zone of the shop. Lines without a SKU are one product whose ' +
      '`sku` is null, so that the `cogs` of all products are those of `/v1/metrics`. Revenue is that of the lines: shipping, ' +
      'tips, taxes on top, discounts of whole orders and refunds that name no lines belong to no product. The list shows ' +
      "today's state, so it takes no `as_of`.",
    query: {
      range: RANGE,
      after: AFTER,
      missingCost: switchOn(
        'missing_cost',
        'Only products that were sold without a known unit cost; without `sort`, those first whose missing cost affects ' +
          'the most revenue.',
      ),
      sort: oneOf(
        'sort',
        PRODUCT_SORTS,
        'Order of the products, largest first, `sku` from the smallest. `gross_profit` is `revenue` − `refunds` − ' +
          '`cogs`; `revenue_without_cost` the revenue of lines whose unit cost is unknown. Absent: `revenue`, and ' +
          '`revenue_without_cost` with `missing_cost`.',
      ),
      cursor: cursor((given) => readRangeCursor(given, productPlaceValidator)),
      limit: limit('Products'),
      asOf: never('as_of', "products show today's state"),
    },
    answers: { 200: { description: 'A page of the products.', schema: ProductsResponse, rows: 'product' } },
    errors: ['source_not_registered'],
    examples: [
      {
        name: 'week',
        summary: 'The products of a week',
        query: { from: '2026-03-01', to: '2026-03-07' },
        status: 200,
        response: {
          from: '2026-03-01',
          to: '2026-03-07',
          currency: 'EUR',
          products: [
            {
              sku: 'MUG',
              title: 'Mug',
              units_sold: '2',
              units_refunded: '1',
              revenue: '25.00',
              refunds: '12.50',
              cogs: '4.10',
              units_without_cost: '0',
              gross_margin: '0.672',
            },
            {
              sku: 'TEA',
              title: 'Tea',
              units_sold: '1',
              units_refunded: '0',
              revenue: '9.00',
              refunds: '0.00',
              cogs: '3.00',
              units_without_cost: '0',
              gross_margin: '0.666667',
            },
          ],
        },
      },
      {
        name: 'file',
        summary: 'All products as CSV',
        query: { from: '2026-03-01', to: '2026-03-07' },
        accept: EXPORT_TYPES.csv,
        status: 200,
        response: `sku,title,units_sold,units_refunded,revenue,refunds,cogs,units_without_cost,gross_margin
MUG,Mug,2,1,25.00,12.50,4.10,0,0.672
TEA,Tea,1,0,9.00,0.00,3.00,0,0.666667
`.replaceAll('\n', '\r\n'),
      },
      {
        name: 'unpriced',
        summary: 'What to price first',
        query: { from: '2026-03-01', to: '2026-03-07', missing_cost: '1' },
        status: 200,
        response: { from: '2026-03-01', to: '2026-03-07', currency: 'EUR', products: [] },
      },
    ],
    async run({ req, res, query, format, shopId }, deps) {
      const { missingCost, limit: size, cursor: begin, after } = query;
      const sort = query.sort ?? (missingCost ? 'revenue_without_cost' : 'revenue');
      const id = queryId(shopId, req.query, begin);
      // Only a list by SKU has no figure to go on from.
      if (begin?.place.value === '' && sort !== 'sku') throw ofAnotherQuery();
      const range = rangeOf(query.range, begin);
      const { currency } = await readCurrency(deps, shopId, { range, after, asOf: undefined });
      const read = async (from: ProductPosition | undefined): Promise<Page<Product, ProductPosition>> => {
        const found = await deps.listProducts({ shopId, range, sort, missingCost, after: from, limit: size + 1 });
        const listed = found.slice(0, size);
        return { rows: listed.map(toProduct), last: found.length > size ? listed.at(-1)?.position : undefined };
      };
      if (format !== null) {
        return deps.sendExport(req, res, { format, name: 'products', range, schema: Product, pages: allPages(read) });
      }
      const { rows, last } = await read(begin?.place);
      return {
        ...boundsOf(range),
        currency,
        products: rows,
        ...nextOf(id, last && ({ ...range, ...last } satisfies ProductPlace)),
      } satisfies ProductsResponse;
    },
  }),
];

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

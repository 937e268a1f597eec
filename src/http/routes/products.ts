import { formatDecimal, formatOptional, formatQuantity, ZERO } from '../../domain/money.js';
import { grossMargin, grossProfit, grossSales, type ProductFigures, type ProductSums } from '../../domain/products.js';
import { DIRECTIONS } from '../../schemas/primitives.js';
import {
  PRODUCT_SORTS,
  Product,
  productPlaceValidator,
  ProductsResponse,
  type ProductPlace,
  type ProductTotals,
} from '../../schemas/products.js';
import type { ProductList, ProductPosition } from '../../warehouse/queries/products.js';
import { boundsOf, readCurrency, type PeriodDeps } from '../../figures/period.js';
import { nextOf, ofAnotherQuery, queryId, rangeOf, readRangeCursor } from '../cursor.js';
import { EXPORT_TYPES } from '../exports/format.js';
import { allPages, pageOf } from '../exports/pages.js';
import type { SendExport } from '../exports/send-export.js';
import { AFTER, cursor, limit, never, oneOf, RANGE, switchOn, text } from '../parameters.js';
import { defineRoute, type Route } from '../route.js';

export interface ProductDeps extends Pick<PeriodDeps, 'now' | 'requirePush' | 'sources'> {
  productList: ProductList;
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
      'tips, taxes on top and discounts of whole orders belong to no product; what was refunded beyond lines is ' +
      '`refunds_without_product`. `count` and `totals` are those of **all** products that the filter finds, and stay those of ' +
      "the first page. The list shows today's state, so it takes no `as_of`.",
    query: {
      range: RANGE,
      after: AFTER,
      missingCost: switchOn(
        'missing_cost',
        'Only products that were sold without a known unit cost; without `sort`, those first whose missing cost affects ' +
          'the most revenue.',
      ),
      loss: switchOn('loss', 'Only products with a negative `gross_profit`.'),
      q: text('q', 'Products whose SKU or title begins with this, in any case. Absent: all.'),
      sort: oneOf(
        'sort',
        PRODUCT_SORTS,
        'What the list is sorted by; products of the same figure stand by SKU. Absent: `revenue`, and ' +
          '`revenue_without_cost` with `missing_cost`.',
      ),
      direction: oneOf(
        'order',
        DIRECTIONS,
        '`desc`: the largest first; `asc`: the smallest. Absent: `desc`, and `asc` with `sort=sku`.',
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
              gross_profit: '8.40',
              revenue_without_cost: '0.00',
              gross_margin: '0.672',
              gross_sales: '25.00',
              discounts: '0.00',
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
              gross_profit: '6.00',
              revenue_without_cost: '0.00',
              gross_margin: '0.666667',
              gross_sales: '9.90',
              discounts: '0.90',
            },
          ],
          count: 2,
          totals: {
            units_sold: '3',
            units_refunded: '1',
            revenue: '34.00',
            refunds: '12.50',
            cogs: '7.10',
            units_without_cost: '0',
            gross_profit: '14.40',
            revenue_without_cost: '0.00',
            gross_margin: '0.669767',
            gross_sales: '34.90',
            discounts: '0.90',
          },
          refunds_without_product: '0.00',
        },
      },
      {
        name: 'file',
        summary: 'All products as CSV',
        query: { from: '2026-03-01', to: '2026-03-07' },
        accept: EXPORT_TYPES.csv,
        status: 200,
        response:
          `sku,title,units_sold,units_refunded,revenue,refunds,cogs,units_without_cost,gross_profit,revenue_without_cost,gross_margin,gross_sales,discounts
MUG,Mug,2,1,25.00,12.50,4.10,0,8.40,0.00,0.672,25.00,0.00
TEA,Tea,1,0,9.00,0.00,3.00,0,6.00,0.00,0.666667,9.90,0.90
`.replaceAll('\n', '\r\n'),
      },
      {
        name: 'unpriced',
        summary: 'What to price first',
        query: { from: '2026-03-01', to: '2026-03-07', missing_cost: '1' },
        status: 200,
        response: {
          from: '2026-03-01',
          to: '2026-03-07',
          currency: 'EUR',
          products: [],
          count: 0,
          totals: {
            units_sold: '0',
            units_refunded: '0',
            revenue: '0.00',
            refunds: '0.00',
            cogs: '0.00',
            units_without_cost: '0',
            gross_profit: '0.00',
            revenue_without_cost: '0.00',
            gross_margin: null,
            gross_sales: '0.00',
            discounts: '0.00',
          },
          refunds_without_product: '0.00',
        },
      },
    ],
    async run({ req, res, query, format, shopId }, deps) {
      const { missingCost, loss, q, limit: size, cursor: begin, after } = query;
      const sort = query.sort ?? (missingCost ? 'revenue_without_cost' : 'revenue');
      const direction = query.direction ?? (sort === 'sku' ? 'asc' : 'desc');
      const id = queryId(shopId, req.query, begin);
      // Only a list by SKU has no figure to go on from.
      if (begin?.place.value === '' && sort !== 'sku') throw ofAnotherQuery();
      const range = rangeOf(query.range, begin);
      const { currency } = await readCurrency(deps, shopId, { range, after, asOf: undefined });
      const filter = { shopId, range, missingCost, loss, q };
      const read = async (from: ProductPosition | undefined) => {
        const page = { ...filter, sort, direction, after: from, limit: size + 1 };
        const { products, totals } = await deps.productList.page(page);
        const { rows, last } = pageOf(products, size);
        return { rows: rows.map(toProduct), last: last?.position, totals };
      };
      if (format !== null) {
        return deps.sendExport(req, res, { format, name: 'products', range, schema: Product, pages: allPages(read) });
      }
      const [{ rows, last, totals: found }, refunds] = await Promise.all([
        read(begin?.place),
        begin === undefined ? deps.productList.refundsWithoutProduct(filter) : ZERO,
      ]);
      const { count, totals, refunds_without_product } = begin?.place ?? {
        count: found.found,
        totals: toSums(found),
        refunds_without_product: formatDecimal(refunds),
      };
      const same = { count, totals, refunds_without_product };
      return {
        ...boundsOf(range),
        currency,
        products: rows,
        ...same,
        ...nextOf(id, last && ({ ...range, ...last, ...same } satisfies ProductPlace)),
      } satisfies ProductsResponse;
    },
  }),
];

function toProduct(figures: ProductFigures): Product {
  return {
    sku: figures.sku,
    ...(figures.title !== null && { title: figures.title }),
    ...toSums(figures),
  };
}

function toSums(sums: ProductSums): ProductTotals {
  return {
    units_sold: formatQuantity(sums.unitsSold),
    units_refunded: formatQuantity(sums.unitsRefunded),
    revenue: formatDecimal(sums.revenue),
    refunds: formatDecimal(sums.refunds),
    cogs: formatDecimal(sums.cogs),
    units_without_cost: formatQuantity(sums.unitsWithoutCost),
    gross_profit: formatDecimal(grossProfit(sums)),
    revenue_without_cost: formatDecimal(sums.revenueWithoutCost),
    gross_margin: formatOptional(grossMargin(sums)),
    gross_sales: formatDecimal(grossSales(sums)),
    discounts: formatDecimal(sums.discounts),
  };
}

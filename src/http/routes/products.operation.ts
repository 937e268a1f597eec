import Type from 'typebox';
import { PRODUCT_SORTS, ProductsResponse } from '../../schemas/products.js';
import { EXPORT_TYPES } from '../exports/format.js';
import type { Operation } from '../openapi/operation.js';
import { AFTER, CURSOR, limitParameter, RANGE, switchParameter } from '../openapi/parameters.js';

export const productOperations: readonly Operation[] = [
  {
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
    parameters: [
      ...RANGE,
      AFTER,
      switchParameter(
        'missing_cost',
        'Only products that were sold without a known unit cost; without `sort`, those first whose missing cost affects ' +
          'the most revenue.',
      ),
      {
        name: 'sort',
        in: 'query',
        description:
          'Order of the products, largest first, `sku` from the smallest. `gross_profit` is `revenue` − `refunds` − ' +
          '`cogs`; `revenue_without_cost` the revenue of lines whose unit cost is unknown. Absent: `revenue`, and ' +
          '`revenue_without_cost` with `missing_cost`.',
        schema: Type.Enum([...PRODUCT_SORTS]),
      },
      CURSOR,
      limitParameter('Products'),
    ],
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
  },
];

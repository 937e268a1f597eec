import Type from 'typebox';
import {
  PRODUCT_COSTS_BODY_BYTES,
  PRODUCT_COSTS_PAGE,
  ProductCostBatch,
  ProductCostBatchResult,
  ProductCostInput,
  ProductCostPage,
} from '../../schemas/product-costs.js';
import { Id } from '../../schemas/primitives.js';
import type { Operation } from '../openapi/operation.js';
import { limitParameter } from '../openapi/parameters.js';
import { withItems } from '../openapi/with-items.js';

/** A version has a cost unless it is removed: a rule across two fields, which the validator checks apart. */
const item = {
  ...ProductCostInput,
  anyOf: [
    { required: ['unit_cost'] },
    { properties: { deleted: { const: true, description: 'It is removed.' } }, required: ['deleted'] },
  ],
};

export const productCostOperations: readonly Operation[] = [
  {
    id: 'putProductCosts',
    method: 'put',
    path: '/v1/products/costs',
    tag: 'Costs',
    scope: 'products:write',
    summary: 'Push unit costs',
    description:
      'Upserts 1 to 1,000 versions of unit costs by `sku` and `effective_from`. An order line without a `unit_cost` of its own ' +
      'costs what the version with the greatest `effective_from` not after the local day of the order says. A push restates the ' +
      'days that it touches; `deleted: true` removes a version.',
    body: { schema: withItems(ProductCostBatch, { costs: item }), maxBytes: PRODUCT_COSTS_BODY_BYTES },
    answers: { 200: { description: 'One result an item.', schema: ProductCostBatchResult } },
    errors: ['batch_size', 'source_not_registered', 'queue_unavailable'],
    itemErrors: [
      'too_many',
      'missing_field',
      'unknown_field',
      'invalid_type',
      'invalid_value',
      'money_must_be_string',
      'invalid_money',
      'currency_mismatch',
    ],
    examples: [
      {
        name: 'push',
        summary: 'A cost from the beginning, and a later one',
        body: {
          costs: [
            { sku: 'TEA', unit_cost: '3' },
            { sku: 'TEA', unit_cost: '3.25', effective_from: '2026-04-01', currency: 'EUR' },
          ],
        },
        status: 200,
        response: {
          accepted: 2,
          rejected: 0,
          receipt: '019ca8b2-5b1c-7d6e-9f37-2a4c6e8b0d15',
          results: [
            { sku: 'TEA', effective_from: null, outcome: 'accepted' },
            { sku: 'TEA', effective_from: '2026-04-01', outcome: 'accepted' },
          ],
        },
      },
    ],
  },
  {
    id: 'listProductCosts',
    method: 'get',
    path: '/v1/products/costs',
    tag: 'Costs',
    scope: 'read',
    summary: 'List unit costs',
    description: 'The versions of the catalog, ordered by `sku` and `effective_from`, page by page.',
    parameters: [
      { name: 'sku', in: 'query', description: 'The versions of this SKU alone.', schema: Id },
      {
        name: 'after',
        in: 'query',
        description: 'The `next` of the page before.',
        schema: Type.String({ description: 'Opaque.' }),
      },
      limitParameter('Versions', PRODUCT_COSTS_PAGE),
    ],
    answers: { 200: { description: 'A page of the catalog.', schema: ProductCostPage } },
    errors: ['source_not_registered'],
    examples: [
      {
        name: 'page',
        summary: 'The whole catalog',
        status: 200,
        response: {
          costs: [
            { sku: 'TEA', unit_cost: '3.00', effective_from: null, currency: 'EUR' },
            { sku: 'TEA', unit_cost: '3.25', effective_from: '2026-04-01', currency: 'EUR' },
          ],
        },
      },
    ],
  },
];

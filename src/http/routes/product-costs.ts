import Type from 'typebox';
import { FROM_THE_BEGINNING } from '../../domain/costs/product-costs.js';
import { formatDay, formatTimestamp, parseDay } from '../../domain/time.js';
import type { TakeProductCosts } from '../../ingest/product-costs.js';
import type { SourceRegistry } from '../../repositories/sources.js';
import {
  PRODUCT_COSTS_PAGE,
  ProductCost,
  ProductCostBatch,
  ProductCostBatchResult,
  ProductCostPage,
} from '../../schemas/product-costs.js';
import type { ListProductCosts, StoredProductCost } from '../../warehouse/queries/product-costs.js';
import { packed, unpacked } from '../cursor.js';
import { allPages, pageOf } from '../exports/pages.js';
import type { SendExport } from '../exports/send-export.js';
import { cursor, limit, switchOn } from '../parameters.js';
import { trimmedFilter } from '../trimmed-filter.js';
import { batch } from '../request-bodies.js';
import { defineRoute, type Route } from '../route.js';

export interface ProductCostDeps {
  sources: SourceRegistry;
  takeProductCosts: TakeProductCosts;
  listProductCosts: ListProductCosts;
  sendExport: SendExport;
  requireCapacity: () => void;
}

const STORED = '2026-03-04T14:00:01.250000Z';

/** `PUT` and `GET /v1/products/costs` (contract: "Product costs"). */
export const productCostRoutes: readonly Route<ProductCostDeps>[] = [
  defineRoute({
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
    query: {
      validateOnly: switchOn(
        'validate_only',
        'Gives the same results and stores nothing; `preview` says what the push would change in figures as they are now.',
      ),
    },
    body: batch(ProductCostBatch),
    answers: { 200: { description: 'One result an item.', schema: ProductCostBatchResult } },
    errors: ['batch_size', 'source_not_registered', 'queue_unavailable'],
    itemRules: ['currency_mismatch'],
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
      {
        name: 'preview',
        summary: 'What a cost would change',
        query: { validate_only: '1' },
        body: { costs: [{ sku: 'TEA', unit_cost: '2.50' }] },
        status: 200,
        response: {
          accepted: 1,
          rejected: 0,
          preview: { days: 1, net_profit_change: '0.50', costs: [{ sku: 'TEA', net_profit_change: '0.50' }] },
          results: [{ sku: 'TEA', effective_from: null, outcome: 'accepted' }],
        },
      },
    ],
    run({ query: { validateOnly }, sender, body: { items, yielder } }, { requireCapacity, takeProductCosts }) {
      if (!validateOnly) requireCapacity();
      return takeProductCosts(sender, items, { validateOnly, yielder });
    },
  }),
  defineRoute({
    id: 'listProductCosts',
    method: 'get',
    path: '/v1/products/costs',
    tag: 'Costs',
    scope: 'read',
    summary: 'List unit costs',
    description: 'The versions of the catalog, ordered by `sku` and `effective_from`.',
    query: {
      sku: trimmedFilter('sku', 'The versions of this SKU alone.'),
      after: cursor(parseCursor, {
        name: 'after',
        description: 'The `next` of the page before.',
        schema: Type.String({ description: 'Opaque.' }),
      }),
      limit: limit('Versions', PRODUCT_COSTS_PAGE),
    },
    answers: { 200: { description: 'A page of the catalog.', schema: ProductCostPage, rows: 'version' } },
    errors: ['source_not_registered'],
    examples: [
      {
        name: 'page',
        summary: 'The whole catalog',
        status: 200,
        response: {
          costs: [
            { sku: 'TEA', unit_cost: '3.00', effective_from: null, currency: 'EUR', received_at: STORED },
            { sku: 'TEA', unit_cost: '3.25', effective_from: '2026-04-01', currency: 'EUR', received_at: STORED },
          ],
        },
      },
    ],
    async run({ req, res, query, format, shopId }, deps): Promise<ProductCostPage | undefined> {
      const { sku, after: begin, limit: size } = query;
      await deps.sources.require(shopId);
      const read = async (after: Key | undefined) => {
        const found = await deps.listProductCosts({ shopId, sku, after, limit: size + 1 });
        const { rows, last } = pageOf(found, size);
        return { rows: rows.map(toCost), last };
      };
      if (format !== null) {
        const file = { format, name: 'unit-costs', schema: ProductCost, pages: allPages(read) };
        await deps.sendExport(req, res, file);
        return undefined;
      }
      const { rows, last } = await read(begin);
      return { costs: rows, ...(last && { next: cursorOf(last) }) };
    },
  }),
];

type Key = Pick<StoredProductCost, 'sku' | 'effectiveFrom'>;

const toCost = ({ sku, unitCost, effectiveFrom, currency, stamp }: StoredProductCost): ProductCost => ({
  sku,
  unit_cost: unitCost,
  effective_from: effectiveFrom === FROM_THE_BEGINNING ? null : formatDay(effectiveFrom),
  currency,
  received_at: formatTimestamp(stamp),
});

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

import Type from 'typebox';
import { formatTimestamp } from '../../domain/time.js';
import type { TakeOrderCosts } from '../../ingest/order-costs.js';
import type { SourceRegistry } from '../../repositories/sources.js';
import {
  ORDER_COSTS_PAGE,
  OrderCost,
  OrderCostBatch,
  OrderCostBatchResult,
  OrderCostPage,
} from '../../schemas/order-costs.js';
import type { ListOrderCosts, StoredOrderCost } from '../../warehouse/queries/order-cost-list.js';
import { packed, unpacked } from '../cursor.js';
import { allPages, pageOf } from '../exports/pages.js';
import type { SendExport } from '../exports/send-export.js';
import { cursor, limit, switchOn } from '../parameters.js';
import { batch } from '../request-bodies.js';
import { defineRoute, type Route } from '../route.js';

export interface OrderCostDeps {
  sources: SourceRegistry;
  takeOrderCosts: TakeOrderCosts;
  listOrderCosts: ListOrderCosts;
  sendExport: SendExport;
  requireCapacity: () => void;
}

const STORED = '2026-03-04T14:00:01.250000Z';

/** `PUT` and `GET /v1/costs/orders` (contract: "Statement", "Orders and costs"). */
export const orderCostRoutes: readonly Route<OrderCostDeps>[] = [
  defineRoute({
    id: 'putOrderCosts',
    method: 'put',
    path: '/v1/costs/orders',
    tag: 'Costs',
    scope: 'costs:write',
    summary: 'Push costs of orders',
    description:
      'What 1 to 1,000 orders cost to fulfill, or their actual gateway fees, where that is known elsewhere than in the shop, or later: ' +
      'from the invoice of a carrier or the report of a gateway. Such a cost is a record of its own by `order_id`: it may come before ' +
      'the order, a re-send of the order does not touch it, and it wins over `fulfillment_cost` and `gateway_fee` of the order; `null` ' +
      'takes it back, and what the order says counts again. The newest push of a cost counts; it restates the day of the order. ' +
      "`order_id` may be an order's `order_name` too, where exactly one order of the shop has it; an id comes first. `orders_unknown` and the " +
      'warning `order_unknown` say which orders are not there (yet). ' +
      'A flat sum an order is an expense with `frequency: per_order`.',
    body: batch(OrderCostBatch),
    answers: { 200: { description: 'One result an item.', schema: OrderCostBatchResult } },
    errors: ['batch_size', 'source_not_registered', 'queue_unavailable'],
    examples: [
      {
        name: 'push',
        summary: 'What a carrier charged, and a fee taken back',
        body: {
          costs: [
            { order_id: '2001', fulfillment_cost: '4.35' },
            { order_id: '2002', fulfillment_cost: '6.10', gateway_fee: null },
          ],
        },
        status: 200,
        response: {
          accepted: 2,
          rejected: 0,
          receipt: '019ca8b2-5b1c-7d6e-9f37-2a4c6e8b0d15',
          orders_unknown: 2,
          results: [
            {
              order_id: '2001',
              outcome: 'accepted',
              warnings: [
                {
                  code: 'order_unknown',
                  message:
                    'No order has the id "2001", nor is it the name of exactly one order. It is kept and counts once the order comes.',
                  field: 'order_id',
                },
              ],
            },
            {
              order_id: '2002',
              outcome: 'accepted',
              warnings: [
                {
                  code: 'order_unknown',
                  message:
                    'No order has the id "2002", nor is it the name of exactly one order. It is kept and counts once the order comes.',
                  field: 'order_id',
                },
              ],
            },
          ],
        },
      },
    ],
    run({ sender, body: { items, yielder } }, { requireCapacity, takeOrderCosts }) {
      requireCapacity();
      return takeOrderCosts(sender, items, yielder);
    },
  }),
  defineRoute({
    id: 'listOrderCosts',
    method: 'get',
    path: '/v1/costs/orders',
    tag: 'Costs',
    scope: 'costs:write',
    summary: 'List costs of orders',
    description:
      'The costs that were pushed, ordered by `order_id`; with `unknown=1` those that wait: no order has the id, nor, alone, the name. ' +
      'To mend a wrong id, push the cost under the right one and `null` under the wrong one.',
    query: {
      unknown: switchOn('unknown', 'Those alone that wait for their order.'),
      after: cursor(parseCursor, {
        name: 'after',
        description: 'The `next` of the page before.',
        schema: Type.String({ description: 'Opaque.' }),
      }),
      limit: limit('Orders', ORDER_COSTS_PAGE),
    },
    answers: { 200: { description: 'A page of costs.', schema: OrderCostPage, rows: 'order' } },
    errors: ['source_not_registered'],
    examples: [
      {
        name: 'unknown',
        summary: 'Costs whose orders are not there',
        query: { unknown: '1' },
        status: 200,
        response: {
          costs: [
            { order_id: '2001', fulfillment_cost: '4.35', received_at: STORED },
            { order_id: '2002', fulfillment_cost: '6.10', received_at: STORED },
          ],
        },
      },
    ],
    async run({ req, res, query, format, shopId }, deps): Promise<OrderCostPage | undefined> {
      const { unknown, after: begin, limit: size } = query;
      await deps.sources.require(shopId);
      const read = async (after: string | undefined) => {
        const found = await deps.listOrderCosts({ shopId, isUnknown: unknown, after, limit: size + 1 });
        const { rows, last } = pageOf(found, size);
        return { rows: rows.map(toCost), last: last?.orderId };
      };
      if (format !== null) {
        await deps.sendExport(req, res, { format, name: 'order-costs', schema: OrderCost, pages: allPages(read) });
        return undefined;
      }
      const { rows, last } = await read(begin);
      return { costs: rows, ...(last !== undefined && { next: packed([last]) }) };
    },
  }),
];

const toCost = ({ orderId, fulfillmentCost, gatewayFee, stamp }: StoredOrderCost): OrderCost => ({
  order_id: orderId,
  ...(fulfillmentCost !== null && { fulfillment_cost: fulfillmentCost }),
  ...(gatewayFee !== null && { gateway_fee: gatewayFee }),
  received_at: formatTimestamp(stamp),
});

function parseCursor(text: string): string | null {
  const [orderId] = unpacked(text);
  return typeof orderId === 'string' ? orderId : null;
}

import type { TakeOrderCosts } from '../../ingest/order-costs.js';
import { OrderCostBatch, OrderCostBatchResult } from '../../schemas/order-costs.js';
import { batch } from '../request-bodies.js';
import { defineRoute, type Route } from '../route.js';

export interface OrderCostDeps {
  takeOrderCosts: TakeOrderCosts;
  requireCapacity: () => void;
}

/** `PUT /v1/costs/orders` (contract: "Statement"). */
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
          results: [
            { order_id: '2001', outcome: 'accepted' },
            { order_id: '2002', outcome: 'accepted' },
          ],
        },
      },
    ],
    run({ sender, body: { items, yielder } }, { requireCapacity, takeOrderCosts }) {
      requireCapacity();
      return takeOrderCosts(sender, items, yielder);
    },
  }),
];

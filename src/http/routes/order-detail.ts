import type { DayRange } from '../../domain/metrics/range.js';
import { echo, requestError } from '../../errors.js';
import type { CostSettingsRegistry } from '../../repositories/cost-settings.js';
import type { RequirePush } from '../../figures/freshness.js';
import type { SourceRegistry } from '../../repositories/sources.js';
import { OrderDetail } from '../../schemas/order-detail.js';
import { Id } from '../../schemas/primitives.js';
import type { FindOrder } from '../../warehouse/queries/order-detail.js';
import { toDetail } from '../answers/order-detail-answer.js';
import { AFTER } from '../parameters.js';
import { defineRoute, type Route } from '../route.js';
import { LISTED_ORDER } from './order-list.js';

export interface OrderDetailDeps {
  requirePush: RequirePush;
  sources: SourceRegistry;
  costSettings: CostSettingsRegistry;
  findOrder: FindOrder;
}

/** An order is made of rows, and of nothing that is summed up by day. */
const NO_DAYS: DayRange = { from: 0, to: -1 };

/** `GET /v1/orders/{order_id}` (contract: "Explaining figures"). */
export const orderDetailRoutes: readonly Route<OrderDetailDeps>[] = [
  defineRoute({
    id: 'getOrder',
    method: 'get',
    path: '/v1/orders/{order_id}',
    tag: 'Orders',
    scope: 'read',
    summary: 'An order and what explains its profit',
    description:
      'The stored state of one order: its lines with what they cost and how that was found, its refunds, the visits that led to it, ' +
      'the days on which it counts and what it brings on each, and the push that wrote it. A deleted order is answered too, with ' +
      '`why_not` `deleted`. An order shows once its push has reached the warehouse, about when the figures show it.',
    params: { order_id: { description: 'Natural key of the order.', schema: Id } },
    query: { after: AFTER },
    answers: { 200: { description: 'The order.', schema: OrderDetail } },
    errors: ['not_found', 'source_not_registered'],
    examples: [
      {
        name: 'order',
        summary: 'An order with a refund',
        path: { order_id: '1001' },
        status: 200,
        response: {
          ...LISTED_ORDER,
          currency: 'EUR',
          is_test: false,
          deleted: false,
          customer: { id: 'c-42' },
          total: '38.90',
          discounts: '0.00',
          shipping: '4.90',
          tax: '6.21',
          taxes_included: true,
          tips: '0.00',
          duties: '0.00',
          rounding_adjustment: '0.00',
          payment_gateway: 'stripe',
          gateway_fee: '0.82',
          line_items: [
            {
              line_id: '1',
              sku: 'MUG',
              title: 'Mug',
              quantity: '2.00',
              unit_price: '12.50',
              line_discount: '0.00',
              unit_cost: '4.10',
              cost: '8.20',
              cost_source: { from: 'line' },
            },
            {
              line_id: '2',
              sku: 'TEA',
              title: 'Tea',
              quantity: '1.00',
              unit_price: '9.90',
              line_discount: '0.90',
              unit_cost: '3.00',
              cost: '3.00',
              cost_source: { from: 'catalog', effective_from: null },
            },
          ],
          refunded: '12.50',
          refunds: [
            {
              refund_id: 'r-1',
              refunded_at: '2026-03-04T14:00:00.000000Z',
              day: '2026-03-04',
              total: '12.50',
              shipping_refund: '0.00',
              gateway_fee_refund: '0.00',
              gift_card_refund: '0.00',
              store_credit: false,
              line_items: [{ line_id: '1', quantity: '1.00', restock: true, cost: '4.10' }],
            },
          ],
          touches: [],
          days: [
            {
              date: '2026-03-01',
              revenue: '38.90',
              refunds: '0.00',
              cogs: '11.20',
              gateway_fees: '0.82',
              profit: '26.88',
              taxes: '6.21',
              earnings: '20.67',
            },
            {
              date: '2026-03-04',
              revenue: '0.00',
              refunds: '12.50',
              cogs: '-4.10',
              gateway_fees: '0.00',
              profit: '-8.40',
              taxes: '0.00',
              earnings: '-8.40',
            },
          ],
          written: {
            batch_id: 'b7c1f3f0-6c1e-4b57-9a53-0d8f4a1d2c11',
            receipt: 'b7c1f3f0-6c1e-4b57-9a53-0d8f4a1d2c11',
            key_last4: '3f9a',
            request_id: 'c5b0a7f2-16b4-4c1d-8b0e-5a7f3a0f9d21',
          },
        },
      },
    ],
    async run({ req, query: { after }, shopId }, { requirePush, sources, costSettings, findOrder }) {
      await requirePush(shopId, after, { range: NO_DAYS, credits: true });
      await sources.require(shopId);
      const orderId = String(req.params.order_id);
      const [{ rules }, found] = await Promise.all([costSettings.find(shopId), findOrder(shopId, orderId)]);
      if (found === null) throw requestError('not_found', `There is no order ${echo(orderId)}.`);
      return toDetail(found, rules);
    },
  }),
];

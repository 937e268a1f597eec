import Type from 'typebox';
import { OrderDetail } from '../../schemas/order-detail.js';
import { LISTED_STATUSES, OrderListResponse } from '../../schemas/order-reads.js';
import { Id } from '../../schemas/primitives.js';
import type { Operation, Parameter } from '../openapi/operation.js';
import { AFTER, CURSOR, limitParameter, RANGE } from '../openapi/parameters.js';

const either = (name: string, description: string): Parameter => ({
  name,
  in: 'query',
  description: `${description} Absent: both.`,
  schema: Type.Enum(['1', 'true', '0', 'false']),
});

const refunds = '12.50';
/** What the pushes of the examples before leave: an order with a refund, its tea costed by the catalog. */
const explained = {
  order_id: '1001',
  order_name: '#1001',
  placed_at: '2026-03-01T08:30:00.000000Z',
  day: '2026-03-01',
  status: 'paid',
  counted: true,
  revenue: '38.90',
  cogs: '7.10',
  gateway_fees: '0.82',
  profit: '18.48',
  cogs_complete: true,
  fee_source: 'actual',
  channel: 'unattributed',
  updated_at: '2026-03-04T14:00:00.000000Z',
  received_at: '2026-03-04T14:00:01.250000Z',
};
const { revenue, cogs, gateway_fees, profit } = explained;

export const orderReadOperations: readonly Operation[] = [
  {
    id: 'listOrders',
    method: 'get',
    path: '/v1/orders',
    tag: 'Orders',
    scope: 'read',
    summary: 'List orders with their profit',
    description: `Orders placed on the days of the range, newest first, each with what it brings in the figures; \`totals\` are the sums over **all** orders that the filter finds, not those of the page alone. Over a range that holds all refunds of its orders, they equal the figures of \`/v1/metrics\` without advertising.

- An order that does not count has zeros for figures, and \`why_not\` says why. Deleted orders are listed with \`status=deleted\` alone.
- \`missing_cost=1\` lists the counted orders with a line that has no unit cost, neither its own nor one of the catalog: what to price first.
- Send \`next\` as \`cursor\`, with the same parameters, for the next page. The range and the totals stay those of the first page. Orders that arrive or leave meanwhile cause no gap and no repeat; one whose \`placed_at\` is changed is listed where it stands when its page is read.`,
    parameters: [
      ...RANGE,
      AFTER,
      {
        name: 'status',
        in: 'query',
        description: 'Orders of this state alone; `deleted`: those that were deleted. Absent: all that were not.',
        schema: Type.Enum([...LISTED_STATUSES]),
      },
      either('counted', 'Orders that count in the figures (`1`), or that do not (`0`).'),
      { name: 'sku', in: 'query', description: 'Orders with a line of this SKU. Absent: all.', schema: Id },
      {
        name: 'channel',
        in: 'query',
        description: 'Orders whose last touch is of this channel; `unattributed`: those without one. Absent: all.',
        schema: Id,
      },
      {
        name: 'gateway',
        in: 'query',
        description: 'Orders of this payment gateway, in any case. Absent: all.',
        schema: Id,
      },
      either('missing_cost', 'Counted orders with a line of unknown cost (`1`), or all others (`0`).'),
      limitParameter('Orders'),
      CURSOR,
    ],
    answers: { 200: { description: 'A page of orders.', schema: OrderListResponse, rows: 'order' } },
    errors: ['source_not_registered'],
    examples: [
      {
        name: 'week',
        summary: 'Orders of a week',
        query: { from: '2026-03-01', to: '2026-03-07', counted: '1' },
        status: 200,
        response: {
          from: '2026-03-01',
          to: '2026-03-07',
          currency: 'EUR',
          orders: [{ ...explained, refunds }],
          totals: { orders: 1, revenue, refunds, cogs, gateway_fees, profit },
        },
      },
    ],
  },
  {
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
    parameters: [{ name: 'order_id', in: 'path', description: 'Natural key of the order.', schema: Id }, AFTER],
    answers: { 200: { description: 'The order.', schema: OrderDetail } },
    errors: ['not_found', 'source_not_registered'],
    examples: [
      {
        name: 'order',
        summary: 'An order with a refund',
        path: { order_id: '1001' },
        status: 200,
        response: {
          ...explained,
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
              tax_refund: '0.00',
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
            },
            {
              date: '2026-03-04',
              revenue: '0.00',
              refunds: '12.50',
              cogs: '-4.10',
              gateway_fees: '0.00',
              profit: '-8.40',
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
  },
];

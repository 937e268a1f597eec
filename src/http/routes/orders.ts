import { readVersion } from '../../domain/orders/orders.js';
import { HOLD_CODES } from '../../error-catalogue.js';
import type { TakeOrders } from '../../ingest/orders.js';
import { OrderBatch, OrderBatchResult } from '../../schemas/orders.js';
import { ORDER_PLATFORMS } from '../../ingest/platform-orders.js';
import { oneOf, switchOn } from '../parameters.js';
import { platformOr } from '../platform-body.js';
import { batch } from '../request-bodies.js';
import { defineRoute, type Route } from '../route.js';

export interface OrderDeps {
  takeOrders: TakeOrders;
  /** Throws `queue_unavailable` while the queue is over its budget. */
  requireCapacity: () => void;
}

const order = {
  order_id: '1001',
  order_name: '#1001',
  placed_at: '2026-03-01T09:30:00+01:00',
  updated_at: '2026-03-01T09:31:12.250+01:00',
  currency: 'EUR',
  status: 'paid',
  customer: { id: 'c-42' },
  line_items: [
    { line_id: '1', sku: 'MUG', title: 'Mug', quantity: '2', unit_price: '12.50', unit_cost: '4.10' },
    { line_id: '2', sku: 'TEA', title: 'Tea', quantity: '1', unit_price: '9.90', line_discount: '0.90' },
  ],
  shipping: '4.90',
  tax: '6.21',
  taxes_included: true,
  total: '38.90',
  payment_gateway: 'stripe',
  gateway_fee: '0.82',
};

/** `POST /v1/orders` (specification: "POST /v1/orders rules", contract: "Orders"). */
export const orderRoutes: readonly Route<OrderDeps>[] = [
  defineRoute({
    id: 'pushOrders',
    method: 'post',
    path: '/v1/orders',
    tag: 'Orders',
    scope: 'orders:write',
    summary: 'Push orders',
    description: `Upserts 1 to 250 orders by \`order_id\`. The answer is 200 with one result an item, in the order of the request, even when items are rejected; one bad item takes the others with it nowhere.

- **Sum identity**, exact: Σ \`unit_price\` × \`quantity\` − Σ \`line_discount\` − \`discounts\` + \`shipping\` + \`tips\` + \`duties\` + \`rounding_adjustment\` (+ \`tax\` unless \`taxes_included\`) = \`total\`.
- **Stale guard**: an older \`updated_at\` than the stored one is \`superseded\`; an equal one is accepted again.
- A re-send carries the whole order: a line or refund that it omits is gone.
- \`total\` is what the customer paid, never net of refunds; refunds count on their own day.
- \`warnings\` of an accepted item tell what is unlikely, such as refunds that exceed \`total\`; nothing is refused for them.
- \`receipt\` names the push: \`after=<receipt>\` on a read of figures gives none without it.
- Only orders that are \`paid\`, no test and not deleted count in the figures.`,
    query: {
      validateOnly: switchOn('validate_only', 'Gives the same results and stores nothing.'),
      platform: oneOf(
        'format',
        ORDER_PLATFORMS,
        'The body is JSON of this platform: one order, `{ order }`, `{ orders }` or a list, of WooCommerce `{ order, refunds }` too; at most 250 orders. ' +
          'An order that can not be converted is `rejected` with the code that says why. Absent: the body is a batch as below.',
      ),
      wholeSeconds: switchOn(
        'whole_seconds',
        'The `updated_at` of these orders have whole seconds, and they were read from their platform after that second: one counts as newer ' +
          'than all that a webhook brought of it. `format=` implies it.',
      ),
    },
    body: platformOr(batch(OrderBatch)),
    answers: { 200: { description: 'One result an item.', schema: OrderBatchResult } },
    errors: ['batch_size', 'source_not_registered', 'queue_unavailable'],
    itemRules: [
      'sum_mismatch',
      'pii_rejected',
      'currency_mismatch',
      'duplicate_line_id',
      'duplicate_refund_id',
      'unknown_line_id',
      ...HOLD_CODES,
    ],
    examples: [
      {
        name: 'push',
        summary: 'One order',
        body: { orders: [order] },
        status: 200,
        response: {
          accepted: 1,
          rejected: 0,
          superseded: 0,
          receipt: '019ca8b2-5b1c-7d6e-9f37-2a4c6e8b0d15',
          results: [{ order_id: '1001', outcome: 'accepted' }],
        },
      },
      {
        name: 'refund',
        summary: 'The same order with a refund, and one whose sum is wrong',
        body: {
          orders: [
            {
              ...order,
              updated_at: '2026-03-04T15:00:00+01:00',
              refunds: [
                {
                  refund_id: 'r-1',
                  refunded_at: '2026-03-04T15:00:00+01:00',
                  total: '12.50',
                  line_items: [{ line_id: '1', quantity: '1', restock: true }],
                },
              ],
            },
            {
              order_id: '1002',
              placed_at: '2026-03-02T11:00:00+01:00',
              currency: 'EUR',
              status: 'paid',
              line_items: [{ line_id: '1', quantity: '3', unit_price: '10' }],
              total: '29.99',
            },
          ],
        },
        status: 200,
        response: {
          accepted: 1,
          rejected: 1,
          superseded: 0,
          receipt: '019ca8b9-02f4-7a31-b1c8-5d0e7f92a6c3',
          results: [
            { order_id: '1001', outcome: 'accepted' },
            {
              order_id: '1002',
              outcome: 'rejected',
              errors: [
                {
                  code: 'sum_mismatch',
                  message:
                    'The lines, discounts, shipping, tips, duties, rounding and added tax give 30.00, but total is 29.99.',
                  field: 'total',
                  computed: '30.00',
                  supplied: '29.99',
                },
              ],
            },
          ],
        },
      },
      {
        name: 'empty',
        summary: 'A batch without items',
        body: { orders: [] },
        status: 400,
        response: {
          errors: [{ code: 'batch_size', message: 'orders must hold 1 to 250 entries.', field: 'orders' }],
          request_id: 'b0b6a9c6-5ef5-4a52-9d2e-3a4f4f6e8a01',
        },
      },
    ],
    run({ query, sender, body: { items, yielder } }, { takeOrders, requireCapacity }) {
      const { validateOnly, platform, wholeSeconds } = query;
      if (!validateOnly) requireCapacity();
      const versionOf = platform === undefined && !wholeSeconds ? undefined : readVersion;
      return takeOrders(sender, items, { validateOnly, yielder, platform, versionOf });
    },
  }),
];

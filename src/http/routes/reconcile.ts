import { toRanges } from '../../domain/day-ranges.js';
import { parseDay } from '../../domain/time.js';
import type { RequirePush } from '../../figures/freshness.js';
import type { SourceRegistry } from '../../repositories/sources.js';
import {
  RECONCILE_BODY_BYTES,
  RECONCILE_KEYS,
  ReconcileRequest,
  ReconcileResponse,
  reconcileValidator,
} from '../../schemas/reconcile.js';
import type { Reconcile } from '../answers/reconcile.js';
import { AFTER } from '../parameters.js';
import { large } from '../request-bodies.js';
import { defineRoute, type Route } from '../route.js';

export interface ReconcileDeps {
  requirePush: RequirePush;
  sources: SourceRegistry;
  reconcile: Reconcile;
}

/** `POST /v1/reconcile` (contract: "Explaining figures"). */
export const reconcileRoutes: readonly Route<ReconcileDeps>[] = [
  defineRoute({
    id: 'reconcile',
    method: 'post',
    path: '/v1/reconcile',
    tag: 'Metrics',
    scope: 'read',
    summary: "Compare with the store's own figures",
    description: `Takes the store's own totals by day, or a list of its orders, and answers where this service differs, with the reason where it is known. Amounts are compared exactly; nothing is stored.

- **By day**: \`orders\`, \`revenue\` and \`refunds\` as \`/v1/metrics\` has them. Reasons are looked for on the first 31 days that differ.
- **By order**: \`total\`, \`refunded\` and \`updated_at\` of each. Platforms delete and change refunds without a new version, which \`refunded\` alone shows. An order that is here and does not count (a test, voided, pending) is no difference. With \`complete_for\` the list claims to be all orders of these days.
- A push that was accepted shows within seconds; with \`after\` the answer contains it.`,
    query: { after: AFTER },
    body: large(reconcileValidator, ReconcileRequest, { maxBytes: RECONCILE_BODY_BYTES, maxKeys: RECONCILE_KEYS }),
    answers: { 200: { description: 'The differences.', schema: ReconcileResponse } },
    errors: [
      'batch_size',
      'invalid_range',
      'range_too_long',
      'invalid_timestamp',
      'invalid_money',
      'money_must_be_string',
      'source_not_registered',
    ],
    examples: [
      {
        name: 'days',
        summary: 'Two days, one of them with another revenue',
        body: {
          days: [
            { date: '2026-03-01', orders: 1, revenue: '40.00' },
            { date: '2026-03-04', refunds: '12.50' },
          ],
        },
        status: 200,
        response: {
          equal: 1,
          differences: [{ kind: 'figure', date: '2026-03-01', figure: 'revenue', here: '38.90', there: '40.00' }],
        },
      },
      {
        name: 'orders',
        summary: 'All orders of two days, one of which was rejected here',
        body: {
          orders: [
            { order_id: '1001', updated_at: '2026-03-04T15:00:00+01:00', total: '38.90', refunded: '12.50' },
            { order_id: '1002', total: '29.99' },
          ],
          complete_for: { from: '2026-03-01', to: '2026-03-02' },
        },
        status: 200,
        response: {
          equal: 1,
          differences: [
            {
              kind: 'missing_here',
              order_id: '1002',
              here: null,
              there: '29.99',
              reason: 'rejected',
              errors: [
                {
                  code: 'sum_mismatch',
                  message: 'The parts of the order do not add up to its total; `computed` and `supplied` show both.',
                  field: 'total',
                  computed: '30.00',
                  supplied: '29.99',
                },
              ],
            },
          ],
        },
      },
    ],
    async run({ query: { after }, body: { value: request, yielder }, shopId }, { requirePush, sources, reconcile }) {
      // Orders are read from rows, and nothing else is summed up by day.
      const listed = request.days?.map(({ date }) => parseDay(date) ?? 0) ?? [];
      await requirePush(shopId, after, { range: toRanges(listed), credits: false });
      await sources.require(shopId);
      return reconcile(shopId, request, yielder);
    },
  }),
];

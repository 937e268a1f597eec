import Type from 'typebox';
import { utcDay } from '../../domain/time.js';
import { localDayIn } from '../../domain/zones/local-day.js';
import type { AuditState } from '../../redis/audit-state.js';
import type { SharedAnswers } from '../../redis/shared-answers.js';
import type { SourceRegistry } from '../../repositories/sources.js';
import { IngestStatusResponse, type FailedDay } from '../../schemas/ingest-status.js';
import type { ReadIngestStatus } from '../../warehouse/queries/ingest-status.js';
import { sendConditional } from '../middleware/conditional.js';
import { defineRoute, type Route } from '../route.js';

export interface IngestStatusDeps {
  now: () => number;
  sources: SourceRegistry;
  ingestStatus: ReadIngestStatus;
  /** Days of a shop that could not be rebuilt. */
  failedDays: (shopId: string) => Promise<FailedDay[]>;
  /** What the auditor says of a shop. */
  auditOf: AuditState['of'];
  /** BI users of a shop that are closed. */
  closedBiUsers: (shopId: string) => Promise<string[]>;
  /** At most one computation of a shop in 10 s over all processes. */
  statusAnswers: SharedAnswers;
}

const arrived = (accepted: number, rejected: number) => {
  const counts = { accepted, rejected, superseded: 0 };
  return { last_received_at: '2026-03-04T14:00:02.104Z', windows: { '24h': counts, '7d': counts, '30d': counts } };
};

/** `GET /v1/ingest/status` (specification: "GET /v1/ingest/status rules", contract: "Health and status"). */
export const ingestStatusRoutes: readonly Route<IngestStatusDeps>[] = [
  defineRoute({
    id: 'getIngestStatus',
    method: 'get',
    path: '/v1/ingest/status',
    tag: 'Status',
    scope: 'read',
    summary: 'What arrived, what was refused and why',
    description:
      'Counters of every kind of data over rolling windows, which begin with a full hour, the most frequent error codes, and how complete the costs are. ' +
      'Computed at most once in 10 s a shop: polling faster gives the same answer, and `If-None-Match` with its `ETag` gives ' +
      '304. A 503 means that the status is unknown, never that nothing arrived.',
    headers: {
      'If-None-Match': { description: 'Entity tags of known answers, or `*`.', schema: Type.String() },
    },
    answers: {
      200: { description: 'The status.', schema: IngestStatusResponse, headers: ['ETag', 'Cache-Control'] },
      304: { description: 'Unchanged since the entity tag.', headers: ['ETag', 'Cache-Control'] },
    },
    examples: [
      {
        name: 'status',
        summary: 'After the examples before',
        status: 200,
        response: {
          kinds: {
            orders: {
              ...arrived(2, 1),
              top_error_codes: [
                {
                  code: 'sum_mismatch',
                  count: 1,
                  sample_message:
                    'The parts of the order do not add up to its total; `computed` and `supplied` show both.',
                },
              ],
            },
            spend: { ...arrived(1, 0), top_error_codes: [] },
            product_costs: { ...arrived(2, 0), top_error_codes: [] },
            expenses: { ...arrived(4, 0), top_error_codes: [] },
            events: {
              ...arrived(1, 1),
              top_error_codes: [
                {
                  code: 'consent_required',
                  count: 1,
                  sample_message: 'An event came without consent and was dropped.',
                },
              ],
            },
          },
          coverage: {
            cogs_complete: null,
            gateway_fee_actual: null,
            tax_present: null,
            fulfillment_known: null,
            orders: 0,
            orders_without_cost: 0,
            products_without_cost: 0,
            orders_fee_estimated: 0,
            orders_without_fee: 0,
            orders_without_tax: 0,
            orders_without_fulfillment: 0,
            refunds_without_tax: 0,
          },
          orders_unknown: 2,
        },
      },
    ],
    async run({ req, res, shopId }, deps) {
      const json = await deps.statusAnswers.get(shopId, async () => {
        const nowMs = deps.now();
        const source = await deps.sources.find(shopId);
        // Before a source is registered there are no orders, so no day either: any will do.
        const today = source === null ? utcDay(nowMs) : localDayIn(source.timezone)(nowMs * 1000);
        const [status, failedDays, audit, closedBiUsers] = await Promise.all([
          deps.ingestStatus(shopId, { nowMs, today }),
          deps.failedDays(shopId),
          deps.auditOf(shopId),
          deps.closedBiUsers(shopId),
        ]);
        return JSON.stringify({
          ...status,
          ...(failedDays.length > 0 && { failed_days: failedDays }),
          ...((audit.complete_at !== null || audit.wrong_days.length > 0) && { audit }),
          ...(closedBiUsers.length > 0 && { closed_bi_users: closedBiUsers }),
        });
      });
      sendConditional(req, res, json);
    },
  }),
];

import { INGEST_KINDS } from '../../domain/ingest.js';
import { ERROR_CODES } from '../../error-catalogue.js';
import { rejectionPlaceValidator, RejectionsResponse, type Rejection } from '../../schemas/rejections.js';
import type { RejectionPlace, RejectionsReader, StoredRejection } from '../../warehouse/queries/rejections.js';
import { nextOf, queryId, readCursor } from '../cursor.js';
import { pageOf } from '../exports/pages.js';
import { cursor, limit, oneOf } from '../parameters.js';
import { defineRoute, type Route } from '../route.js';

export interface RejectionDeps {
  rejections: RejectionsReader;
}

/** `GET /v1/ingest/rejections` (contract: "Explaining figures"). */
export const rejectionRoutes: readonly Route<RejectionDeps>[] = [
  defineRoute({
    id: 'listRejections',
    method: 'get',
    path: '/v1/ingest/rejections',
    tag: 'Status',
    scope: 'secret',
    summary: 'Rejected items',
    description: `What was rejected in the last 7 days, newest push first, with its faults and what was sent, some seconds after the push at most.

- **Personal data is not kept**: no \`customer\`, no unknown field, and no text that holds an e-mail address or a phone number.
- Of browser events nothing is kept: one may have been dropped for want of consent. \`/v1/ingest/status\` counts them, and \`debug=1\` of the collector tells their faults.
- At most 1 MB of a push and 4 MB of a shop and hour are kept; what is rejected beyond is counted by \`/v1/ingest/status\` alone. None of it counts against a budget of the shop's figures.`,
    query: {
      kind: oneOf('kind', INGEST_KINDS, 'Rejections of this kind alone.'),
      code: oneOf('code', ERROR_CODES, 'Rejections with this code alone.'),
      limit: limit('Entries'),
      cursor: cursor((given) => readCursor(given, rejectionPlaceValidator)),
    },
    answers: { 200: { description: 'A page of rejected items.', schema: RejectionsResponse } },
    examples: [
      {
        name: 'sum',
        summary: 'Orders whose sum was wrong',
        query: { kind: 'orders', code: 'sum_mismatch' },
        status: 200,
        response: {
          rejections: [
            {
              at: '2026-03-04T14:00:01.250Z',
              kind: 'orders',
              id: '1002',
              errors: [
                {
                  code: 'sum_mismatch',
                  message: 'The parts of the order do not add up to its total; `computed` and `supplied` show both.',
                  field: 'total',
                  computed: '30.00',
                  supplied: '29.99',
                },
              ],
              payload: {
                order_id: '1002',
                placed_at: '2026-03-02T11:00:00+01:00',
                currency: 'EUR',
                status: 'paid',
                line_items: [{ line_id: '1', quantity: '3', unit_price: '10' }],
                total: '29.99',
              },
              key_last4: '3f9a',
              request_id: '6c1de0b4-53a1-4f34-8f52-1f1a5c9d7e03',
            },
          ],
        },
      },
    ],
    async run({ req, query: { kind, code, cursor: begin, limit: size }, shopId }, deps): Promise<RejectionsResponse> {
      const id = queryId(shopId, req.query, begin);
      const found = await deps.rejections.list({ shopId, kind, code }, begin?.place, size + 1);
      const { rows, last } = pageOf(found, size);
      const next: RejectionPlace | undefined = last && { at: last.at, batchId: last.batchId, position: last.position };
      return { rejections: rows.map(toRejection), ...nextOf(id, next) };
    },
  }),
];

function toRejection({ at, kind, id, errors, payload, isCut, keyLast4, requestId }: StoredRejection): Rejection {
  return {
    at: new Date(at).toISOString(),
    kind,
    id,
    errors,
    ...(payload !== null && { payload }),
    ...(isCut && { cut: true }),
    key_last4: keyLast4,
    request_id: requestId,
  };
}

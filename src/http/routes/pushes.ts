import { PUSH_KINDS } from '../../domain/ingest.js';
import { parseReceipt } from '../../domain/receipts.js';
import type { Freshness } from '../../figures/freshness.js';
import { Receipt } from '../../schemas/primitives.js';
import { pushPlaceValidator, PushesResponse, type Push } from '../../schemas/pushes.js';
import type { ListedPush, ListPushes } from '../../warehouse/queries/push-list.js';
import { nextOf, queryId, readCursor } from '../cursor.js';
import { pageOf } from '../exports/pages.js';
import { cursor, limit, oneOf, parameter } from '../parameters.js';
import { defineRoute, type Route } from '../route.js';

export interface PushDeps {
  listPushes: ListPushes;
  daysLeft: Freshness['daysLeft'];
}

/** `GET /v1/ingest/pushes` (contract: "What the app reads"). */
export const pushRoutes: readonly Route<PushDeps>[] = [
  defineRoute({
    id: 'listPushes',
    method: 'get',
    path: '/v1/ingest/pushes',
    tag: 'Status',
    scope: 'secret',
    summary: 'Accepted pushes',
    description: `The pushes of the last 30 days of which something was accepted, newest first, as soon as they are stored: which key and request sent
them, and what became of their items. Browser events are not among them.

With \`receipt\` it is that one push, and \`days_left\` says how many days are still to be computed until all figures contain it and all
earlier pushes: ask again until it is 0. While it or an earlier one is queued, \`days_left\` is null; the list may be empty.`,
    query: {
      kind: oneOf('kind', PUSH_KINDS, 'Pushes of this kind alone.'),
      receipt: parameter(
        'receipt',
        {
          description: 'The push with this receipt alone. One of another shop, or of no push, is `invalid_value`.',
          schema: Receipt,
        },
        parseReceipt,
        'must be the receipt of a push',
      ),
      limit: limit('Pushes'),
      cursor: cursor((given) => readCursor(given, pushPlaceValidator)),
    },
    answers: { 200: { description: 'A page of pushes.', schema: PushesResponse } },
    examples: [
      {
        name: 'spend',
        summary: 'A push of ad spend',
        query: { kind: 'spend' },
        status: 200,
        response: {
          pushes: [
            {
              at: '2026-03-04T14:00:01.250Z',
              kind: 'spend',
              key_last4: '3f9a',
              accepted: 1,
              rejected: 0,
              superseded: 0,
              receipt: '019ca8b2-5b1c-7d6e-9f37-2a4c6e8b0d15',
              request_id: '6c1de0b4-53a1-4f34-8f52-1f1a5c9d7e03',
              ms: 12,
            },
          ],
        },
      },
    ],
    async run({ req, query: { kind, receipt, cursor: begin, limit: size }, shopId }, deps): Promise<PushesResponse> {
      const id = queryId(shopId, req.query, begin);
      // First: a push that is computed meanwhile is then in the list.
      const left = receipt && { days_left: await deps.daysLeft(shopId, receipt) };
      const found = await deps.listPushes({ shopId, kind, receipt }, begin?.place, size + 1);
      const { rows, last } = pageOf(found, size);
      return {
        pushes: rows.map((push) => ({ ...toPush(push), ...left })),
        ...left,
        ...nextOf(id, last && { at: last.at, batchId: last.batchId }),
      };
    },
  }),
];

function toPush({ at, kind, keyLast4, accepted, rejected, superseded, batchId, requestId, ms }: ListedPush): Push {
  return {
    at: new Date(at).toISOString(),
    kind,
    key_last4: keyLast4,
    accepted,
    rejected,
    superseded,
    receipt: batchId,
    request_id: requestId,
    ms,
  };
}

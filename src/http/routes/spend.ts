import type { TakeSpend } from '../../ingest/spend.js';
import { SpendBatch, SpendBatchResult } from '../../schemas/spend.js';
import { batch } from '../request-bodies.js';
import { defineRoute, type Route } from '../route.js';

export interface SpendDeps {
  takeSpend: TakeSpend;
  requireCapacity: () => void;
}

/** `POST /v1/costs/spend` (contract: "Ad spend"). */
export const spendRoutes: readonly Route<SpendDeps>[] = [
  defineRoute({
    id: 'pushSpend',
    method: 'post',
    path: '/v1/costs/spend',
    tag: 'Costs',
    scope: 'costs:write',
    summary: 'Push ad spend',
    description:
      'Upserts 1 to 500 rows by channel, day, currency and the campaign, ad-set and ad ids that are given; the newest push of a ' +
      'key wins. `channel` is stored as `custom:<slug>`. A spend of `"0"` without ids clears the whole day of the channel and ' +
      'currency. Spend in another currency than that of the shop is kept; it is left out of the figures unless the source has `convert_spend` and ' +
      'its day a rate (`PUT /v1/rates`).',
    body: batch(SpendBatch),
    answers: { 200: { description: 'One result a row.', schema: SpendBatchResult } },
    errors: ['batch_size', 'source_not_registered', 'queue_unavailable'],
    itemRules: ['invalid_channel'],
    examples: [
      {
        name: 'push',
        summary: 'A day of a radio campaign',
        body: { rows: [{ channel: 'Radio', event_date: '2026-03-02', currency: 'EUR', spend: '15', clicks: 12 }] },
        status: 200,
        response: {
          accepted: 1,
          rejected: 0,
          receipt: '019ca8b2-5b1c-7d6e-9f37-2a4c6e8b0d15',
          results: [{ channel: 'custom:radio', event_date: '2026-03-02', currency: 'EUR', outcome: 'accepted' }],
        },
      },
    ],
    run({ sender, body: { items, yielder } }, { requireCapacity, takeSpend }) {
      requireCapacity();
      return takeSpend(sender, items, yielder);
    },
  }),
];

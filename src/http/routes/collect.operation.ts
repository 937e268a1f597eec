import { COLLECT_BODY_BYTES, COLLECT_TYPES, CollectBatch, CollectEvent, CollectResult } from '../../schemas/collect.js';
import type { Operation } from '../openapi/operation.js';
import { switchParameter } from '../openapi/parameters.js';
import { withItems } from '../openapi/with-items.js';

const event = {
  event_id: '0b0c7d2e-6a0b-4a36-9d3a-5f1c4a6d9e01',
  type: 'purchase',
  ts: '2026-03-01T08:30:02.120Z',
  anon_id: '5b1f6d0a-0d2b-4b1f-8f4b-6f9d1f0c2a77',
  consent: 'analytics',
  url: 'https://shop.example.com/thanks?utm_source=newsletter',
  order_id: '1001',
};

export const collectOperations: readonly Operation[] = [
  {
    id: 'collect',
    method: 'post',
    path: '/v1/collect',
    tag: 'Collect',
    scope: 'collect',
    summary: 'Collect browser events',
    description:
      'Takes 1 to 20 events from a page. The pixel token comes as a bearer header or as `token` in the body; the header wins. ' +
      'A valid request is answered 204 once its events are in the durable queue, even if some of them were dropped; `event_id` ' +
      'is the natural key, and a repeat counts once. Send `url` and `referrer` raw: the service reads click ids and campaign ' +
      'parameters and removes what is personal. Events never carry money, and none may be sent without consent. Any origin may ' +
      'call; `text/plain` spares the browser a preflight. Needs no registered source.',
    parameters: [switchParameter('debug', 'Gives a verdict for each event instead of 204; heavily rate limited.')],
    body: {
      schema: withItems(CollectBatch, { events: CollectEvent }),
      maxBytes: COLLECT_BODY_BYTES,
      types: ['application/json', ...COLLECT_TYPES.filter((type) => type !== 'application/json')],
    },
    answers: {
      200: { description: 'With `debug=1`: a verdict for each event.', schema: CollectResult },
      204: { description: 'The events are in the durable queue.' },
    },
    errors: ['batch_size', 'queue_unavailable'],
    itemErrors: [
      'too_many',
      'missing_field',
      'unknown_field',
      'invalid_type',
      'invalid_value',
      'invalid_timestamp',
      'invalid_quantity',
      'pii_rejected',
      'bot',
      'consent_required',
    ],
    examples: [
      { name: 'purchase', summary: 'A purchase', body: { events: [event] }, status: 204 },
      {
        name: 'debug',
        summary: 'Verdicts: an event without consent is dropped',
        query: { debug: '1' },
        body: { events: [{ ...event, event_id: '0b0c7d2e-6a0b-4a36-9d3a-5f1c4a6d9e02', consent: 'none' }] },
        status: 200,
        response: {
          results: [
            {
              event_id: '0b0c7d2e-6a0b-4a36-9d3a-5f1c4a6d9e02',
              verdict: 'dropped',
              errors: [
                {
                  code: 'consent_required',
                  message: 'consent must be one of analytics, analytics+marketing; it is "none".',
                  field: 'consent',
                },
              ],
            },
          ],
        },
      },
    ],
  },
];

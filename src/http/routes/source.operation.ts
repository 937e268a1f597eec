import { SOURCE_BODY_BYTES, Source, SourceInput } from '../../schemas/source.js';
import type { Operation } from '../openapi/operation.js';

const registered = {
  platform: 'woocommerce',
  currency: 'EUR',
  timezone: 'Europe/Berlin',
  shop_domain: 'shop.example.com',
  locked: false,
  registered_at: '2026-03-01T08:00:00.000Z',
  status: 'connected',
};

export const sourceOperations: readonly Operation[] = [
  {
    id: 'putSource',
    method: 'put',
    path: '/v1/source',
    tag: 'Source',
    scope: 'secret',
    summary: 'Register or edit the source',
    description:
      'Names the platform, the currency of all amounts and the time zone whose days the figures are of. Currency and time zone ' +
      'are immutable after the first accepted order (`source_locked`); repeating the same values is fine, and platform and ' +
      'domain stay editable. Time zones are the IANA names that the service and its warehouse read alike, in any case.',
    body: { schema: SourceInput, maxBytes: SOURCE_BODY_BYTES },
    answers: { 200: { description: 'The registered source.', schema: Source } },
    errors: ['source_locked'],
    examples: [
      {
        name: 'register',
        summary: 'A shop in Berlin',
        body: {
          platform: 'woocommerce',
          currency: 'EUR',
          timezone: 'Europe/Berlin',
          shop_domain: 'shop.example.com',
        },
        status: 200,
        response: registered,
      },
      {
        name: 'not_a_zone',
        summary: 'An abbreviation is no time zone',
        body: { platform: 'woocommerce', currency: 'EUR', timezone: 'CEST' },
        status: 400,
        response: {
          errors: [
            {
              code: 'invalid_value',
              message: 'timezone must be a name of the IANA time zones; the nearest is "Europe/Berlin"; it is "CEST".',
              field: 'timezone',
            },
          ],
          request_id: '1f6f3f3e-6d0a-4a0e-9d59-0f7a3c1f5a11',
        },
      },
    ],
  },
  {
    id: 'getSource',
    method: 'get',
    path: '/v1/source',
    tag: 'Source',
    scope: 'read',
    summary: 'Read the source',
    description: 'The registered source with the state of the store connection; 404 before registration.',
    answers: { 200: { description: 'The registered source.', schema: Source } },
    errors: ['not_found'],
    examples: [{ name: 'registered', summary: 'After registration', status: 200, response: registered }],
  },
];

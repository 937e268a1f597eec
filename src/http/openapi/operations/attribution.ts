import { AttributionModelName, AttributionResponse } from '../../../schemas/attribution.js';
import type { Operation } from '../operation.js';
import { RANGE } from '../parameters.js';

export const attributionOperations: readonly Operation[] = [
  {
    id: 'getAttribution',
    method: 'get',
    path: '/v1/attribution',
    tag: 'Metrics',
    scope: 'read',
    summary: 'Orders and revenue by channel',
    description:
      'Orders of the range with their revenue and refunds, credited to the channels of the visits that the pixel saw in the 30 ' +
      'days before each order. Orders without such a visit are `unattributed`.',
    parameters: [
      ...RANGE,
      { name: 'model', in: 'query', description: 'How credit is given.', schema: AttributionModelName },
    ],
    responses: { 200: { description: 'A row a channel.', schema: AttributionResponse } },
    errors: ['invalid_range', 'range_too_long', 'source_not_registered'],
    examples: [
      {
        name: 'unattributed',
        summary: 'A day whose only order no visit led to',
        query: { from: '2026-03-01', to: '2026-03-01', model: 'linear' },
        status: 200,
        response: {
          from: '2026-03-01',
          to: '2026-03-01',
          currency: 'EUR',
          model: 'linear',
          channels: [
            {
              channel: 'expenses',
              orders: 0,
              revenue: '0.00',
              refunds: '0.00',
              net_revenue: '0.00',
              ad_spend: '1.00',
              roas: '0.00',
            },
            {
              channel: 'unattributed',
              orders: 1,
              revenue: '38.90',
              refunds: '0.00',
              net_revenue: '38.90',
              ad_spend: '0.00',
              roas: null,
            },
          ],
        },
      },
    ],
  },
];

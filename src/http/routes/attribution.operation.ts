import { AttributionModelName, AttributionResponse } from '../../schemas/attribution.js';
import type { Operation } from '../openapi/operation.js';
import { AFTER, AS_OF, RANGE } from '../openapi/parameters.js';

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
      'days before each order. Orders without such a visit are `unattributed`. Each channel says what part of it is `proved`: what ' +
      'proves a visit, and which sign wins where signs contradict each other, stands with the reasons in one table under ' +
      '"Channels and evidence" in `pixel/README.md`. A shop has at most 1,000 channels of spend; the pixel gives channels of a ' +
      'fixed list, where an unknown campaign is `other`. Of more than 1,000 channels, those of the least revenue are told ' +
      'together as `other`.',
    parameters: [
      ...RANGE,
      { name: 'model', in: 'query', description: 'How credit is given.', schema: AttributionModelName },
      AFTER,
      AS_OF,
    ],
    answers: { 200: { description: 'A row a channel.', schema: AttributionResponse } },
    errors: ['source_not_registered'],
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
              proved: { orders: 0, revenue: '0.00', net_revenue: '0.00' },
            },
            {
              channel: 'unattributed',
              orders: 1,
              revenue: '38.90',
              refunds: '0.00',
              net_revenue: '38.90',
              ad_spend: '0.00',
              roas: null,
              proved: { orders: 0, revenue: '0.00', net_revenue: '0.00' },
            },
          ],
        },
      },
    ],
  },
];

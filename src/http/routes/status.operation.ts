import Type from 'typebox';
import { ConnectionsResponse } from '../../schemas/connections.js';
import { HealthResponse, LivenessResponse, ReadinessResponse } from '../../schemas/health.js';
import { IngestStatusResponse } from '../../schemas/ingest-status.js';
import { VERSION } from '../version.js';
import type { Operation } from '../openapi/operation.js';

const arrived = (accepted: number, rejected: number) => {
  const counts = { accepted, rejected, superseded: 0 };
  return { last_received_at: '2026-03-04T14:00:02.104Z', windows: { '24h': counts, '7d': counts, '30d': counts } };
};

export const statusOperations: readonly Operation[] = [
  {
    id: 'getConnections',
    method: 'get',
    path: '/v1/connections',
    tag: 'Status',
    scope: 'read',
    summary: 'State of every integration',
    description:
      'One entry for the store, one for the pixel, one for each ad channel seen. New channels appear over time: treat unknown ' +
      'values as valid. Fields that do not apply to a channel are absent.',
    answers: { 200: { description: 'The connections.', schema: ConnectionsResponse } },
    examples: [
      {
        name: 'connections',
        summary: 'A store, its pixel and an ad channel',
        status: 200,
        response: {
          connections: [
            {
              channel: 'woocommerce',
              status: 'connected',
              shop_domain: 'shop.example.com',
              currency: 'EUR',
              connected_at: '2026-03-01T08:00:00.000Z',
              last_synced_at: '2026-03-04T14:00:01.337Z',
            },
            {
              channel: 'pixel',
              status: 'connected',
              connected_at: '2026-03-01T08:30:03.001Z',
              last_synced_at: '2026-03-01T08:30:03.001Z',
            },
            {
              channel: 'custom:radio',
              status: 'connected',
              ad_accounts: 1,
              last_synced_at: '2026-03-03T05:00:00.240Z',
            },
          ],
        },
      },
    ],
  },
  {
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
    parameters: [
      {
        name: 'If-None-Match',
        in: 'header',
        description: 'Entity tags of known answers, or `*`.',
        schema: Type.String(),
      },
    ],
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
          coverage: { cogs_complete: null, gateway_fee_actual: null, tax_present: null },
        },
      },
    ],
  },
  {
    id: 'getHealth',
    method: 'get',
    path: '/v1/health',
    tag: 'Status',
    scope: 'read',
    summary: 'State of the service',
    description:
      'Always 200 while the service answers; `status` says whether it can do all, some or nothing of its work.',
    answers: { 200: { description: 'The state.', schema: HealthResponse } },
    examples: [
      {
        name: 'ok',
        summary: 'All well',
        status: 200,
        response: {
          status: 'ok',
          version: VERSION,
          time: '2026-03-01T08:00:00.000Z',
          checks: { redis: 'ok', clickhouse: 'ok', queues: 'ok' },
        },
      },
    ],
  },
  {
    id: 'getLiveness',
    method: 'get',
    path: '/healthz',
    tag: 'Status',
    scope: null,
    summary: 'The process lives',
    description: 'For orchestrators, without a key.',
    answers: { 200: { description: 'It does.', schema: LivenessResponse } },
    examples: [{ name: 'ok', summary: 'Alive', status: 200, response: { status: 'ok' } }],
  },
  {
    id: 'getReadiness',
    method: 'get',
    path: '/readyz',
    tag: 'Status',
    scope: null,
    summary: 'The service can serve',
    description:
      'For orchestrators and load balancers, without a key. Degraded is ready: pushes are taken while the warehouse is away. ' +
      'A process that is to stop says 503 for some seconds (`DRAIN_SECONDS`), in which it still answers every request.',
    answers: {
      200: { description: 'It can.', schema: ReadinessResponse },
      503: { description: 'It can do nothing, or is about to stop.', schema: ReadinessResponse },
    },
    examples: [{ name: 'ok', summary: 'Ready', status: 200, response: { status: 'ok' } }],
  },
  {
    id: 'getOpenApi',
    method: 'get',
    path: '/openapi.json',
    tag: 'Status',
    scope: null,
    summary: 'This document',
    description: 'The OpenAPI 3.1 document of the service, generated from the schemas that validate.',
    parameters: [
      { name: 'If-None-Match', in: 'header', description: 'Entity tags of known documents.', schema: Type.String() },
    ],
    answers: {
      200: { description: 'The document.', schema: Type.Object({}), headers: ['ETag', 'Cache-Control'] },
      304: { description: 'Unchanged since the entity tag.', headers: ['ETag', 'Cache-Control'] },
    },
    examples: [],
  },
];

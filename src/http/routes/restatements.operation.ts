import { Timestamp } from '../../schemas/primitives.js';
import { RestatementsResponse } from '../../schemas/restatements.js';
import type { Operation } from '../openapi/operation.js';
import { AFTER, CURSOR, limitParameter, RANGE } from '../openapi/parameters.js';

export const restatementOperations: readonly Operation[] = [
  {
    id: 'listRestatements',
    method: 'get',
    path: '/v1/restatements',
    tag: 'Metrics',
    scope: 'read',
    summary: 'How figures of past days changed',
    description: `Every change of a figure of a day that was over in the time zone of the shop, oldest first: what it was, what it became, when,
and why. What the entries of a day and figure add between two moments is exactly what \`/v1/metrics/daily\` differs by between
the same two moments as \`as_of\`. Figures of a day are rounded by themselves, so those of a longer range may differ by their
sixth decimal.

To follow the changes, read all pages, and then ask again with the last \`at\` as \`since\`. A change is told some 250 ms after it
counts, so that none ever comes up before one that was told. Kept as long as the past is (400 days, unless the operator has set
another time).`,
    parameters: [
      ...RANGE,
      {
        name: 'since',
        in: 'query',
        description:
          'Changes after this moment alone. Absent: all that are kept. A moment to come, or longer ago than the past is kept, is ' +
          '`invalid_range`.',
        schema: Timestamp,
      },
      limitParameter('Entries'),
      CURSOR,
      AFTER,
    ],
    answers: { 200: { description: 'A page of changes.', schema: RestatementsResponse, rows: 'change' } },
    errors: ['source_not_registered'],
    examples: [
      {
        name: 'none',
        summary: 'A week that nothing was pushed for',
        query: { from: '2024-03-01', to: '2024-03-07' },
        status: 200,
        response: { from: '2024-03-01', to: '2024-03-07', currency: 'EUR', restatements: [] },
      },
      {
        name: 'to_come',
        summary: 'Since a moment to come',
        query: { from: '2026-03-01', to: '2026-03-07', since: '2099-01-01T00:00:00Z' },
        status: 400,
        response: {
          errors: [{ code: 'invalid_range', message: 'since must not be in the future.', field: 'since' }],
          request_id: '6a5f1c0e-7b3d-4a52-8d4e-0c9b8a7f6e5d',
        },
      },
    ],
  },
];

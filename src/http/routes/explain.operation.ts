import Type from 'typebox';
import { EXPLAINABLE_FIGURES, figuresWith } from '../../domain/metrics/contributions.js';
import { ExplainResponse } from '../../schemas/contributions.js';
import { Id } from '../../schemas/primitives.js';
import { CONTRIBUTION_ORDERS } from '../../warehouse/queries/contributions.js';
import type { Operation, Parameter } from '../openapi/operation.js';
import { AFTER, CURSOR, limitParameter, RANGE } from '../openapi/parameters.js';

const among = (name: Parameters<typeof figuresWith>[0]): string =>
  `Goes with ${figuresWith(name)
    .map((figure) => `\`${figure}\``)
    .join(', ')}. Absent: all.`;

const parameters: readonly Parameter[] = [
  {
    name: 'figure',
    in: 'query',
    required: true,
    description: 'The figure to take apart: one that is a sum of money.',
    schema: Type.Enum(EXPLAINABLE_FIGURES),
  },
  ...RANGE,
  {
    name: 'sort',
    in: 'query',
    description: '`time`: newest day first, on a day order by order. `amount`: largest amount first.',
    schema: Type.Enum([...CONTRIBUTION_ORDERS], { default: 'time' }),
  },
  { name: 'sku', in: 'query', description: `Costs of this SKU alone. ${among('sku')}`, schema: Id },
  {
    name: 'channel',
    in: 'query',
    description: `Entries of orders of this channel by last touch, and of spend for it. ${among('channel')}`,
    schema: Id,
  },
  {
    name: 'gateway',
    in: 'query',
    description: `Entries of orders paid through this gateway, in any letters’ case. ${among('gateway')}`,
    schema: Id,
  },
  limitParameter('Entries'),
  CURSOR,
  AFTER,
];

export const explainOperations: readonly Operation[] = [
  {
    id: 'explainFigure',
    method: 'get',
    path: '/v1/metrics/explain',
    tag: 'Metrics',
    scope: 'read',
    summary: 'What a figure is made of',
    description: `Every sale, refund, cost, fee, row of spend and day of an expense behind a figure of \`GET /v1/metrics\`, each with what it
adds or takes off, rounded at the sixth decimal. The amounts of all pages add up to \`total\` to the last digit: where single
roundings leave something over, the last entry is of kind \`rounding\`. A line whose unit cost is not known adds nothing and is
not listed.

Pages go by a cursor and not by numbers: while days are restated, an entry that did not change is neither skipped nor given
twice. \`total\` is always that of the moment, so a \`total\` that differs between pages says that the figure has changed.`,
    parameters,
    answers: { 200: { description: 'A page of entries.', schema: ExplainResponse, rows: 'entry' } },
    errors: ['missing_field', 'source_not_registered'],
    examples: [
      {
        name: 'cogs',
        summary: 'Costs of the goods of a week',
        query: { figure: 'cogs', from: '2026-03-01', to: '2026-03-07' },
        status: 200,
        response: {
          figure: 'cogs',
          from: '2026-03-01',
          to: '2026-03-07',
          currency: 'EUR',
          total: '7.10',
          entries: [
            {
              kind: 'restock',
              amount: '-4.10',
              date: '2026-03-04',
              order_id: '1001',
              channel: 'unattributed',
              sku: 'MUG',
              quantity: '1.00',
              unit_cost: '4.10',
              source: { from: 'line' },
              line_id: '1',
              refund_id: 'r-1',
            },
            {
              kind: 'line_cost',
              amount: '8.20',
              date: '2026-03-01',
              order_id: '1001',
              channel: 'unattributed',
              sku: 'MUG',
              quantity: '2.00',
              unit_cost: '4.10',
              source: { from: 'line' },
              line_id: '1',
            },
            {
              kind: 'line_cost',
              amount: '3.00',
              date: '2026-03-01',
              order_id: '1001',
              channel: 'unattributed',
              sku: 'TEA',
              quantity: '1.00',
              unit_cost: '3.00',
              source: { from: 'catalog', effective_from: null },
              line_id: '2',
            },
          ],
        },
      },
      {
        name: 'ratio',
        summary: 'A figure that is no sum',
        query: { figure: 'aov' },
        status: 400,
        response: {
          errors: [
            {
              code: 'invalid_value',
              message: `figure must be one of ${EXPLAINABLE_FIGURES.join(', ')}.`,
              field: 'figure',
            },
          ],
          request_id: '2f3d0c1c-6a52-4c56-9a3c-6f0e1d2b7a10',
        },
      },
    ],
  },
];

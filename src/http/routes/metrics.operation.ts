import Type from 'typebox';
import { METRIC_DEFINITIONS } from '../../domain/metrics/metrics.js';
import { DailyMetricsResponse, DefinitionsResponse, INCLUDABLE, MetricsResponse } from '../../schemas/metrics.js';
import type { Operation, Parameter } from '../openapi/operation.js';
import { AFTER, AS_OF, RANGE } from '../openapi/parameters.js';

const none = {
  revenue: '0.00',
  refunds: '0.00',
  net_revenue: '0.00',
  orders: 0,
  cogs: '0.00',
  gateway_fees: '0.00',
  ad_spend: '0.00',
  net_profit: '0.00',
  aov: null,
  mer: null,
  blended_roas: null,
};
/** What the examples before these push: an order, its catalog, a refund, radio spend, a monthly fee of 1.00 a day. */
const sold = {
  ...none,
  revenue: '38.90',
  net_revenue: '38.90',
  orders: 1,
  cogs: '11.20',
  gateway_fees: '0.82',
  ad_spend: '1.00',
  net_profit: '25.88',
  aov: '38.90',
  mer: '0.025707',
  blended_roas: '38.90',
};
const quiet = { ...none, ad_spend: '1.00', net_profit: '-1.00', blended_roas: '0.00' };
const advertised = { ...quiet, ad_spend: '16.00', net_profit: '-16.00' };
const returned = { ...quiet, refunds: '12.50', net_revenue: '-12.50', cogs: '-4.10', net_profit: '-9.40' };
const include: Parameter = {
  name: 'include',
  in: 'query',
  description:
    'Joined by commas: `expenses` adds `operating_expenses` and `net_profit_after_expenses`; `coverage` adds how many of ' +
    'the orders behind the figures have known costs, and the revenue of those that have not. Absent: nothing is added.',
  schema: Type.Array(Type.Enum([...INCLUDABLE]), { minItems: 1, uniqueItems: true }),
  explode: false,
};

export const metricsOperations: readonly Operation[] = [
  {
    id: 'getMetrics',
    method: 'get',
    path: '/v1/metrics',
    tag: 'Metrics',
    scope: 'read',
    summary: 'Figures of a period',
    description:
      'Exact figures of at most 366 days in the currency of the shop; days are those of its time zone. Every figure is computed ' +
      'from unrounded sums and rounded once, half-up at the sixth decimal.',
    parameters: [...RANGE, include, AFTER, AS_OF],
    responses: { 200: { description: 'The figures.', schema: MetricsResponse } },
    errors: ['source_not_registered'],
    examples: [
      {
        name: 'period',
        summary: 'A week',
        query: { from: '2026-03-01', to: '2026-03-07' },
        status: 200,
        response: {
          from: '2026-03-01',
          to: '2026-03-07',
          currency: 'EUR',
          ...sold,
          refunds: '12.50',
          net_revenue: '26.40',
          cogs: '7.10',
          ad_spend: '22.00',
          net_profit: '-3.52',
          mer: '0.565553',
          blended_roas: '1.768182',
        },
      },
      {
        name: 'inverted',
        summary: 'An inverted range',
        query: { from: '2026-03-07', to: '2026-03-01' },
        status: 400,
        response: {
          errors: [
            { code: 'invalid_range', message: 'from (2026-03-07) must not be after to (2026-03-01).', field: 'from' },
          ],
          request_id: 'aa4b4c1e-8f4b-4b0c-8a43-0b3a49d7d6d2',
        },
      },
      {
        name: 'after',
        summary: 'After a push that the shop never made',
        query: { from: '2026-03-01', to: '2026-03-07', after: '019ca8b2-5b1c-7d6e-9f37-2a4c6e8b0d15' },
        status: 400,
        response: {
          errors: [
            { code: 'invalid_value', message: 'after must be the receipt of a push of this shop.', field: 'after' },
          ],
          request_id: '2d0c8a5e-1d0f-4b53-9a2b-6a7e1f0c9b44',
        },
      },
      {
        name: 'as_of',
        summary: 'As of a moment to come',
        query: { from: '2026-03-01', to: '2026-03-07', as_of: '2099-01-01T00:00:00Z' },
        status: 400,
        response: {
          errors: [
            {
              code: 'invalid_range',
              message: 'as_of must not be in the future.',
              field: 'as_of',
            },
          ],
          request_id: '0b4f7f0e-6d5c-4b43-9a4e-51e8f7c0d9aa',
        },
      },
    ],
  },
  {
    id: 'getDailyMetrics',
    method: 'get',
    path: '/v1/metrics/daily',
    tag: 'Metrics',
    scope: 'read',
    summary: 'Figures by day',
    description: 'The figures of every single day of the range, days without orders included.',
    parameters: [...RANGE, include, AFTER, AS_OF],
    responses: { 200: { description: 'The figures by day.', schema: DailyMetricsResponse, rows: 'day' } },
    errors: ['source_not_registered'],
    examples: [
      {
        name: 'days',
        summary: 'A sale, and its refund three days later',
        query: { from: '2026-03-01', to: '2026-03-04' },
        status: 200,
        response: {
          from: '2026-03-01',
          to: '2026-03-04',
          currency: 'EUR',
          days: [
            { date: '2026-03-01', ...sold },
            { date: '2026-03-02', ...advertised },
            { date: '2026-03-03', ...quiet },
            { date: '2026-03-04', ...returned },
          ],
        },
      },
    ],
  },
  {
    id: 'getMetricDefinitions',
    method: 'get',
    path: '/v1/metrics/definitions',
    tag: 'Metrics',
    scope: 'read',
    summary: 'What each figure means',
    description: 'Label, formula and description of every figure; static per API version and cacheable.',
    responses: {
      200: { description: 'The definitions.', schema: DefinitionsResponse, headers: ['Cache-Control'] },
    },
    examples: [{ name: 'all', summary: 'All definitions', status: 200, response: { metrics: METRIC_DEFINITIONS } }],
  },
];

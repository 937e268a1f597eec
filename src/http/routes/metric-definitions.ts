import { DEFINITIONS } from '../../domain/metrics/metrics.js';
import { DefinitionsResponse } from '../../schemas/metrics.js';
import { defineRoute, type Route } from '../route.js';

const ALL = { metrics: DEFINITIONS };

/** `GET /v1/metrics/definitions` (specification: "GET /v1/metrics rules"). */
export const metricDefinitionRoutes: readonly Route<unknown>[] = [
  defineRoute({
    id: 'getMetricDefinitions',
    method: 'get',
    path: '/v1/metrics/definitions',
    tag: 'Metrics',
    scope: 'read',
    summary: 'What each figure means',
    description: 'Label, formula and description of every figure; static per API version and cacheable.',
    answers: {
      200: { description: 'The definitions.', schema: DefinitionsResponse, headers: ['Cache-Control'] },
    },
    examples: [{ name: 'all', summary: 'All definitions', status: 200, response: ALL }],
    run({ res }) {
      res.setHeader('Cache-Control', 'private, max-age=86400');
      return ALL;
    },
  }),
];

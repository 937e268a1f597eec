import Type from 'typebox';
import type { DayRange } from '../../domain/metrics/range.js';
import { COMPARISONS } from '../../domain/metrics/comparison.js';
import { daysToCompare } from '../../figures/compared.js';
import { readCurrency, type PeriodDeps } from '../../figures/period.js';
import { why } from '../../figures/why.js';
import { WhyResponse } from '../../schemas/why.js';
import type { ContributionReader } from '../../warehouse/queries/contribution-reader.js';
import { AFTER, oneOf, RANGE } from '../parameters.js';
import { defineRoute, type Route } from '../route.js';

export interface WhyDeps extends PeriodDeps {
  contributions: ContributionReader;
}

/** `GET /v1/metrics/why` (contract: "Many periods"). */
export const whyRoutes: readonly Route<WhyDeps>[] = [
  defineRoute({
    id: 'explainChange',
    method: 'get',
    path: '/v1/metrics/why',
    tag: 'Metrics',
    scope: 'read',
    summary: 'Why earnings changed',
    description:
      'By how much `earnings` differ from those of earlier days, in parts that add up: each figure that they are made of, and what weighed ' +
      'most in it. An order, a refund or a day counts whole, with its own sign: one of the earlier days that is not repeated takes off ' +
      'what it had brought.',
    query: {
      range: RANGE,
      vs: oneOf(
        'vs',
        COMPARISONS,
        'The days to compare with, as in `GET /v1/metrics`.',
        Type.Enum([...COMPARISONS], { default: 'before' }),
      ),
      after: AFTER,
    },
    answers: { 200: { description: 'The change in parts.', schema: WhyResponse } },
    errors: ['source_not_registered'],
    examples: [
      {
        name: 'week',
        summary: 'A week, and the one before',
        query: { from: '2026-03-01', to: '2026-03-07' },
        status: 200,
        response: {
          from: '2026-03-01',
          to: '2026-03-07',
          currency: 'EUR',
          compared: { from: '2026-02-22', to: '2026-02-28' },
          figure: 'earnings',
          change: '-9.73',
          parts: [
            {
              figure: 'revenue',
              change: '38.90',
              because: [{ kind: 'order', id: '1001', date: '2026-03-01', change: '38.90' }],
            },
            {
              figure: 'ad_spend',
              change: '-22.00',
              because: [
                { kind: 'channel', id: 'custom:radio', change: '-15.00' },
                { kind: 'expense', id: 'agency', name: 'Agency', change: '-7.00' },
              ],
            },
            {
              figure: 'refunds',
              change: '-12.50',
              because: [{ kind: 'refund', id: 'r-1', name: '1001', date: '2026-03-04', change: '-12.50' }],
            },
            { figure: 'cogs', change: '-7.10', because: [{ kind: 'day', date: '2026-03-01', change: '-11.20' }] },
            { figure: 'taxes', change: '-6.21', because: [{ kind: 'day', date: '2026-03-01', change: '-6.21' }] },
            {
              figure: 'gateway_fees',
              change: '-0.82',
              because: [{ kind: 'day', date: '2026-03-01', change: '-0.82' }],
            },
          ],
        },
      },
    ],
    async run({ query: { range, vs = 'before', after }, shopId }, deps) {
      const query = { range, vs, after, asOf: undefined };
      const compared = await daysToCompare(deps, shopId, query);
      const source = await readCurrency(deps, shopId, query, { compared });
      const settingsOver = (days: DayRange) => deps.costSettings.over(shopId, source, days);
      return why(deps, { shopId, range, compared, currency: source.currency, settingsOver });
    },
  }),
];

import Type from 'typebox';
import { gatewayKey } from '../../domain/costs/gateway-keys.js';
import { LONGEST_CHANNEL } from '../../domain/costs/spend.js';
import { CONTRIBUTION_FILTERS, figuresWith, type ContributionFilter } from '../../domain/metrics/contributions.js';
import { EXPLAINABLE_FIGURES, type ExplainableFigure } from '../../domain/metrics/figure-list.js';
import { requireNoFaults, type ErrorDetail } from '../../errors.js';
import type { CostSettingsRegistry } from '../../repositories/cost-settings.js';
import type { RequirePush } from '../../figures/freshness.js';
import type { SourceRegistry } from '../../repositories/sources.js';
import {
  Contribution,
  contributionPlaceValidator,
  ExplainResponse,
  type ContributionPlace,
} from '../../schemas/contributions.js';
import type { ContributionReader } from '../../warehouse/queries/contribution-reader.js';
import { CONTRIBUTION_ORDERS } from '../../warehouse/queries/contributions.js';
import type { MetricsReader } from '../../warehouse/queries/metrics.js';
import { explain, explainedFile } from '../../figures/explanations.js';
import { nextOf, queryId, rangeOf, readRangeCursor } from '../cursor.js';
import type { SendExport } from '../exports/send-export.js';
import { AFTER, cursor, limit, oneOf, RANGE, required, text } from '../parameters.js';
import { trimmedFilter } from '../trimmed-filter.js';
import { defineRoute, type Route } from '../route.js';

export interface ExplainDeps {
  requirePush: RequirePush;
  sources: SourceRegistry;
  costSettings: CostSettingsRegistry;
  contributions: ContributionReader;
  metrics: MetricsReader;
  sendExport: SendExport;
}

const among = (name: Parameters<typeof figuresWith>[0]): string =>
  `Goes with ${figuresWith(name)
    .map((figure) => `\`${figure}\``)
    .join(', ')}. Absent: all.`;

const QUERY = {
  figure: required<ExplainableFigure>(
    'figure',
    EXPLAINABLE_FIGURES,
    'The figure to take apart: one that is a sum of money.',
    'revenue',
  ),
  range: RANGE,
  order: oneOf(
    'sort',
    CONTRIBUTION_ORDERS,
    '`time`: newest day first, on a day order by order. `amount`: largest amount first.',
    Type.Enum([...CONTRIBUTION_ORDERS], { default: 'time' }),
  ),
  sku: trimmedFilter('sku', `Costs of this SKU alone. ${among('sku')}`),
  channel: text(
    'channel',
    `Entries of orders of this channel by last touch, and of spend for it. ${among('channel')}`,
    LONGEST_CHANNEL,
  ),
  gateway: text('gateway', `Entries of orders paid through this gateway, in any letters’ case. ${among('gateway')}`),
  limit: limit('Entries'),
  cursor: cursor((given) => readRangeCursor(given, contributionPlaceValidator)),
  after: AFTER,
};

/** `GET /v1/metrics/explain` (contract: "Explaining figures"). */
export const explainRoutes: readonly Route<ExplainDeps>[] = [
  defineRoute({
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
    query: QUERY,
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
          count: 3,
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
    async run({ req, res, query, format, shopId }, deps) {
      const { figure, sku, channel, gateway, order = 'time', limit: size, cursor: place, after } = query;
      const filter = { sku, channel, gateway: gateway === undefined ? undefined : gatewayKey(gateway) };
      requireFitting(figure, filter);
      const id = queryId(shopId, req.query, place);
      const range = rangeOf(query.range, place);
      await deps.requirePush(shopId, after, { range, credits: false });
      const source = await deps.sources.require(shopId);
      const { currency, convertSpend: converts = false } = source;
      const settings = await deps.costSettings.over(shopId, source, range);
      const request = { figure, filter, order, range, shopId, currency, settings, converts };
      if (format !== null) {
        const pages = { written: explainedFile(deps, format, request) };
        return deps.sendExport(req, res, { format, name: figure, range, schema: Contribution, pages });
      }
      const { answer, last } = await explain(deps, {
        ...request,
        limit: size,
        after: place?.place,
        count: place?.place.count,
      });
      const next: ContributionPlace | undefined = last && { ...range, ...last, count: answer.count };
      return { ...answer, ...nextOf(id, next) } satisfies ExplainResponse;
    },
  }),
];

/** A filter that no entry of the figure could meet would answer with nothing, and say nothing. */
function requireFitting(figure: ExplainableFigure, filter: ContributionFilter): void {
  const faults = CONTRIBUTION_FILTERS.flatMap((name): ErrorDetail[] => {
    const figures = figuresWith(name);
    if (filter[name] === undefined || figures.includes(figure)) return [];
    return [{ code: 'invalid_value', message: `${name} goes with ${figures.join(', ')} alone.`, field: name }];
  });
  requireNoFaults(faults);
}

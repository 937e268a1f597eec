import type { Router } from 'express';
import { gatewayKey } from '../../domain/costs/gateway-fees.js';
import { LONGEST_CHANNEL } from '../../domain/costs/spend.js';
import {
  CONTRIBUTION_FILTERS,
  EXPLAINABLE_FIGURES,
  figuresWith,
  type ContributionFilter,
  type ExplainableFigure,
} from '../../domain/metrics/contributions.js';
import { requireNoFaults, type ErrorDetail } from '../../errors.js';
import {
  Contribution,
  contributionPlaceValidator,
  type ContributionPlace,
  type ExplainResponse,
} from '../../schemas/contributions.js';
import { CONTRIBUTION_ORDERS, type ContributionPosition } from '../../warehouse/queries/contributions.js';
import { nextOf, queryId, rangeOf, readRangeCursor } from '../cursor.js';
import { explain } from '../answers/explanations.js';
import { formatOf } from '../exports/format.js';
import { allPages, pageOf } from '../exports/pages.js';
import { authOf } from '../middleware/authenticate.js';
import { readQuery, type Query } from '../middleware/query.js';
import type { RouteDeps } from '../route-deps.js';

/** `GET /v1/metrics/explain` (contract: "Explaining figures"). */
export function explainRoutes(router: Router, deps: RouteDeps): void {
  router.get('/v1/metrics/explain', ...deps.read, async (req, res) => {
    const format = formatOf(req, res);
    const asked = readQuery(req, (query) => readExplainQuery(query, { nowMs: deps.now(), isExport: format !== null }));
    const { after, cursor, ...request } = asked;
    requireFitting(request.figure, request.filter);
    const { shopId } = authOf(res);
    const query = queryId(shopId, req.query, cursor);
    const range = rangeOf(asked.range, cursor);
    await deps.requirePush(shopId, after, { range, credits: false });
    const { currency } = await deps.sources.require(shopId);
    const settings = await deps.costSettings.find(shopId);
    const read = (place: ContributionPosition | undefined) =>
      explain(deps, { ...request, range, after: place, shopId, currency, settings });
    if (format !== null) {
      const pages = allPages(async (place: ContributionPosition | undefined) => {
        const { answer, last } = await read(place);
        return { rows: answer.entries, last };
      });
      return deps.sendExport(req, res, { format, name: request.figure, range, schema: Contribution, pages });
    }
    const { answer, last } = await read(cursor?.place);
    const next: ContributionPlace | undefined = last && { ...range, ...last };
    res.json({ ...answer, ...nextOf(query, next) } satisfies ExplainResponse);
  });
}

function readExplainQuery(query: Query, { nowMs, isExport }: { nowMs: number; isExport: boolean }) {
  const figure = query.required<ExplainableFigure>('figure', EXPLAINABLE_FIGURES, 'revenue');
  const range = query.range(nowMs);
  const after = query.receipt();
  const order = query.oneOf('sort', CONTRIBUTION_ORDERS) ?? 'time';
  const gateway = query.text('gateway');
  const filter: ContributionFilter = {
    sku: query.text('sku'),
    channel: query.text('channel', LONGEST_CHANNEL),
    gateway: gateway === undefined ? undefined : gatewayKey(gateway),
  };
  const page = pageOf(query, { isExport, parse: (text) => readRangeCursor(text, contributionPlaceValidator) });
  return { figure, range, after, order, filter, ...page };
}

/** A filter that no entry of the figure could meet would answer with nothing, and say nothing. */
function requireFitting(figure: ExplainableFigure, filter: ContributionFilter): void {
  const faults = CONTRIBUTION_FILTERS.flatMap((name): ErrorDetail[] => {
    const figures = figuresWith(name);
    if (filter[name] === undefined || figures.includes(figure)) return [];
    return [{ code: 'invalid_value', message: `${name} goes with ${figures.join(', ')} alone.`, field: name }];
  });
  requireNoFaults(faults);
}

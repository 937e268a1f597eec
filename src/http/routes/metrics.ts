import Type from 'typebox';
import type { Router } from 'express';
import { toRangeCoverage } from '../../domain/metrics/coverage.js';
import type { FigureMaker, SalesPart } from '../../domain/metrics/figures.js';
import { METRIC_DEFINITIONS, toExpenseMetrics, toMetrics } from '../../domain/metrics/metrics.js';
import type { DayRange } from '../../domain/metrics/range.js';
import { formatDay } from '../../domain/time.js';
import { DailyMetrics, INCLUDABLE, type Includable } from '../../schemas/metrics.js';
import { formatOf } from '../exports/format.js';
import { allPages } from '../exports/pages.js';
import { boundsOf, readCurrency, readMaker, readPeriod, type PeriodQuery } from '../answers/period.js';
import { authOf } from '../middleware/authenticate.js';
import type { RouteDeps } from '../route-deps.js';
import { readQuery, refuseQuery, type Query } from '../middleware/query.js';

interface FiguresQuery extends PeriodQuery {
  included: ReadonlySet<Includable>;
}

/** `GET /v1/metrics`, `/v1/metrics/daily`, `/v1/metrics/definitions` (specification: "GET /v1/metrics rules"). */
export function metricsRoutes(router: Router, deps: RouteDeps): void {
  const readFiguresQuery = (query: Query): FiguresQuery => ({
    range: query.range(deps.now()),
    included: query.someOf('include', INCLUDABLE),
    after: query.receipt(),
    asOf: query.moment('as_of', deps.now(), deps.keptDays),
  });

  router.get('/v1/metrics', ...deps.read, async (req, res) => {
    const query = readQuery(req, readFiguresQuery);
    const { range, included } = query;
    const { shopId } = authOf(res);
    const { currency: now } = await readCurrency(deps, shopId, query);
    const { currency, maker, parts } = await readPeriod(deps, shopId, query, now);
    res.json({
      ...boundsOf(range),
      currency,
      ...shownFigures(maker, range, parts, included),
      ...noteOf(maker.note(parts, { expenses: included.has('expenses') })),
    });
  });

  router.get('/v1/metrics/daily', ...deps.read, async (req, res) => {
    const format = formatOf(req, res);
    const query = readQuery(req, readFiguresQuery);
    const { range, included, asOf } = query;
    const { shopId } = authOf(res);
    const { currency: now } = await readCurrency(deps, shopId, query);
    const [{ currency, maker }, parts] = await Promise.all([
      readMaker(deps, shopId, query, now),
      deps.metrics.daily(shopId, range, asOf),
    ]);
    const byDay = new Map(parts.map((part) => [part.day, part]));
    const days = Array.from({ length: range.to - range.from + 1 }, (_, i) => {
      const day = range.from + i;
      const part = byDay.get(day);
      const figures = shownFigures(maker, { from: day, to: day }, part === undefined ? [] : [part], included);
      return { date: formatDay(day), ...figures };
    });
    if (format !== null) {
      const pages = allPages(() => Promise.resolve({ rows: days, last: undefined }));
      return deps.sendExport(req, res, { format, name: 'daily', range, schema: dailySchema(included), pages });
    }
    // Days know no channels. Only the note names any, and only where spend is in another currency.
    const hasForeign = parts.some(({ spend }) => spend.some((entry) => entry.currency !== currency));
    const whole = hasForeign ? await deps.metrics.parts(shopId, range, [], asOf) : parts;
    res.json({
      ...boundsOf(range),
      currency,
      days,
      ...noteOf(maker.note(whole, { expenses: included.has('expenses') })),
    });
  });

  router.get('/v1/metrics/definitions', ...deps.read, (req, res) => {
    refuseQuery(req);
    res.setHeader('Cache-Control', 'private, max-age=86400');
    res.json({ metrics: METRIC_DEFINITIONS });
  });
}

function shownFigures(
  maker: FigureMaker,
  days: DayRange,
  parts: readonly SalesPart[],
  included: ReadonlySet<Includable>,
): object {
  const figures = maker.figures(days, parts);
  return {
    ...toMetrics(figures),
    ...(included.has('expenses') && toExpenseMetrics(figures)),
    ...(included.has('coverage') && { coverage: toRangeCoverage(parts) }),
  };
}

/** A table has columns for what was asked for alone. */
function dailySchema(included: ReadonlySet<Includable>) {
  const left = [
    ...(included.has('expenses') ? [] : (['operating_expenses', 'net_profit_after_expenses'] as const)),
    ...(included.has('coverage') ? [] : (['coverage'] as const)),
  ];
  return Type.Omit(DailyMetrics, left);
}

function noteOf(note: string | null): { currency_note?: string } {
  return note === null ? {} : { currency_note: note };
}

import type { Router } from 'express';
import { figureMaker, type FigureMaker } from '../../domain/figures.js';
import { METRIC_DEFINITIONS, toExpenseMetrics, toMetrics, type Figures } from '../../domain/metrics.js';
import { parseRange, type DayRange } from '../../domain/range.js';
import { formatDay } from '../../domain/time.js';
import { requestError } from '../../errors.js';
import { storeUnavailable } from '../../warehouse/client.js';
import { authOf } from '../authenticate.js';
import type { RouteDeps } from '../route-deps.js';
import { queryOf } from '../validate.js';

/** `GET /v1/metrics`, `/v1/metrics/daily`, `/v1/metrics/definitions` (specification: "GET /v1/metrics rules"). */
export function metricsRoutes(router: Router, deps: RouteDeps): void {
  const unreachable = (error: unknown): never => {
    throw storeUnavailable(error);
  };

  const prepare = async (shopId: string, range: DayRange): Promise<{ currency: string; maker: FigureMaker }> => {
    const { currency } = await deps.sources.require(shopId);
    const settings = await deps.costSettings.find(shopId).catch(unreachable);
    return { currency, maker: figureMaker(settings, currency, range) };
  };

  router.get('/v1/metrics', ...deps.read, async (req, res) => {
    const { from, to, include } = queryOf(req, ['from', 'to', 'include']);
    const range = parseRange(from, to, deps.now());
    const expenses = wantsExpenses(include);
    const { shopId } = authOf(res);
    const { currency, maker } = await prepare(shopId, range);
    const parts = await deps.metrics.parts(shopId, range, maker.bounds).catch(unreachable);
    res.json({
      ...bounds(range),
      currency,
      ...write(maker.figures(range, parts), expenses),
      ...noteOf(maker.note(parts, { expenses })),
    });
  });

  router.get('/v1/metrics/daily', ...deps.read, async (req, res) => {
    const { from, to, include } = queryOf(req, ['from', 'to', 'include']);
    const range = parseRange(from, to, deps.now());
    const expenses = wantsExpenses(include);
    const { shopId } = authOf(res);
    const { currency, maker } = await prepare(shopId, range);
    const parts = await deps.metrics.daily(shopId, range).catch(unreachable);
    const byDay = new Map(parts.map((part) => [part.day, part]));
    const days = Array.from({ length: range.to - range.from + 1 }, (_, i) => {
      const day = range.from + i;
      const part = byDay.get(day);
      const figures = maker.figures({ from: day, to: day }, part === undefined ? [] : [part]);
      return { date: formatDay(day), ...write(figures, expenses) };
    });
    res.json({ ...bounds(range), currency, days, ...noteOf(maker.note(parts, { expenses })) });
  });

  router.get('/v1/metrics/definitions', ...deps.read, (req, res) => {
    queryOf(req, []);
    res.setHeader('Cache-Control', 'private, max-age=86400');
    res.json({ metrics: METRIC_DEFINITIONS });
  });
}

function wantsExpenses(include: string | undefined): boolean {
  if (include === undefined || include === 'expenses') return include !== undefined;
  throw requestError('invalid_value', 'include must be expenses or absent.', 'include');
}

function bounds({ from, to }: DayRange): { from: string; to: string } {
  return { from: formatDay(from), to: formatDay(to) };
}

function write(figures: Figures, expenses: boolean): object {
  return { ...toMetrics(figures), ...(expenses && toExpenseMetrics(figures)) };
}

function noteOf(note: string | null): { currency_note?: string } {
  return note === null ? {} : { currency_note: note };
}

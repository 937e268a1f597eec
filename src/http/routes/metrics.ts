import type { Router } from 'express';
import { METRIC_DEFINITIONS, NO_FIGURES, toMetrics } from '../../domain/metrics.js';
import { parseRange } from '../../domain/range.js';
import { formatDay } from '../../domain/time.js';
import { storeUnavailable } from '../../warehouse/client.js';
import { authOf } from '../authenticate.js';
import type { RouteDeps } from '../route-deps.js';
import { queryOf } from '../validate.js';

/** `GET /v1/metrics`, `/v1/metrics/daily`, `/v1/metrics/definitions` (specification: "GET /v1/metrics rules"). */
export function metricsRoutes(router: Router, deps: RouteDeps): void {
  const unreachable = (error: unknown): never => {
    throw storeUnavailable(error);
  };

  router.get('/v1/metrics', ...deps.read, async (req, res) => {
    const { from, to } = queryOf(req, ['from', 'to']);
    const range = parseRange(from, to, deps.now());
    const { shopId } = authOf(res);
    const { currency } = await deps.sources.require(shopId);
    const figures = await deps.metrics.totals(shopId, range).catch(unreachable);
    res.json({ from: formatDay(range.from), to: formatDay(range.to), currency, ...toMetrics(figures) });
  });

  router.get('/v1/metrics/daily', ...deps.read, async (req, res) => {
    const { from, to } = queryOf(req, ['from', 'to']);
    const range = parseRange(from, to, deps.now());
    const { shopId } = authOf(res);
    const { currency } = await deps.sources.require(shopId);
    const figures = await deps.metrics.daily(shopId, range).catch(unreachable);
    const days = Array.from({ length: range.to - range.from + 1 }, (_, i) => range.from + i);
    res.json({
      from: formatDay(range.from),
      to: formatDay(range.to),
      currency,
      days: days.map((day) => ({ date: formatDay(day), ...toMetrics(figures.get(day) ?? NO_FIGURES) })),
    });
  });

  router.get('/v1/metrics/definitions', ...deps.read, (req, res) => {
    queryOf(req, []);
    res.setHeader('Cache-Control', 'private, max-age=86400');
    res.json({ metrics: METRIC_DEFINITIONS });
  });
}

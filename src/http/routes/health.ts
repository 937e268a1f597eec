import type { Router } from 'express';
import type { Health, RouteDeps } from '../route-deps.js';
import { refuseQuery } from '../middleware/query.js';
import { VERSION } from '../version.js';

/** `GET /v1/health` with a key; `/healthz` and `/readyz` without, for orchestrators (contract: "Health and status"). */
export function healthRoutes(router: Router, deps: RouteDeps, isStopping: () => boolean): void {
  router.get('/v1/health', ...deps.read, async (req, res) => {
    refuseQuery(req);
    const health = await deps.health();
    const word = (up: boolean): string => (up ? 'ok' : 'down');
    res.json({
      status: statusOf(health),
      version: VERSION,
      time: new Date(deps.now()).toISOString(),
      checks: { redis: word(health.redis), clickhouse: word(health.clickhouse), queues: word(health.queues) },
    });
  });

  router.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });

  router.get('/readyz', async (_req, res) => {
    const status = isStopping() ? 'down' : statusOf(await deps.health());
    // Pushes are taken without the warehouse, so only a service that can do nothing is not ready.
    if (status === 'down') res.status(503).set('Retry-After', '5');
    res.json({ status });
  });
}

function statusOf({ redis, clickhouse, queues }: Health): 'ok' | 'degraded' | 'down' {
  if (!redis) return 'down';
  return clickhouse && queues ? 'ok' : 'degraded';
}

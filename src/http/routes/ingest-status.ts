import type { Router } from 'express';
import { localDayIn, utcDay } from '../../domain/time.js';
import { authOf } from '../middleware/authenticate.js';
import { sendConditional } from '../middleware/conditional.js';
import type { RouteDeps } from '../route-deps.js';
import { refuseQuery } from '../middleware/query.js';

/** `GET /v1/ingest/status` (specification: "GET /v1/ingest/status rules", contract: "Health and status"). */
export function ingestStatusRoutes(router: Router, deps: RouteDeps): void {
  router.get('/v1/ingest/status', ...deps.read, async (req, res) => {
    refuseQuery(req);
    const { shopId } = authOf(res);
    const json = await deps.statusAnswers.get(shopId, async () => {
      const nowMs = deps.now();
      const source = await deps.sources.find(shopId);
      // Before a source is registered there are no orders, so no day either: any will do.
      const today = source === null ? utcDay(nowMs) : localDayIn(source.timezone)(nowMs * 1000);
      const [status, failedDays, audit] = await Promise.all([
        deps.ingestStatus(shopId, { nowMs, today }),
        deps.failedDays(shopId),
        deps.auditOf(shopId),
      ]);
      return JSON.stringify({
        ...status,
        ...(failedDays.length > 0 && { failed_days: failedDays }),
        ...((audit.complete_at !== null || audit.wrong_days.length > 0) && { audit }),
      });
    });
    sendConditional(req, res, json);
  });
}

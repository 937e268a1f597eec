import type { Router } from 'express';
import { localDayIn, utcDay } from '../../domain/time.js';
import { authOf } from '../authenticate.js';
import { sendConditional } from '../conditional.js';
import type { RouteDeps } from '../route-deps.js';
import { queryOf } from '../validate.js';

/** `GET /v1/ingest/status` (specification: "GET /v1/ingest/status rules", contract: "Health and status"). */
export function ingestStatusRoutes(router: Router, deps: RouteDeps): void {
  router.get('/v1/ingest/status', ...deps.read, async (req, res) => {
    queryOf(req, []);
    const { shopId } = authOf(res);
    const json = await deps.statusAnswers.get(shopId, async () => {
      const nowMs = deps.now();
      const source = await deps.sources.find(shopId);
      // Before a source is registered there are no orders, so no day either: any will do.
      const today = source === null ? utcDay(nowMs) : localDayIn(source.timezone)(nowMs * 1000);
      return JSON.stringify(await deps.ingestStatus(shopId, { nowMs, today }));
    });
    sendConditional(req, res, json);
  });
}

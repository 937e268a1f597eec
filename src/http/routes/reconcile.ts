import type { Router } from 'express';
import { toRanges } from '../../domain/day-ranges.js';
import { parseDay } from '../../domain/time.js';
import { requireNoFaults } from '../../errors.js';
import {
  checkReconcileRules,
  RECONCILE_BODY_BYTES,
  RECONCILE_KEYS,
  reconcileValidator,
} from '../../schemas/reconcile.js';
import { authOf } from '../middleware/authenticate.js';
import { readBody, requireType } from '../middleware/body.js';
import { parseLargeJson } from '../middleware/json.js';
import { readQuery } from '../middleware/query.js';
import { requireValid } from '../../schemas/require-valid.js';
import type { RouteDeps } from '../route-deps.js';

/** `POST /v1/reconcile` (contract: "Explaining figures"). */
export function reconcileRoutes(router: Router, deps: RouteDeps): void {
  router.post('/v1/reconcile', ...deps.read, async (req, res) => {
    const { after } = readQuery(req, (query) => ({ after: query.receipt() }));
    const { shopId } = authOf(res);
    requireType(req);
    await deps.bodies.of(shopId, res, async (hold) => {
      const body = await readBody(req, RECONCILE_BODY_BYTES, hold);
      const turn = await deps.turns.begin(shopId);
      const { names } = reconcileValidator;
      const parsed = await parseLargeJson(body, { names, most: RECONCILE_KEYS, turn });
      await turn.next();
      const request = requireValid(reconcileValidator, parsed);
      await turn.next();
      requireNoFaults(checkReconcileRules(request));
      // Orders are read from rows, and nothing else is summed up by day.
      const listed = request.days?.map(({ date }) => parseDay(date) ?? 0) ?? [];
      await deps.requirePush(shopId, after, { range: toRanges(listed), credits: false });
      await deps.sources.require(shopId);
      res.json(await deps.reconcile(shopId, request, turn));
    });
  });
}

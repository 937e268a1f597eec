import type { Router } from 'express';
import { RequestError } from '../../errors.js';
import {
  checkReconcileRules,
  RECONCILE_BODY_BYTES,
  RECONCILE_KEYS,
  reconcileValidator,
} from '../../schemas/reconcile.js';
import { authOf } from '../middleware/authenticate.js';
import { readBody, requireType } from '../middleware/body.js';
import { parseLargeJson } from '../middleware/json.js';
import { refuseQuery } from '../middleware/query.js';
import { requireValid } from '../../schemas/require-valid.js';
import type { RouteDeps } from '../route-deps.js';

/** `POST /v1/reconcile` (contract: "Explaining figures"). */
export function reconcileRoutes(router: Router, deps: RouteDeps): void {
  router.post('/v1/reconcile', ...deps.read, async (req, res) => {
    refuseQuery(req);
    const { shopId } = authOf(res);
    requireType(req);
    const body = await readBody(req, RECONCILE_BODY_BYTES, deps.bodies.of(shopId, res));
    const turn = await deps.turns.begin(shopId);
    const { names } = reconcileValidator;
    const parsed = await parseLargeJson(body, { names, most: RECONCILE_KEYS, turn });
    await turn.next();
    const request = requireValid(reconcileValidator, parsed);
    await turn.next();
    const [fault, ...faults] = checkReconcileRules(request);
    if (fault !== undefined) throw new RequestError([fault, ...faults]);
    await deps.sources.require(shopId);
    res.json(await deps.reconcile(shopId, request, turn));
  });
}

import type { Router } from 'express';
import { ORDER_BODY_BYTES } from '../../schemas/orders.js';
import { authOf } from '../authenticate.js';
import { readBody, requireType } from '../body.js';
import type { RouteDeps } from '../route-deps.js';
import { flag, queryOf } from '../validate.js';

/** `POST /v1/orders` (specification: "POST /v1/orders rules", contract: "Orders"). */
export function orderRoutes(router: Router, deps: RouteDeps): void {
  router.post('/v1/orders', ...deps.write('orders:write'), async (req, res) => {
    const { validate_only } = queryOf(req, ['validate_only']);
    requireType(req);
    const body = await readBody(req, ORDER_BODY_BYTES);
    const { shopId } = authOf(res);
    const answer = await deps.pushOrders({ shopId, body, validateOnly: flag(validate_only) });
    res.set('Content-Type', 'application/json; charset=utf-8').send(answer);
  });
}

import type { Router } from 'express';
import { ORDER_BODY_BYTES } from '../../schemas/orders.js';
import { senderOf } from '../middleware/authenticate.js';
import { readBody, requireType } from '../middleware/body.js';
import type { RouteDeps } from '../route-deps.js';
import { readQuery } from '../middleware/query.js';

/** `POST /v1/orders` (specification: "POST /v1/orders rules", contract: "Orders"). */
export function orderRoutes(router: Router, deps: RouteDeps): void {
  router.post('/v1/orders', ...deps.write('orders:write'), async (req, res) => {
    const validateOnly = readQuery(req, (query) => query.flag('validate_only'));
    requireType(req);
    const sender = senderOf(res);
    const body = await readBody(req, ORDER_BODY_BYTES, deps.bodies.of(sender.shopId, res));
    const answer = await deps.pushOrders({ sender, body, validateOnly });
    res.set('Content-Type', 'application/json; charset=utf-8').send(answer);
  });
}

import type { Router } from 'express';
import { ORDER_BODY_BYTES, orderBatchValidator } from '../../schemas/orders.js';
import { authOf } from '../authenticate.js';
import { readJson } from '../read-json.js';
import type { RouteDeps } from '../route-deps.js';
import { flag, queryOf, requireValid } from '../validate.js';

/** `POST /v1/orders` (specification: "POST /v1/orders rules", contract: "Orders"). */
export function orderRoutes(router: Router, deps: RouteDeps): void {
  router.post('/v1/orders', ...deps.write('orders:write'), async (req, res) => {
    const { validate_only } = queryOf(req, ['validate_only']);
    const { orders } = requireValid(orderBatchValidator, await readJson(req, ORDER_BODY_BYTES));
    const validateOnly = flag(validate_only);
    if (!validateOnly) deps.requireCapacity();
    res.json(await deps.takeOrders(authOf(res).shopId, orders, { validateOnly }));
  });
}

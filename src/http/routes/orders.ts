import type { Router } from 'express';
import { ORDER_BODY_BYTES, orderBatchValidator } from '../../schemas/orders.js';
import { authOf } from '../authenticate.js';
import { readBody, requireType } from '../body.js';
import { parseJson } from '../json.js';
import type { RouteDeps } from '../route-deps.js';
import { flag, queryOf, requireValid } from '../validate.js';

/** `POST /v1/orders` (specification: "POST /v1/orders rules", contract: "Orders"). */
export function orderRoutes(router: Router, deps: RouteDeps): void {
  router.post('/v1/orders', ...deps.write('orders:write'), async (req, res) => {
    const { validate_only } = queryOf(req, ['validate_only']);
    const validateOnly = flag(validate_only);
    requireType(req);
    const body = await readBody(req, ORDER_BODY_BYTES);
    const read = (): readonly unknown[] => {
      const { orders } = requireValid(orderBatchValidator, parseJson(body));
      if (!validateOnly) deps.requireCapacity();
      return orders;
    };
    res.json(await deps.takeOrders(authOf(res).shopId, read, { validateOnly }));
  });
}

import type { Router } from 'express';
import { batchForm } from '../../ingest/read-items.js';
import { ORDER_BODY_BYTES, orderBatchValidator, ORDERS_PER_BATCH, orderValidator } from '../../schemas/orders.js';
import { readQuery } from '../middleware/query.js';
import type { RouteDeps } from '../route-deps.js';
import { answerPush } from './answer-push.js';

const FORM = batchForm('orders', {
  most: ORDERS_PER_BATCH,
  bytes: ORDER_BODY_BYTES,
  envelope: orderBatchValidator,
  item: orderValidator,
});

/** `POST /v1/orders` (specification: "POST /v1/orders rules", contract: "Orders"). */
export function orderRoutes(router: Router, deps: RouteDeps): void {
  router.post('/v1/orders', ...deps.write('orders:write'), async (req, res) => {
    const validateOnly = readQuery(req, (query) => query.flag('validate_only') ?? false);
    await answerPush(req, res, FORM, deps, (sender, items, turn) => {
      if (!validateOnly) deps.requireCapacity();
      return deps.takeOrders(sender, items, { validateOnly, turn });
    });
  });
}

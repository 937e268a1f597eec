import type { Router } from 'express';
import { toConnections } from '../../domain/connections.js';
import { storeUnavailable } from '../../warehouse/client.js';
import { authOf } from '../authenticate.js';
import type { RouteDeps } from '../route-deps.js';
import { queryOf } from '../validate.js';

/** `GET /v1/connections` (contract: "Connections"). */
export function connectionRoutes(router: Router, deps: RouteDeps): void {
  router.get('/v1/connections', ...deps.read, async (req, res) => {
    queryOf(req, []);
    const { shopId } = authOf(res);
    const [source, keys, received, adChannels] = await Promise.all([
      deps.sources.find(shopId),
      deps.keys.list(shopId),
      deps.received(shopId),
      deps.adChannels(shopId),
    ]).catch((error: unknown) => {
      throw storeUnavailable(error);
    });
    const { orders, events } = { orders: received.get('orders'), events: received.get('events') };
    res.json({ connections: toConnections({ source, keys, orders, events, adChannels, nowMs: deps.now() }) });
  });
}

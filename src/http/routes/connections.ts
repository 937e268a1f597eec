import type { Router } from 'express';
import { toConnections } from '../../domain/connections.js';
import { authOf } from '../middleware/authenticate.js';
import type { RouteDeps } from '../route-deps.js';
import { refuseQuery } from '../middleware/query.js';

/** `GET /v1/connections` (contract: "Connections"). */
export function connectionRoutes(router: Router, deps: RouteDeps): void {
  router.get('/v1/connections', ...deps.read, async (req, res) => {
    refuseQuery(req);
    const { shopId } = authOf(res);
    const [source, keys, received, adChannels] = await Promise.all([
      deps.sources.find(shopId),
      deps.keys.list(shopId),
      deps.received(shopId),
      deps.adChannels(shopId),
    ]);
    const [orders, events] = [received.get('orders'), received.get('events')];
    res.json({ connections: toConnections({ source, keys, orders, events, adChannels, nowMs: deps.now() }) });
  });
}

import type { Router } from 'express';
import { connectionStatus } from '../../domain/connections.js';
import type { ConnectionStatus } from '../../schemas/connections.js';
import type { SourceRecord } from '../../domain/source.js';
import { requestError } from '../../errors.js';
import { SOURCE_BODY_BYTES, sourceValidator, type Source } from '../../schemas/source.js';
import { authOf } from '../middleware/authenticate.js';
import { readJson } from '../middleware/read-json.js';
import type { RouteDeps } from '../route-deps.js';
import { refuseQuery } from '../middleware/query.js';
import { requireValid } from '../../schemas/require-valid.js';

/** `PUT` and `GET /v1/source` (contract: "Source"). */
export function sourceRoutes(router: Router, deps: RouteDeps): void {
  router.put('/v1/source', ...deps.secret, async (req, res) => {
    refuseQuery(req);
    const body = requireValid(sourceValidator, await readJson(req, SOURCE_BODY_BYTES, sourceValidator));
    const { platform, currency, timezone, shop_domain = null } = body;
    const { shopId } = authOf(res);
    const record = await deps.sources.put(shopId, { platform, currency, timezone, shopDomain: shop_domain });
    res.json(toSource(record, 'connected'));
  });

  router.get('/v1/source', ...deps.read, async (req, res) => {
    refuseQuery(req);
    const own = authOf(res);
    const record = await deps.sources.find(own.shopId, { fresh: true });
    if (record === null) throw requestError('not_found', 'No source is registered yet: PUT /v1/source.');
    // A live key that may push proves the connection by itself; other keys are looked up.
    const keys = own.scopes.includes('orders:write') ? [own] : await deps.keys.list(own.shopId);
    const nowMs = deps.now();
    const status = connectionStatus({ present: true, source: record, keys, scope: 'orders:write', nowMs });
    res.json(toSource(record, status));
  });
}

function toSource(record: SourceRecord, status: ConnectionStatus): Source {
  return {
    platform: record.platform,
    currency: record.currency,
    timezone: record.timezone,
    ...(record.shopDomain !== null && { shop_domain: record.shopDomain }),
    locked: record.lockedAt !== null,
    ...(record.lockedAt !== null && { locked_at: new Date(record.lockedAt).toISOString() }),
    registered_at: new Date(record.registeredAt).toISOString(),
    status,
  };
}

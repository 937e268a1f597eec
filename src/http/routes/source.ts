import type { Router } from 'express';
import type { KeyRecord } from '../../domain/keys.js';
import { isLive } from '../../domain/keys.js';
import type { SourceRecord } from '../../domain/source.js';
import { requestError } from '../../errors.js';
import { sourceValidator, type Source } from '../../schemas/source.js';
import { authOf } from '../authenticate.js';
import { readJson } from '../read-json.js';
import type { RouteDeps } from '../route-deps.js';
import { requireValid } from '../validate.js';

const BODY_BYTES = 64 * 1024;

/** `PUT` and `GET /v1/source` (contract: "Source"). */
export function sourceRoutes(router: Router, deps: RouteDeps): void {
  router.put('/v1/source', ...deps.secret, async (req, res) => {
    const body = requireValid(sourceValidator, await readJson(req, BODY_BYTES));
    const { platform, currency, timezone, shop_domain = null } = body;
    const { shopId } = authOf(res);
    const record = await deps.sources.put(shopId, { platform, currency, timezone, shopDomain: shop_domain });
    res.json(toSource(record, 'connected'));
  });

  router.get('/v1/source', ...deps.read, async (_req, res) => {
    const { shopId } = authOf(res);
    const record = await deps.sources.find(shopId, { fresh: true });
    if (record === null) throw requestError('not_found', 'No source is registered yet: PUT /v1/source.');
    res.json(toSource(record, storeStatus(record, await deps.keys.list(shopId).catch(() => []), deps.now())));
  });
}

/** The store's connection: closed by the operator, without a key that could push orders, or connected. */
export function storeStatus(source: SourceRecord, keys: readonly KeyRecord[], nowMs: number): Source['status'] {
  if (source.closedAt !== null) return 'uninstalled';
  const writers = keys.filter((key) => key.scopes.includes('orders:write'));
  return writers.length > 0 && !writers.some((key) => isLive(key, nowMs)) ? 'needs_reauth' : 'connected';
}

function toSource(record: SourceRecord, status: Source['status']): Source {
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

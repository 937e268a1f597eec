import type { RequestHandler, Response } from 'express';
import type { Scope } from '../../domain/keys.js';
import { actAs } from '../../http/middleware/authenticate.js';
import { sessionOf } from './guard.js';
import type { AppRoutes } from './app-routes.js';
import { shopOf } from './shops.js';

export interface ReadApiDeps {
  api: RequestHandler;
}

/**
 * `GET /app/api/shops/:shop/v1/…` is `GET /v1/…` of that shop: the browser holds a session and no key, so the request goes
 * through the public API's own routes with the powers of a key that may only read. What a page shows is thus what any
 * client gets, to the byte. Unit costs are the one thing that is pushed so, with the powers for that alone.
 */
export function readApiRoutes(routes: AppRoutes, { api }: ReadApiDeps): void {
  const forward =
    (...scopes: Scope[]): RequestHandler =>
    (req, res, next) => {
      const shopId = shopOf(req);
      actAsReader(res, { name: `app:${sessionOf(res).id}:${shopId}`, shopId, scopes });
      req.url = req.url.replace(/^\/app\/api\/shops\/[^/]+/, '');
      api(req, res, next);
    };
  routes.get('/app/api/shops/:shop/v1/*rest', forward('read'));
  const price = forward('products:write');
  routes.put('/app/api/shops/:shop/v1/products/costs', (req, res, next) => {
    const shopId = shopOf(req);
    // Nothing can be awaited once the answer is out; what failed is in the metrics of the warehouse.
    res.once('finish', () => {
      if (res.statusCode === 200 && req.query.validate_only === undefined)
        void routes.note(res, 'priced products', shopId).catch(() => undefined);
    });
    return price(req, res, next);
  });
}

/** Uses the public API for a shop without a key. The rate limit counts by `name`. */
export function actAsReader(res: Response, as: { name: string; shopId: string; scopes: Scope[] }): void {
  actAs(res, {
    keyHash: '',
    keyId: as.name,
    shopId: as.shopId,
    name: '',
    kind: 'publishable',
    scopes: as.scopes,
    prefix: '',
    lastFour: '',
    createdAt: 0,
    expiresAt: null,
    revokedAt: null,
  });
}

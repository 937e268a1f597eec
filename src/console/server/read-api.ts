import type { RequestHandler, Router } from 'express';
import type { Scope } from '../../domain/keys.js';
import { actAs } from '../../http/middleware/authenticate.js';
import { sessionOf } from './guard.js';
import { shopOf } from './shops.js';

export interface ReadApiDeps {
  api: RequestHandler;
  /** Guards of what only reads, and of what changes something. */
  read: RequestHandler[];
  change: RequestHandler[];
}

/**
 * `GET /app/api/shops/:shop/v1/…` is `GET /v1/…` of that shop: the browser holds a session and no key, so the request goes
 * through the public API's own routes with the powers of a key that may only read. What a page shows is thus what any
 * client gets, to the byte. Unit costs are the one thing that is pushed so, with the powers for that alone.
 */
export function readApiRoutes(router: Router, { api, read, change }: ReadApiDeps): void {
  const forward =
    (...scopes: Scope[]): RequestHandler =>
    (req, res, next) => {
      const shopId = shopOf(req);
      actAs(res, {
        keyHash: '',
        // The rate limit counts by key.
        keyId: `app:${sessionOf(res).id}:${shopId}`,
        shopId,
        name: '',
        kind: 'publishable',
        scopes,
        prefix: '',
        lastFour: '',
        createdAt: 0,
        expiresAt: null,
        revokedAt: null,
      });
      req.url = req.url.replace(/^\/app\/api\/shops\/[^/]+/, '');
      api(req, res, next);
    };
  router.get('/app/api/shops/:shop/v1/*rest', ...read, forward('read'));
  router.put('/app/api/shops/:shop/v1/products/costs', ...change, forward('products:write'));
}

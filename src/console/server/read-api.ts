import type { RequestHandler, Router } from 'express';
import type { Scope } from '../../domain/keys.js';
import { actAs } from '../../http/middleware/authenticate.js';
import { sessionOf } from './guard.js';
import { shopOf } from './shops.js';

const SCOPES: Scope[] = ['read'];

/**
 * `GET /app/api/shops/:shop/v1/…` is `GET /v1/…` of that shop: the browser holds a session and no key, so the request goes
 * through the public API's own routes with the powers of a key that may only read. What a page shows is thus what any
 * client gets, to the byte.
 */
export function readApiRoutes(router: Router, { api, read }: { api: RequestHandler; read: RequestHandler[] }): void {
  router.get('/app/api/shops/:shop/v1/*rest', ...read, (req, res, next) => {
    const shopId = shopOf(req);
    actAs(res, {
      keyHash: '',
      // The rate limit of reads counts by key.
      keyId: `app:${sessionOf(res).id}:${shopId}`,
      shopId,
      name: '',
      kind: 'publishable',
      scopes: SCOPES,
      prefix: '',
      lastFour: '',
      createdAt: 0,
      expiresAt: null,
      revokedAt: null,
    });
    req.url = req.url.replace(/^\/app\/api\/shops\/[^/]+/, '');
    api(req, res, next);
  });
}

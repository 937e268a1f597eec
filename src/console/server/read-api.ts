import type { RequestHandler, Response } from 'express';
import type { KeyKind, Scope } from '../../domain/keys.js';
import { EXPORT_TYPES } from '../../http/exports/format.js';
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
 * client gets, to the byte. What the shop is, costs of products and orders, ad spend and files of expenses are sent so, and webhooks of Shopify set.
 */
export function readApiRoutes(routes: AppRoutes, { api }: ReadApiDeps): void {
  const forward =
    (scope: Scope, kind: KeyKind = 'publishable'): RequestHandler =>
    (req, res, next) => {
      const shopId = shopOf(req);
      actAsReader(res, { name: `app:${sessionOf(res).id}:${shopId}`, shopId, scopes: [scope], kind });
      req.url = req.url.replace(/^\/app\/api\/shops\/[^/]+(?:\/csv)?/, '');
      api(req, res, next);
    };
  // They name keys, so a publishable one may not.
  for (const list of ['pushes', 'rejections'])
    routes.get(`/app/api/shops/:shop/v1/ingest/${list}`, forward('read', 'secret'));
  routes.get('/app/api/shops/:shop/v1/hooks/shopify', forward('orders:write'));
  routes.get('/app/api/shops/:shop/v1/*rest', forward('read'));
  // A link can't ask for a type: its path does.
  routes.get('/app/api/shops/:shop/csv/v1/*rest', (req, res, next) => {
    req.headers.accept = EXPORT_TYPES.csv;
    return forward(req.path.endsWith('/v1/costs/orders') ? 'costs:write' : 'read')(req, res, next);
  });
  for (const [method, path, scope, done] of PUSHES) {
    const push = forward(scope, 'secret');
    routes[method](`/app/api/shops/:shop${path}`, (req, res, next) => {
      const shopId = shopOf(req);
      // Nothing can be awaited once the answer is out; what failed is in the metrics of the warehouse.
      res.once('finish', () => {
        if (res.statusCode < 300 && req.query.validate_only === undefined)
          void routes.note(res, done, shopId).catch(() => undefined);
      });
      return push(req, res, next);
    });
  }
}

/** Uses the public API for a shop without a key. The rate limit counts by `name`. */
export function actAsReader(
  res: Response,
  as: { name: string; shopId: string; scopes: Scope[]; kind?: KeyKind },
): void {
  actAs(res, {
    keyHash: '',
    keyId: as.name,
    shopId: as.shopId,
    name: '',
    kind: as.kind ?? 'publishable',
    scopes: as.scopes,
    prefix: '',
    lastFour: '',
    createdAt: 0,
    expiresAt: null,
    revokedAt: null,
  });
}

/** What is pushed so, with the powers for that alone, and what the log calls it. */
const PUSHES = [
  ['put', '/v1/source', 'read', 'changed what the shop is'],
  ['put', '/v1/products/costs', 'products:write', 'priced products'],
  ['put', '/v1/costs/orders', 'costs:write', 'set costs of orders'],
  ['post', '/v1/costs/spend', 'costs:write', 'set ad spend'],
  ['post', '/v1/costs/expenses', 'costs:write', 'set an expense by its id'],
  ['put', '/v1/hooks/shopify', 'orders:write', 'set the webhooks of Shopify'],
  ['delete', '/v1/hooks/shopify', 'orders:write', 'ended the webhooks of Shopify'],
] as const;

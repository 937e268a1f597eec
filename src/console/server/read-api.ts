import type { RequestHandler, Response } from 'express';
import type { KeyKind, KeyRecord, Scope } from '../../domain/keys.js';
import { EXPORT_TYPES } from '../../http/exports/format.js';
import { actAs, type AroundChange } from '../../http/middleware/authenticate.js';
import { RequestError } from '../../errors.js';
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
    (scope: Scope, kind: KeyKind = 'publishable', what?: string): RequestHandler =>
    (req, res, next) => {
      const shopId = shopOf(req);
      const around: AroundChange | undefined =
        what === undefined
          ? undefined
          : (work, isDone) =>
              routes.change(res, { what, shop: shopId }, work, (answer) => (isDone(answer) ? what : null));
      actAsReader(res, { name: `app:${sessionOf(res).id}:${shopId}`, shopId, scopes: [scope], kind, around });
      req.url = req.url.replace(/^\/app\/api\/shops\/[^/]+(?:\/csv)?/, '');
      api(req, res, next);
    };
  // They name keys, so a publishable one may not.
  for (const list of ['pushes', 'rejections'])
    routes.get(`/app/api/shops/:shop/v1/ingest/${list}`, forward('read', 'secret'));
  // Browsers log each 404, and most shops have no hook.
  routes.get('/app/api/shops/:shop/v1/hooks/shopify', (req, res, next) =>
    forward('orders:write')(req, res, (error?: unknown) => {
      if (error instanceof RequestError && error.errors.every(({ code }) => code === 'not_found'))
        res.status(204).end();
      else next(error);
    }),
  );
  routes.get('/app/api/shops/:shop/v1/*rest', forward('read'));
  // A link can't ask for a type: its path does.
  routes.get('/app/api/shops/:shop/csv/v1/*rest', (req, res, next) => {
    req.headers.accept = EXPORT_TYPES.csv;
    return forward(req.path.endsWith('/v1/costs/orders') ? 'costs:write' : 'read')(req, res, next);
  });
  for (const [method, path, scope, what] of PUSHES)
    routes[method](`/app/api/shops/:shop${path}`, forward(scope, 'secret', what));
}

/** Uses the public API for a shop without a key. The rate limit counts by `name`. */
export function actAsReader(
  res: Response,
  as: { name: string; shopId: string; scopes: Scope[]; kind?: KeyKind; around?: AroundChange | undefined },
): void {
  const record: KeyRecord = {
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
  };
  actAs(res, record, as.around);
}

/** What is pushed so, with the powers for that alone, and what the log says of it. */
const PUSHES = [
  ['put', '/v1/source', 'read', 'changed what the shop is'],
  ['put', '/v1/products/costs', 'products:write', 'priced products'],
  ['put', '/v1/costs/orders', 'costs:write', 'set costs of orders'],
  ['post', '/v1/costs/spend', 'costs:write', 'set ad spend'],
  ['post', '/v1/costs/expenses', 'costs:write', 'set an expense by its id'],
  ['put', '/v1/hooks/shopify', 'orders:write', 'set the webhooks of Shopify'],
  ['delete', '/v1/hooks/shopify', 'orders:write', 'ended the webhooks of Shopify'],
] as const;

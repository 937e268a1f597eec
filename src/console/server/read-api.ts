import type { Request, RequestHandler, Response } from 'express';
import type { KeyKind, KeyRecord, Scope } from '../../domain/keys.js';
import type { Role } from '../../domain/roles.js';
import { EXPORT_TYPES } from '../../http/exports/format.js';
import { actAs, type AroundChange } from '../../http/middleware/authenticate.js';
import { RequestError } from '../../errors.js';
import { nothingAt } from '../../http/middleware/errors.js';
import type { QueryDeclaration } from '../../http/query.js';
import { appRoute, type AppCall, type AppRoute, type Verb } from './app-route.js';

export interface ReadApiDeps {
  /** The router of the public API. */
  api: RequestHandler;
}

/** Answers as the API does. */
export function pass(req: Request, res: Response, api: RequestHandler): Promise<void> {
  return new Promise((resolve, reject) => {
    res.once('close', resolve);
    void api(req, res, (error?: unknown) => reject((error as Error | undefined) ?? nothingAt(req)));
  });
}

interface Powers {
  scope: Scope;
  kind?: KeyKind;
  what?: string;
}

/** Sends the request of the app on to the public API, with the powers of a key; `what` is for the log of a change. */
function forward({ req, res, shopId, session, change }: AppCall, api: RequestHandler, { scope, kind, what }: Powers) {
  const around: AroundChange | undefined =
    what === undefined ? undefined : (work, isDone) => change(what, work, (answer) => (isDone(answer) ? what : null));
  actAsReader(res, { name: `app:${session.id}:${shopId}`, shopId, scopes: [scope], kind, around });
  req.url = req.url.replace(/^\/app\/api\/shops\/[^/]+(?:\/csv)?/, '');
  return pass(req, res, api);
}

const forwarding = (role: Role, verb: Verb, path: string, powers: Powers) =>
  appRoute<ReadApiDeps, QueryDeclaration, unknown>(role, `${verb} /app/api/shops/:shop${path}`, {
    run: (call, { api }) => forward(call, api, powers),
  });
const push = (verb: Verb, path: string, scope: Scope, what: string) =>
  forwarding('manager', verb, path, { scope, kind: 'secret', what });

/**
 * `GET /app/api/shops/:shop/v1/…` is `GET /v1/…` of that shop: the browser holds a session and no key, so the request goes
 * through the public API's own routes with the powers of a key that may only read. What a page shows is thus what any
 * client gets, to the byte. What the shop is, costs of products and orders, ad spend and files of expenses are sent so, and webhooks of Shopify set.
 */
export const readApiRoutes: readonly AppRoute<ReadApiDeps>[] = [
  // They name keys, so a publishable one may not.
  forwarding('manager', 'GET', '/v1/ingest/pushes', { scope: 'read', kind: 'secret' }),
  forwarding('manager', 'GET', '/v1/ingest/rejections', { scope: 'read', kind: 'secret' }),
  appRoute('manager', 'GET /app/api/shops/:shop/v1/hooks/shopify', {
    // Browsers log each 404, and most shops have no hook.
    run: (call, { api }) =>
      forward(call, api, { scope: 'orders:write' }).catch((error: unknown) => {
        if (!(error instanceof RequestError && error.errors.every(({ code }) => code === 'not_found'))) throw error;
      }),
  }),
  forwarding('viewer', 'GET', '/v1/*rest', { scope: 'read' }),
  appRoute('viewer', 'GET /app/api/shops/:shop/csv/v1/*rest', {
    run(call, { api }) {
      // A link can't ask for a type: its path does.
      call.req.headers.accept = EXPORT_TYPES.csv;
      return forward(call, api, { scope: call.req.path.endsWith('/v1/costs/orders') ? 'costs:write' : 'read' });
    },
  }),
  push('PUT', '/v1/source', 'read', 'changed what the shop is'),
  push('PUT', '/v1/products/costs', 'products:write', 'priced products'),
  push('PUT', '/v1/costs/orders', 'costs:write', 'set costs of orders'),
  push('POST', '/v1/costs/spend', 'costs:write', 'set ad spend'),
  push('POST', '/v1/costs/expenses', 'costs:write', 'set an expense by its id'),
  push('PUT', '/v1/hooks/shopify', 'orders:write', 'set the webhooks of Shopify'),
  push('DELETE', '/v1/hooks/shopify', 'orders:write', 'ended the webhooks of Shopify'),
];

/** Uses the public API for a shop without a key. The rate limit counts by `name`. */
export function actAsReader(
  res: Response,
  as: { name: string; shopId: string; scopes: Scope[]; kind?: KeyKind | undefined; around?: AroundChange | undefined },
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

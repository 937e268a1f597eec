import { Router, type RequestHandler } from 'express';
import { requestError } from '../../errors.js';
import type { AnswerTools } from '../../http/route.js';
import { alertRoutes, type AlertRouteDeps } from './alerts.js';
import type { AppRoute } from './app-route.js';
import { assetRoutes } from './assets.js';
import { biUserRoutes, type BiUserDeps } from './bi-users.js';
import { costRoutes, type CostRouteDeps } from './costs.js';
import { feeOrdersRoutes } from './fee-orders.js';
import { keyRoutes } from './keys.js';
import { logRoutes } from './log.js';
import { ownPasswordRoutes } from './own-password.js';
import { pageRoutes } from './pages.js';
import { peopleRoutes, type PeopleRouteDeps } from './people.js';
import { readApiRoutes } from './read-api.js';
import { refundRoutes, type RefundRouteDeps } from './refunds.js';
import { sampleShopRoutes, type SampleShopDeps } from './sample-shop.js';
import { createSessions } from './session.js';
import { shareRoutes, type ShareRouteDeps } from './share.js';
import { shopFiguresRoutes } from './shop-figures.js';
import { shopRoutes, type ShopRouteDeps } from './shops.js';
import { signInRoutes, type SignInDeps } from './sign-in.js';
import { visitRoutes, type VisitRouteDeps } from './visits.js';

/** Tries to sign in that a network has in a minute. */
export const SIGN_IN_TRIES = 5;
/** Links and codes that a network has in a minute: they can't be guessed, and each costs a look-up. */
export const CODE_TRIES = 60;
/** Those with one name, from anywhere. */
export const NAMED_TRIES = 10;

/** What the routes work with. */
type RouteDeps = SignInDeps &
  PeopleRouteDeps &
  ShopRouteDeps &
  SampleShopDeps &
  VisitRouteDeps &
  CostRouteDeps &
  BiUserDeps &
  RefundRouteDeps &
  AlertRouteDeps &
  ShareRouteDeps;

/** Every route of the app, in the order in which they are tried. */
export const APP_ROUTES: readonly AppRoute<RouteDeps>[] = [
  ...signInRoutes,
  ...ownPasswordRoutes,
  ...peopleRoutes,
  ...logRoutes,
  ...shopRoutes,
  ...sampleShopRoutes,
  ...shopFiguresRoutes,
  ...visitRoutes,
  ...keyRoutes,
  ...costRoutes,
  ...biUserRoutes,
  ...feeOrdersRoutes,
  ...refundRoutes,
  ...alertRoutes,
  ...shareRoutes,
  ...readApiRoutes,
];

export interface AppDeps extends Omit<RouteDeps, 'sessions' | 'api'> {
  /** Undefined: no one can sign in. */
  adminToken: string | undefined;
}

/** The operator's app: its documents, their scripts, and what these ask for. `api` is the router of the public API. */
export function createPages(deps: AppDeps, tools: AnswerTools, api: RequestHandler): RequestHandler {
  const { adminToken, sessionState: state, now } = deps;
  const router = Router({ caseSensitive: true, strict: true });
  const sessions = adminToken === undefined ? null : createSessions({ state, adminToken, now });
  pageRoutes(router, sessions);
  assetRoutes(router);
  router.use('/app/api', (_req, res, next) => {
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Cache-Control', 'no-store');
    if (sessions === null)
      throw requestError('sign_in_off', 'Signing in is off: set ADMIN_TOKEN and start the service again.');
    next();
  });
  if (sessions === null) return router;
  for (const { method, path, handlers } of APP_ROUTES)
    router[method](path, ...handlers({ ...deps, sessions, api }, tools));
  return router;
}

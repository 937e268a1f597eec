import { Router, type RequestHandler } from 'express';
import type { CostSettingsRegistry } from '../../repositories/cost-settings.js';
import type { ExpenseRegistry } from '../../repositories/expenses.js';
import type { ShareLinks } from '../../repositories/share-links.js';
import type { People } from '../../repositories/people.js';
import type { AccessLog } from '../../domain/access-log.js';
import type { KeyRegistry } from '../../repositories/keys.js';
import type { SourceRegistry } from '../../repositories/sources.js';
import type { SessionState } from '../../redis/sessions.js';
import type { Visits } from '../../redis/visits.js';
import { alertRoutes, type AlertRouteDeps } from './alerts.js';
import { assetRoutes } from './assets.js';
import { biUserRoutes, type BiUserDeps } from './bi-users.js';
import { costRoutes } from './costs.js';
import { refundRoutes, type RefundRouteDeps } from './refunds.js';
import { feeOrdersRoutes } from './fee-orders.js';
import { createAppRoutes } from './app-routes.js';
import { refuse } from './guard.js';
import { logRoutes } from './log.js';
import { keyRoutes } from './keys.js';
import { ownPasswordRoutes } from './own-password.js';
import { pageRoutes } from './pages.js';
import { readApiRoutes } from './read-api.js';
import { createSessions } from './session.js';
import { requireShare, shareRoutes } from './share.js';
import { sampleShopRoutes, type SampleShopDeps } from './sample-shop.js';
import { shopFiguresRoutes, type ShopFiguresDeps } from './shop-figures.js';
import { shopRoutes } from './shops.js';
import { peopleRoutes } from './people.js';
import { visitRoutes } from './visits.js';
import { signInRoutes } from './sign-in.js';
import type { TryLimiter } from './tries.js';

/** Tries to sign in that a network has in a minute. */
export const SIGN_IN_TRIES = 5;
/** Links and codes that a network has in a minute: they can't be guessed, and each costs a look-up. */
export const CODE_TRIES = 60;
/** Those with one name, from anywhere. */
export const NAMED_TRIES = 10;

export interface AppDeps extends Pick<AlertRouteDeps, 'alerts' | 'send' | 'allowPrivate'>, BiUserDeps {
  /** Undefined: no one can sign in. */
  adminToken: string | undefined;
  keys: KeyRegistry;
  sources: SourceRegistry;
  expenses: ExpenseRegistry;
  costSettings: CostSettingsRegistry;
  sessions: SessionState;
  visits: Visits;
  tries: TryLimiter;
  webhookTests: AlertRouteDeps['tests'];
  codeTries: TryLimiter;
  namedTries: TryLimiter;
  people: People;
  links: ShareLinks;
  log: AccessLog;
  now: () => number;
  metrics: ShopFiguresDeps['metrics'];
  findRefunds: RefundRouteDeps['findRefunds'];
  sampleShop: SampleShopDeps['sampleShop'];
}

/** The operator's app: its documents, their scripts, and what these ask for. `api` is the router of the public API. */
export function createPages(deps: AppDeps, api: RequestHandler): RequestHandler {
  const { adminToken, now } = deps;
  const router = Router({ caseSensitive: true, strict: true });
  const sessions = adminToken === undefined ? null : createSessions({ state: deps.sessions, adminToken, now });
  pageRoutes(router, sessions);
  assetRoutes(router);
  router.use('/app/api', (_req, res, next) => {
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Cache-Control', 'no-store');
    if (sessions !== null) next();
    else refuse(res, 503, 'sign_in_off', 'Signing in is off: set ADMIN_TOKEN and start the service again.');
  });
  if (sessions === null) return router;

  const routes = createAppRoutes(router, { sessions, log: deps.log, share: requireShare(deps) });
  signInRoutes(routes, { ...deps, sessions });
  ownPasswordRoutes(routes, { ...deps, sessions });
  peopleRoutes(routes, deps);
  logRoutes(routes, deps);
  shopRoutes(routes, deps);
  sampleShopRoutes(routes, deps);
  shopFiguresRoutes(routes, deps);
  visitRoutes(routes, deps);
  keyRoutes(routes, deps);
  costRoutes(routes, deps);
  biUserRoutes(routes, deps);
  feeOrdersRoutes(routes, deps);
  refundRoutes(routes, deps);
  alertRoutes(routes, { ...deps, tests: deps.webhookTests });
  shareRoutes(routes, deps, api);
  readApiRoutes(routes, { api });
  return router;
}

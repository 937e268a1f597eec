import { Router, type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { accessLog } from './middleware/access-log.js';
import { errorHandler, methodNotAllowed, notFound } from './middleware/errors.js';
import { createExpress } from './server.js';
import { API_HEADERS } from './middleware/page-headers.js';
import { requestId } from './middleware/request-id.js';
import { bindRoutes, type RouteTools } from './route.js';
import type { RouteDeps } from './route-deps.js';
import { costRoutes } from './routes/costs.js';
import { connectionRoutes } from './routes/connections.js';
import { docsRoutes } from './routes/docs.js';
import { attributionRoutes } from './routes/attribution.js';
import { biRoutes } from './routes/bi.js';
import { COLLECT_PATH, collectHandler, collectRoutes } from './routes/collect.js';
import { healthRoutes } from './routes/health.js';
import { ingestStatusRoutes } from './routes/ingest-status.js';
import { explainRoutes } from './routes/explain.js';
import { orderReadRoutes } from './routes/order-reads.js';
import { faviconRoutes } from './routes/favicon.js';
import { pixelRoutes } from './routes/pixel.js';
import { productCostRoutes } from './routes/product-costs.js';
import { productRoutes } from './routes/products.js';
import { reconcileRoutes } from './routes/reconcile.js';
import { RESOURCES, type ResourceDeps } from './routes/resources.js';
import { rejectionRoutes } from './routes/rejections.js';
import { restatementRoutes } from './routes/restatements.js';
import { sourceRoutes } from './routes/source.js';

/** `api`: all but `POST /v1/collect`, which may come thousands of times a second. */
export type AccessLogRange = 'off' | 'api' | 'all';

export interface AppOptions {
  log: Logger;
  /** Which requests have a line in the log. */
  accessLog?: AccessLogRange;
  trustedProxies: number;
  /** True from the moment on at which the process is to end; absent: never. */
  isStopping?: () => boolean;
  /** Further routes behind the API's own; they get the API's, to pass requests on to it. */
  pages?: (api: RequestHandler) => RequestHandler;
}

export interface AppDeps {
  resources: ResourceDeps;
  tools: RouteTools;
}

/** The HTTP application, apart from ports, signals and connections. */
export function createApp(
  deps: RouteDeps & AppDeps,
  { log, accessLog: logged = 'api', trustedProxies, isStopping = () => false, pages }: AppOptions,
): Express {
  const app = createExpress();
  app.set('trust proxy', trustedProxies);
  const collect = collectHandler(deps.collect, { trustedProxies });
  const writeLine = accessLog(log);
  // Before all else, because it is asked most.
  app.post(COLLECT_PATH, ...(logged === 'all' ? [writeLine] : []), collect);
  app.use(requestId);
  if (logged !== 'off') app.use(writeLine);

  const router = Router({ caseSensitive: true });
  router.use('/v1', (_req, res, next) => {
    res.set(API_HEADERS);
    next();
  });
  collectRoutes(router, collect);
  healthRoutes(router, deps, isStopping);
  sourceRoutes(router, deps);
  for (const { method, path, handlers } of bindRoutes(RESOURCES, deps.resources, deps.tools)) {
    router[method](path, ...handlers);
  }
  orderReadRoutes(router, deps);
  productCostRoutes(router, deps);
  productRoutes(router, deps);
  costRoutes(router, deps);
  explainRoutes(router, deps);
  restatementRoutes(router, deps);
  connectionRoutes(router, deps);
  ingestStatusRoutes(router, deps);
  rejectionRoutes(router, deps);
  reconcileRoutes(router, deps);
  docsRoutes(router);
  biRoutes(router);
  attributionRoutes(router, deps);
  pixelRoutes(router);
  faviconRoutes(router);
  refuseOtherMethods(router);
  app.use(router);
  if (pages !== undefined) app.use(pages(router));

  app.use(helmet());
  app.use(notFound);
  app.use(errorHandler(log));
  return app;
}

/** Answers 405 on every path that exists with another method. */
function refuseOtherMethods(router: Router): void {
  const allowed = new Map<string, string[]>();
  for (const { route } of router.stack) {
    if (route === undefined) continue;
    const methods = [...new Set(route.stack.map((layer) => layer.method.toUpperCase()))];
    allowed.set(route.path, [...(allowed.get(route.path) ?? []), ...methods]);
  }
  for (const methods of allowed.values()) if (methods.includes('GET')) methods.push('HEAD');
  for (const [path, methods] of allowed) router.all(path, methodNotAllowed(...methods));
}

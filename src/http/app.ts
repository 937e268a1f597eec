import { Router, type Express } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { errorHandler, methodNotAllowed, notFound } from './errors.js';
import { createExpress } from './express-server.js';
import { requestId } from './request-id.js';
import type { RouteDeps } from './route-deps.js';
import { attributionRoutes } from './routes/attribution.js';
import { collectRoutes } from './routes/collect.js';
import { healthRoutes } from './routes/health.js';
import { metricsRoutes } from './routes/metrics.js';
import { orderRoutes } from './routes/orders.js';
import { sourceRoutes } from './routes/source.js';

export interface AppOptions {
  log: Logger;
  trustedProxies: number;
}

/** The HTTP application, apart from ports, signals and connections. */
export function createApp(deps: RouteDeps, { log, trustedProxies }: AppOptions): Express {
  const app = createExpress();
  app.set('trust proxy', trustedProxies);
  app.use(requestId);

  const router = Router({ caseSensitive: true });
  router.use('/v1', (_req, res, next) => {
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Cache-Control', 'no-store');
    next();
  });
  collectRoutes(router, deps.collect); // first, because it is asked most
  healthRoutes(router, deps);
  sourceRoutes(router, deps);
  orderRoutes(router, deps);
  metricsRoutes(router, deps);
  attributionRoutes(router, deps);
  refuseOtherMethods(router);
  app.use(router);

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
  for (const [path, methods] of allowed) router.all(path, methodNotAllowed(...methods));
}

import compression from 'compression';
import { Router, type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { accessLog } from './middleware/access-log.js';
import { errorHandler, methodNotAllowed, notFound } from './middleware/errors.js';
import { createExpress } from './server.js';
import { API_HEADERS } from './middleware/page-headers.js';
import { requestId } from './middleware/request-id.js';
import { bindRoutes, type RouteTools } from './route.js';
import { MCP_PATH, mcpHandlers, type McpDeps } from './mcp/route.js';
import { allowAnyOrigin, COLLECT_PATH } from './routes/collect.js';
import { docsRoutes } from './routes/docs.js';
import { faviconRoutes } from './routes/favicon.js';
import { pixelRoutes } from './routes/pixel.js';
import { RESOURCES, type ResourceDeps } from './routes/resources.js';

/**
 * What is compressed: pages that say the same to everybody, so that no secret can be guessed by the length of an answer. Figures and
 * exports, which are streamed, are sent as they are. Of the OpenAPI document 45 of 502 KB are left.
 */
const PUBLIC_PAGES = ['/docs', '/docs.md', '/bi', '/bi.md', '/openapi.json', '/llms.txt'];

/** `api`: all but `POST /v1/collect`, which may come thousands of times a second. */
export type AccessLogRange = 'off' | 'api' | 'all';

export interface AppOptions {
  log: Logger;
  /** Which requests have a line, and in which log; absent: none has. */
  access?: { range: AccessLogRange; log: Logger };
  trustedProxies: number;
  /** Further routes behind the API's own; they get the API's, to pass requests on to it. */
  pages?: (api: RequestHandler) => RequestHandler;
}

/** What the routes work with; put together in `src/composition/api.ts`. */
export interface AppDeps {
  resources: ResourceDeps;
  tools: RouteTools;
  mcp: McpDeps;
}

/** The HTTP application, apart from ports, signals and connections. */
export function createApp(
  { resources, tools, mcp }: AppDeps,
  { log, access, trustedProxies, pages }: AppOptions,
): Express {
  const app = createExpress();
  app.set('trust proxy', trustedProxies);
  const lines = access === undefined || access.range === 'off' ? [] : [accessLog(access.log)];
  const routes = bindRoutes(RESOURCES, resources, tools);
  // Before all else, because it is asked most.
  for (const { method, handlers } of routes.filter(({ path }) => path === COLLECT_PATH)) {
    app[method](COLLECT_PATH, ...(access?.range === 'all' ? lines : []), ...handlers);
  }
  app.use(requestId, ...lines);

  const router = Router({ caseSensitive: true, strict: true });
  router.use('/v1', (_req, res, next) => {
    res.set(API_HEADERS);
    next();
  });
  allowAnyOrigin(router);
  router.use(PUBLIC_PAGES, compression());
  for (const { method, path, handlers } of routes) router[method](path, ...handlers);
  router.post(MCP_PATH, ...mcpHandlers(app, tools, mcp));
  const nothingHere = docsRoutes(router);
  pixelRoutes(router);
  faviconRoutes(router);
  refuseOtherMethods(router);
  app.use(router);
  if (pages !== undefined) app.use(pages(router));
  app.use(nothingHere);

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

import type { Request, RequestHandler, Response, Router } from 'express';
import { COLLECT_BODY_BYTES, COLLECT_TYPES } from '../../schemas/collect.js';
import { bearerToken } from '../middleware/authenticate.js';
import { readBody, requireType } from '../middleware/body.js';
import { ANY_ORIGIN, anyOrigin, preflight } from '../middleware/cors.js';
import { API_HEADERS } from '../middleware/page-headers.js';
import { limitHeaderList, limitHeaders, requireWithin } from '../middleware/rate-limit.js';
import { noteIds, requestIdOf } from '../middleware/request-id.js';
import { traceIdOf } from '../middleware/trace.js';
import type { CollectDeps } from '../route-deps.js';
import { readQuery } from '../middleware/query.js';
import { requirePixel } from './collect-batch.js';

export const COLLECT_PATH = '/v1/collect';

/**
 * `POST /v1/collect` (specification: "POST /v1/collect rules", contract: "Collect"). No other handler runs before it:
 * it writes all headers itself, which was measured to take a fifth more requests.
 */
export function collectHandler(deps: CollectDeps, { trustedProxies }: { trustedProxies: number }): RequestHandler {
  // Express works the list of proxies out each time, also where none is trusted.
  const addressOf = (req: Request): string => (trustedProxies === 0 ? req.socket.remoteAddress : req.ip) ?? '';
  return async (req, res) => {
    const id = requestIdOf(req);
    const traceId = traceIdOf(req, id);
    noteIds(res, id, traceId);
    try {
      const debug = req.url.includes('?') && readQuery(req, (query) => query.flag('debug') ?? false);
      // Before the body is read, so that a flood from one address costs little.
      requireWithin(await deps.limitAddress(addressOf(req), deps.now()), res);
      // What `sendBeacon` sends of bare bytes has no type at all.
      if (req.headers['content-type'] !== undefined) requireType(req, COLLECT_TYPES);
      const token = bearerToken(req);
      const admit = deps.limitUnknown(req, res);
      if (token !== null) await requirePixel(deps, token, admit);
      const userAgent = req.headers['user-agent'];
      // No variable of this function holds the body: it would be kept until the answer.
      const { limit, verdicts } = await readBody(req, COLLECT_BODY_BYTES).then((body) =>
        deps.collect({ body, request: { requestId: id, traceId }, token, userAgent, debug, admit }),
      );
      requireWithin(limit, res);
      if (verdicts === null) res.writeHead(204, ['X-Request-Id', id, ...COMMON, ...limitHeaderList(limit)]).end();
      else putHeaders(res, id).set(limitHeaders(limit)).json(verdicts);
    } catch (error) {
      putHeaders(res, id);
      throw error;
    }
  };
}

const COMMON_HEADERS = { ...API_HEADERS, ...ANY_ORIGIN };
const COMMON = Object.entries(COMMON_HEADERS).flat();

function putHeaders(res: Response, id: string): Response {
  return res.set(COMMON_HEADERS).set('X-Request-Id', id);
}

/** What else there is at its path. */
export function collectRoutes(router: Router, collect: RequestHandler): void {
  router.use(COLLECT_PATH, anyOrigin);
  router.options(COLLECT_PATH, preflight);
  router.post(COLLECT_PATH, collect);
}

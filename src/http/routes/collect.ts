import type { Router } from 'express';
import { COLLECT_BODY_BYTES, COLLECT_TYPES } from '../../schemas/collect.js';
import { bearerToken } from '../authenticate.js';
import { readBody, requireType } from '../body.js';
import { requirePixel } from '../collector.js';
import { anyOrigin, preflight } from '../cors.js';
import { limitHeaders, requireWithin } from '../rate-limit.js';
import type { CollectDeps } from '../route-deps.js';
import { flag, queryOf } from '../validate.js';

/** `POST /v1/collect` (specification: "POST /v1/collect rules", contract: "Collect"). */
export function collectRoutes(router: Router, deps: CollectDeps): void {
  router.use('/v1/collect', anyOrigin);
  router.options('/v1/collect', preflight('POST'));

  router.post('/v1/collect', async (req, res) => {
    const debug = flag(queryOf(req, ['debug']).debug);
    // Before the body is read, so that a flood from one address costs little.
    requireWithin(deps.limitAddress(req.ip ?? '', deps.now()), res);
    // A beacon of bare bytes has no type at all.
    if (req.headers['content-type'] !== undefined) requireType(req, COLLECT_TYPES);
    const token = bearerToken(req);
    if (token !== null) await requirePixel(deps, token);
    const body = await readBody(req, COLLECT_BODY_BYTES);
    const { limit, verdicts } = await deps.collect({ body, token, userAgent: req.headers['user-agent'], debug });
    requireWithin(limit, res);
    if (verdicts === null) res.writeHead(204, limitHeaders(limit)).end();
    else res.set(limitHeaders(limit)).json(verdicts);
  });
}

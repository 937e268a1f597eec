import type { Request, Router } from 'express';
import type { KeyRecord } from '../../domain/keys.js';
import { toVerdicts } from '../../intake/events.js';
import { COLLECT_BODY_BYTES, COLLECT_TYPES, collectBatchValidator } from '../../schemas/collect.js';
import { bearerToken, requireKey, requireScope, unauthorized } from '../authenticate.js';
import { readBody, requireType } from '../body.js';
import { anyOrigin, preflight } from '../cors.js';
import { parseJson } from '../json.js';
import { consume } from '../rate-limit.js';
import type { CollectDeps } from '../route-deps.js';
import { flag, queryOf, requireValid } from '../validate.js';

/** `POST /v1/collect` (specification: "POST /v1/collect rules", contract: "Collect"). */
export function collectRoutes(router: Router, deps: CollectDeps): void {
  router.use('/v1/collect', anyOrigin);
  router.options('/v1/collect', preflight('POST'));

  router.post('/v1/collect', async (req, res) => {
    const debug = flag(queryOf(req, ['debug']).debug);
    // Before the body is read, so that a flood from one address costs little.
    deps.limitAddress(req.ip ?? '', deps.now(), res);
    // A beacon of bare bytes has no type at all.
    if (req.headers['content-type'] !== undefined) requireType(req, COLLECT_TYPES);
    const header = bearerToken(req);
    const early = header === null ? null : await requirePixel(deps, header);
    const { token, events } = requireValid(collectBatchValidator, await readCollectBody(req));
    const { shopId, keyId } = early ?? (await requirePixel(deps, token ?? null));
    deps.limitToken(keyId, deps.now(), res);
    if (debug) await consume(deps.debugLimiter, keyId, res);
    deps.requireCapacity();
    const faults = await deps.takeEvents({ shopId, items: events, userAgent: req.headers['user-agent'] });
    if (debug) res.json(toVerdicts(events, faults));
    else res.writeHead(204).end();
  });
}

async function readCollectBody(req: Request): Promise<unknown> {
  return parseJson(await readBody(req, COLLECT_BODY_BYTES));
}

async function requirePixel({ keys, now }: CollectDeps, token: string | null): Promise<KeyRecord> {
  if (token === null) throw unauthorized('Send the pixel token: Authorization: Bearer <token>, or token in the body.');
  const record = await requireKey(keys, token, now());
  requireScope(record, 'collect');
  return record;
}

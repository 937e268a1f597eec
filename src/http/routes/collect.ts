import type { Request, Response, Router } from 'express';
import type { KeyRecord } from '../../domain/keys.js';
import { toVerdicts } from '../../intake/events.js';
import { COLLECT_BODY_BYTES, COLLECT_TYPES, collectBatchValidator, type CollectResult } from '../../schemas/collect.js';
import { bearerToken, requireKey, requireScope, unauthorized } from '../authenticate.js';
import { readBody, requireType } from '../body.js';
import { anyOrigin, preflight } from '../cors.js';
import { parseJson } from '../json.js';
import { consume } from '../rate-limit.js';
import type { CollectDeps } from '../route-deps.js';
import { flag, queryOf, requireValid } from '../validate.js';
import { windowHeaders, type WindowState } from '../window-limit.js';

/** `POST /v1/collect` (specification: "POST /v1/collect rules", contract: "Collect"). */
export function collectRoutes(router: Router, deps: CollectDeps): void {
  router.use('/v1/collect', anyOrigin);
  router.options('/v1/collect', preflight('POST'));

  router.post('/v1/collect', async (req, res) => {
    const { queued, verdicts, limit } = await receive(deps, req, res);
    await queued;
    const headers = windowHeaders(limit);
    if (verdicts === null) res.writeHead(204, headers).end();
    else res.set(headers).json(verdicts);
  });
}

interface Received {
  /** Resolves once the events are in the durable queue. */
  queued: Promise<void>;
  /** With `debug=1` only. */
  verdicts: CollectResult | null;
  limit: WindowState;
}

/**
 * All that comes before the wait for the queue. Apart, because many requests wait at once: what they have parsed is let go
 * of here, instead of being carried through every collection of garbage until the answer.
 */
async function receive(deps: CollectDeps, req: Request, res: Response): Promise<Received> {
  const debug = flag(queryOf(req, ['debug']).debug);
  // Before the body is read, so that a flood from one address costs little.
  deps.limitAddress(req.ip ?? '', deps.now(), res);
  // A beacon of bare bytes has no type at all.
  if (req.headers['content-type'] !== undefined) requireType(req, COLLECT_TYPES);
  const header = bearerToken(req);
  const early = header === null ? null : await requirePixel(deps, header);
  const body = parseJson(await readBody(req, COLLECT_BODY_BYTES));
  const { token, events } = requireValid(collectBatchValidator, body);
  const { shopId, keyId } = early ?? (await requirePixel(deps, token ?? null));
  const limit = deps.limitToken(keyId, deps.now(), res);
  if (debug) await consume(deps.debugLimiter, keyId, res);
  deps.requireCapacity();
  const { faults, queued } = await deps.takeEvents({ shopId, items: events, userAgent: req.headers['user-agent'] });
  return { queued, verdicts: debug ? toVerdicts(events, faults) : null, limit };
}

async function requirePixel({ keys, now }: CollectDeps, token: string | null): Promise<KeyRecord> {
  if (token === null) throw unauthorized('Send the pixel token: Authorization: Bearer <token>, or token in the body.');
  const record = await requireKey(keys, token, now());
  requireScope(record, 'collect');
  return record;
}

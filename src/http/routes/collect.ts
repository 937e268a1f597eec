import type { Request, RequestHandler, Response, Router } from 'express';
import type { KeyRegistry } from '../../repositories/keys.js';
import { COLLECT_BODY_BYTES, COLLECT_TYPES, CollectBatch, CollectEvent, CollectResult } from '../../schemas/collect.js';
import { bearerToken, type AuthenticateDeps } from '../middleware/authenticate.js';
import { readBody, requireType } from '../../body/read-body.js';
import { ANY_ORIGIN, anyOrigin, preflight } from '../middleware/cors.js';
import { API_HEADERS } from '../middleware/page-headers.js';
import { limitHeaderList, limitHeaders, requireWithin } from '../middleware/rate-limit.js';
import { noteIds, requestIdOf } from '../middleware/request-id.js';
import { traceIdOf } from '../middleware/trace.js';
import type { WindowLimit } from '../middleware/window-limit.js';
import { itemErrorsOf } from '../openapi/item-errors.js';
import { switchOn } from '../parameters.js';
import { readQuery } from '../query.js';
import type { Route } from '../route.js';
import { requirePixel, type Collect } from './collect-batch.js';

export interface CollectDeps {
  now: () => number;
  keys: KeyRegistry;
  collect: Collect;
  limitAddress: WindowLimit;
  limitUnknown: AuthenticateDeps['limitUnknown'];
  trustedProxies: number;
}

export const COLLECT_PATH = '/v1/collect';

const QUERY = { debug: switchOn('debug', 'Gives a verdict for each event instead of 204; heavily rate limited.') };
const NO_CONTEXT = { nowMs: 0, keptDays: 0, isExport: false, takesUnknown: false };

const event = {
  event_id: '0b0c7d2e-6a0b-4a36-9d3a-5f1c4a6d9e01',
  type: 'purchase',
  ts: '2026-03-01T08:30:02.120Z',
  anon_id: '5b1f6d0a-0d2b-4b1f-8f4b-6f9d1f0c2a77',
  consent: 'analytics',
  url: 'https://shop.example.com/thanks?utm_source=newsletter',
  order_id: '1001',
};

/** Its handler is its own: see {@link collectHandler}. */
export const collectRoutes: readonly Route<CollectDeps>[] = [
  {
    id: 'collect',
    method: 'post',
    path: COLLECT_PATH,
    tag: 'Collect',
    scope: 'collect',
    summary: 'Collect browser events',
    description:
      'Takes 1 to 20 events from a page. The pixel token comes as a bearer header or as `token` in the body; the header wins. ' +
      'A valid request is answered 204 once its events are in the durable queue, even if some of them were dropped; `event_id` ' +
      'is the natural key, and a repeat counts once. Send `url` and `referrer` raw: the service reads click ids and campaign ' +
      'parameters and removes what is personal. Events never carry money, and none may be sent without consent. Any origin may ' +
      'call; `text/plain` spares the browser a preflight. Needs no registered source.',
    parameters: QUERY.debug.parameters,
    body: {
      schema: CollectBatch.schema,
      maxBytes: COLLECT_BODY_BYTES,
      types: ['application/json', ...COLLECT_TYPES.filter((type) => type !== 'application/json')],
    },
    answers: {
      200: { description: 'With `debug=1`: a verdict for each event.', schema: CollectResult },
      204: { description: 'The events are in the durable queue.' },
    },
    errors: ['batch_size', 'invalid_timestamp', 'queue_unavailable'],
    itemErrors: itemErrorsOf(CollectEvent, ['invalid_timestamp', 'pii_rejected', 'bot']),
    examples: [
      { name: 'purchase', summary: 'A purchase', body: { events: [event] }, status: 204 },
      {
        name: 'debug',
        summary: 'Verdicts: an event without consent is dropped',
        query: { debug: '1' },
        body: { events: [{ ...event, event_id: '0b0c7d2e-6a0b-4a36-9d3a-5f1c4a6d9e02', consent: 'none' }] },
        status: 200,
        response: {
          results: [
            {
              event_id: '0b0c7d2e-6a0b-4a36-9d3a-5f1c4a6d9e02',
              verdict: 'dropped',
              errors: [
                {
                  code: 'consent_required',
                  message: 'consent must be one of analytics, analytics+marketing; it is "none".',
                  field: 'consent',
                },
              ],
            },
          ],
        },
      },
    ],
    handlers: (depsFor) => [collectHandler(depsFor(() => ({})))],
  },
];

/**
 * `POST /v1/collect` (specification: "POST /v1/collect rules", contract: "Collect"). No other handler runs before it:
 * it writes all headers itself, which was measured to take a fifth more requests.
 */
function collectHandler(deps: CollectDeps): RequestHandler {
  // Express works the list of proxies out each time, also where none is trusted.
  const addressOf = (req: Request): string => (deps.trustedProxies === 0 ? req.socket.remoteAddress : req.ip) ?? '';
  return async (req, res) => {
    const id = requestIdOf(req);
    const traceId = traceIdOf(req, id);
    noteIds(res, id, traceId);
    try {
      const debug = req.url.includes('?') && readQuery(req, QUERY, NO_CONTEXT).debug;
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

/** Lets pages of any origin ask, which a browser does before it sends. */
export function allowAnyOrigin(router: Router): void {
  router.use(COLLECT_PATH, anyOrigin);
  router.options(COLLECT_PATH, preflight);
}

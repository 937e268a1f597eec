import type { Router } from 'express';
import { INGEST_KINDS } from '../../domain/ingest.js';
import { ERROR_CODES } from '../../errors.js';
import { rejectionPlaceValidator, type Rejection, type RejectionsResponse } from '../../schemas/rejections.js';
import type { RejectionPlace, StoredRejection } from '../../warehouse/queries/rejections.js';
import { nextOf, queryId, readCursor } from '../cursor.js';
import { pageOf } from '../exports/pages.js';
import { authOf } from '../middleware/authenticate.js';
import { readQuery } from '../middleware/query.js';
import type { RouteDeps } from '../route-deps.js';

/** `GET /v1/ingest/rejections` (contract: "Explaining figures"). */
export function rejectionRoutes(router: Router, deps: RouteDeps): void {
  router.get('/v1/ingest/rejections', ...deps.readSecret, async (req, res) => {
    const { kind, code, cursor, limit } = readQuery(req, (query) => ({
      kind: query.oneOf('kind', INGEST_KINDS),
      code: query.oneOf('code', ERROR_CODES),
      ...pageOf(query, { isExport: false, parse: (text) => readCursor(text, rejectionPlaceValidator) }),
    }));
    const { shopId } = authOf(res);
    const query = queryId(shopId, req.query, cursor);
    const found = await deps.rejections.list({ shopId, kind, code }, cursor?.place, limit + 1);
    const rejections = found.slice(0, limit);
    const last = found.length > limit ? rejections.at(-1) : undefined;
    const next: RejectionPlace | undefined = last && { at: last.at, batchId: last.batchId, position: last.position };
    const answer: RejectionsResponse = {
      rejections: rejections.map(toRejection),
      ...nextOf(query, next),
    };
    res.json(answer);
  });
}

function toRejection({ at, kind, id, errors, payload, isCut, keyLast4, requestId }: StoredRejection): Rejection {
  return {
    at: new Date(at).toISOString(),
    kind,
    id,
    errors,
    ...(payload !== null && { payload }),
    ...(isCut && { cut: true }),
    key_last4: keyLast4,
    request_id: requestId,
  };
}

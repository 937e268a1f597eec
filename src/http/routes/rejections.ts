import type { Router } from 'express';
import { INGEST_KINDS } from '../../domain/ingest.js';
import { ERROR_CODES } from '../../errors.js';
import {
  rejectionPlaceValidator,
  REJECTIONS_PAGE,
  type Rejection,
  type RejectionsResponse,
} from '../../schemas/rejections.js';
import type { RejectionPlace, StoredRejection } from '../../warehouse/queries/rejections.js';
import { queryId, readCursor, requireCursorOf, writeCursor } from '../cursor.js';
import { authOf } from '../middleware/authenticate.js';
import { readQuery, type Query } from '../middleware/query.js';
import type { RouteDeps } from '../route-deps.js';

/** `GET /v1/ingest/rejections` (contract: "Explaining figures"). */
export function rejectionRoutes(router: Router, deps: RouteDeps): void {
  router.get('/v1/ingest/rejections', ...deps.readSecret, async (req, res) => {
    const { kind, code, cursor, limit } = readQuery(req, readListQuery);
    const { shopId } = authOf(res);
    const query = queryId(shopId, req.query);
    requireCursorOf(query, cursor);
    const found = await deps.rejections.list({ shopId, kind, code }, cursor?.place, limit + 1);
    const rejections = found.slice(0, limit);
    const last = rejections.at(-1);
    const answer: RejectionsResponse = {
      rejections: rejections.map(toRejection),
      ...(found.length > limit && last !== undefined && { next: writeCursor({ query, place: placeOf(last) }) }),
    };
    res.json(answer);
  });
}

function readListQuery(query: Query) {
  const ofSet = <Value extends string>(name: string, values: readonly Value[]): Value | undefined =>
    query.parsed(name, (text) => values.find((value) => value === text) ?? null, `must be one of ${values.join(', ')}`);
  return {
    kind: ofSet('kind', INGEST_KINDS),
    code: ofSet('code', ERROR_CODES),
    cursor: query.parsed(
      'cursor',
      (text) => readCursor(text, rejectionPlaceValidator),
      'must be the next of an earlier answer',
    ),
    limit: query.integer('limit', { min: 1, max: REJECTIONS_PAGE.max, fallback: REJECTIONS_PAGE.default }),
  };
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

const placeOf = ({ at, batchId, position }: RejectionPlace): RejectionPlace => ({ at, batchId, position });

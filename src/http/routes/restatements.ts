import type { Router } from 'express';
import { MAX_RANGE_DAYS } from '../../domain/metrics/range.js';
import { formatDay, MICROS_PER_DAY } from '../../domain/time.js';
import {
  RESTATEMENTS_PAGE,
  restatementPlaceValidator,
  type RestatementPlace,
  type RestatementsResponse,
} from '../../schemas/restatements.js';
import { readRestatements } from '../answers/restatements.js';
import { queryId, readCursor, requireCursorOf, writeCursor, type Cursor } from '../cursor.js';
import { authOf } from '../middleware/authenticate.js';
import { readQuery } from '../middleware/query.js';
import type { RouteDeps } from '../route-deps.js';

/** `GET /v1/restatements` (contract: "Explaining figures"). */
export function restatementRoutes(router: Router, deps: RouteDeps): void {
  router.get('/v1/restatements', ...deps.read, async (req, res) => {
    const asked = readQuery(req, (query) => ({
      range: query.range(deps.now()),
      since: query.moment('since', deps.now(), deps.keptDays),
      limit: query.integer('limit', {
        ...{ min: 1, max: RESTATEMENTS_PAGE.max, fallback: RESTATEMENTS_PAGE.default },
      }),
      cursor: query.parsed('cursor', parseCursor, 'must be the next of an earlier answer'),
      after: query.receipt(),
    }));
    const { shopId } = authOf(res);
    const query = queryId(shopId, req.query);
    requireCursorOf(query, asked.cursor);
    const since = asked.since ?? deps.now() * 1000 - deps.keptDays * MICROS_PER_DAY;
    // The range of the first page: without `to` it ends today, which may be another day by now.
    const place = asked.cursor?.place ?? { ...asked.range, at: since + 1, day: 0, number: 0 };
    const range = { from: place.from, to: place.to };
    const { currency } = await deps.sources.require(shopId);
    const { entries, next } = await readRestatements(deps, {
      ...{ shopId, range, place },
      ...{ after: asked.after, limit: asked.limit },
    });
    const answer: RestatementsResponse = {
      ...{ from: formatDay(range.from), to: formatDay(range.to), currency },
      restatements: entries,
      ...(next !== null && { next: writeCursor<RestatementPlace>({ query, place: next }) }),
    };
    res.json(answer);
  });
}

/** A range of a cursor is bound like any other. */
function parseCursor(text: string): Cursor<RestatementPlace> | null {
  const cursor = readCursor(text, restatementPlaceValidator);
  if (cursor === null) return null;
  const { from, to } = cursor.place;
  return from <= to && to - from < MAX_RANGE_DAYS ? cursor : null;
}

import type { Router } from 'express';
import { MAX_RANGE_DAYS } from '../../domain/metrics/range.js';
import { formatDay, MICROS_PER_DAY } from '../../domain/time.js';
import {
  RESTATEMENTS_PAGE,
  RestatementEntry,
  restatementPlaceValidator,
  type RestatementPlace,
  type RestatementsResponse,
} from '../../schemas/restatements.js';
import { readRestatements } from '../answers/restatements.js';
import { queryId, readCursor, requireCursorOf, writeCursor, type Cursor } from '../cursor.js';
import { formatOf } from '../exports/format.js';
import { allPages, pageOf, type Page } from '../exports/pages.js';
import { authOf } from '../middleware/authenticate.js';
import { readQuery } from '../middleware/query.js';
import type { RouteDeps } from '../route-deps.js';

/** `GET /v1/restatements` (contract: "Explaining figures"). */
export function restatementRoutes(router: Router, deps: RouteDeps): void {
  router.get('/v1/restatements', ...deps.read, async (req, res) => {
    const format = formatOf(req, res);
    const asked = readQuery(req, (query) => ({
      range: query.range(deps.now()),
      since: query.moment('since', deps.now(), deps.keptDays),
      ...pageOf(query, { isExport: format !== null, page: RESTATEMENTS_PAGE, parse: parseCursor }),
      after: query.receipt(),
    }));
    const { after, cursor, limit } = asked;
    const { shopId } = authOf(res);
    const query = queryId(shopId, req.query);
    requireCursorOf(query, cursor);
    const since = asked.since ?? deps.now() * 1000 - deps.keptDays * MICROS_PER_DAY;
    // The range of the first page: without `to` it ends today, which may be another day by now.
    const start = cursor?.place ?? { ...asked.range, at: since + 1, day: 0, number: 0 };
    const range = { from: start.from, to: start.to };
    const { currency } = await deps.sources.require(shopId);
    const read = async (place?: RestatementPlace): Promise<Page<RestatementEntry, RestatementPlace>> => {
      const part = place === undefined ? { place: start, after } : { place, after: undefined };
      const { entries, next } = await readRestatements(deps, { shopId, range, limit, ...part });
      return { rows: entries, last: next ?? undefined };
    };
    if (format !== null) {
      const pages = allPages(read);
      return deps.sendExport(req, res, { format, name: 'restatements', range, schema: RestatementEntry, pages });
    }
    const { rows, last } = await read();
    const answer: RestatementsResponse = {
      from: formatDay(range.from),
      to: formatDay(range.to),
      currency,
      restatements: rows,
      ...(last !== undefined && { next: writeCursor<RestatementPlace>({ query, place: last }) }),
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

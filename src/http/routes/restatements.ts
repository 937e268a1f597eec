import type { Router } from 'express';
import { MICROS_PER_DAY } from '../../domain/time.js';
import {
  RestatementEntry,
  restatementPlaceValidator,
  type RestatementPlace,
  type RestatementsResponse,
} from '../../schemas/restatements.js';
import { boundsOf } from '../answers/period.js';
import { readRestatements } from '../answers/restatements.js';
import { nextOf, queryId, rangeOf, readRangeCursor } from '../cursor.js';
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
      ...pageOf(query, {
        isExport: format !== null,
        parse: (text) => readRangeCursor(text, restatementPlaceValidator),
      }),
      after: query.receipt(),
    }));
    const { after, cursor, limit } = asked;
    const { shopId } = authOf(res);
    const query = queryId(shopId, req.query, cursor);
    const range = rangeOf(asked.range, cursor);
    const since = asked.since ?? deps.now() * 1000 - deps.keptDays * MICROS_PER_DAY;
    const start = cursor?.place ?? { ...range, at: since + 1, day: 0, number: 0 };
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
      ...boundsOf(range),
      currency,
      restatements: rows,
      ...nextOf(query, last),
    };
    res.json(answer);
  });
}

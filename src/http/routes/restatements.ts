import Type from 'typebox';
import { RESTATED_FIGURES } from '../../domain/metrics/figure-list.js';
import { MICROS_PER_DAY } from '../../domain/time.js';
import { requestError } from '../../errors.js';
import {
  RestatementEntry,
  restatementPlaceValidator,
  RestatementsResponse,
  type RestatementPlace,
} from '../../schemas/restatements.js';
import { causePlaceValidator, CausesResponse } from '../../schemas/restatement-causes.js';
import { boundsOf } from '../../figures/period.js';
import { readCauses, type CauseDeps } from '../../figures/restatement-causes.js';
import { readRestatements } from '../../figures/restatements.js';
import { nextOf, ofAnotherQuery, queryId, rangeOf, readRangeCursor } from '../cursor.js';
import { allPages, type Page } from '../exports/pages.js';
import type { SendExport } from '../exports/send-export.js';
import { AFTER, cursor, limit, oneOf, pastMoment, RANGE } from '../parameters.js';
import { defineRoute, type Route } from '../route.js';

export interface RestatementRouteDeps extends CauseDeps {
  /** Days that the past of figures is kept. */
  keptDays: number;
  sendExport: SendExport;
}

/** `GET /v1/restatements` (contract: "Explaining figures"). */
export const restatementRoutes: readonly Route<RestatementRouteDeps>[] = [
  defineRoute({
    id: 'listRestatements',
    method: 'get',
    path: '/v1/restatements',
    tag: 'Metrics',
    scope: 'read',
    summary: 'How figures of past days changed',
    description: `Every change of a figure of a day that was over in the time zone of the shop, oldest first: what it was, what it became, when,
and why. What the entries of a day and figure add between two moments is exactly what \`/v1/metrics/daily\` differs by between
the same two moments as \`as_of\`. Figures of a day are rounded by themselves, so those of a longer range may differ by their
sixth decimal.

To follow the changes, read all pages, and then ask again with the last \`at\` as \`since\`. A change is told some 250 ms after it
counts, so that none ever comes up before one that was told. Kept as long as the past is (400 days, unless the operator has set
another time).

With \`group=cause\` the answer is \`causes\` instead, newest first: what pushes of one kind by one key changed, where none came ten minutes or
more after the one before. A change that several causes brought is that of the one that brought most, so that the changes of
all causes add up to those of the list. It is no file.`,
    query: {
      range: RANGE,
      since: pastMoment(
        'since',
        'Changes after this moment alone. Absent: all that are kept. A moment to come, or longer ago than the past is kept, is ' +
          '`invalid_range`.',
      ),
      group: oneOf('group', ['cause'], 'Changes by what caused them. Absent: one by one.'),
      figure: oneOf(
        'figure',
        RESTATED_FIGURES,
        'With `group=cause`: adds `by_day`, how this figure changed on each day. Absent: no days.',
      ),
      limit: limit('Entries'),
      cursor: cursor(
        (given) => readRangeCursor(given, restatementPlaceValidator) ?? readRangeCursor(given, causePlaceValidator),
      ),
      after: AFTER,
    },
    answers: {
      200: {
        description: 'A page of changes.',
        schema: Type.Union([RestatementsResponse, CausesResponse]),
        rows: 'change',
      },
    },
    errors: ['source_not_registered'],
    examples: [
      {
        name: 'none',
        summary: 'A week that nothing was pushed for',
        query: { from: '2024-03-01', to: '2024-03-07' },
        status: 200,
        response: { from: '2024-03-01', to: '2024-03-07', currency: 'EUR', restatements: [] },
      },
      {
        name: 'causes',
        summary: 'The same by cause',
        query: { from: '2024-03-01', to: '2024-03-07', group: 'cause' },
        status: 200,
        response: { from: '2024-03-01', to: '2024-03-07', currency: 'EUR', causes: [] },
      },
      {
        name: 'to_come',
        summary: 'Since a moment to come',
        query: { from: '2026-03-01', to: '2026-03-07', since: '2099-01-01T00:00:00Z' },
        status: 400,
        response: {
          errors: [{ code: 'invalid_range', message: 'since must not be in the future.', field: 'since' }],
          request_id: '6a5f1c0e-7b3d-4a52-8d4e-0c9b8a7f6e5d',
        },
      },
    ],
    async run({ req, res, query, format, shopId }, deps) {
      const { after, limit: size, cursor: begin } = query;
      const id = queryId(shopId, req.query, begin);
      const range = rangeOf(query.range, begin);
      const since = query.since ?? deps.now() * 1000 - deps.keptDays * MICROS_PER_DAY;
      const { currency } = await deps.sources.require(shopId);
      const begun = begin?.place;
      if (query.group === 'cause') {
        if (format !== null) throw requestError('invalid_value', 'group goes with JSON alone; remove it.', 'group');
        if (begun !== undefined && 'number' in begun) throw ofAnotherQuery();
        const page = await readCauses(deps, {
          shopId,
          range,
          after,
          from: since + 1,
          place: begun,
          limit: size,
          figure: query.figure,
        });
        const answer = { ...boundsOf(range), currency, causes: page.entries };
        return { ...answer, ...nextOf(id, page.next ?? undefined) } satisfies CausesResponse;
      }
      if (query.figure !== undefined) throw requestError('invalid_value', 'figure goes with group=cause.', 'figure');
      if (begun !== undefined && 'skip' in begun) throw ofAnotherQuery();
      const start = begun ?? { ...range, at: since + 1, day: 0, number: 0 };
      const read = async (place?: RestatementPlace): Promise<Page<RestatementEntry, RestatementPlace>> => {
        const part = place === undefined ? { place: start, after } : { place, after: undefined };
        const { entries, next } = await readRestatements(deps, { shopId, range, limit: size, ...part });
        return { rows: entries, last: next ?? undefined };
      };
      if (format !== null) {
        const pages = allPages(read);
        return deps.sendExport(req, res, { format, name: 'restatements', range, schema: RestatementEntry, pages });
      }
      const { rows, last } = await read();
      return {
        ...boundsOf(range),
        currency,
        restatements: rows,
        ...nextOf(id, last),
      } satisfies RestatementsResponse;
    },
  }),
];

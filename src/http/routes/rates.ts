import { isCurrency } from '../../domain/currency.js';
import { dayRule, formatTimestamp, parseDay } from '../../domain/time.js';
import { requestError } from '../../errors.js';
import type { TakeRates } from '../../ingest/rates.js';
import type { SourceRegistry } from '../../repositories/sources.js';
import { Currency, Day } from '../../schemas/primitives.js';
import {
  RateBatch,
  RateBatchResult,
  RatePage,
  ratePlaceValidator,
  RATES_PAGE,
  StoredRate,
  type RatePlace,
} from '../../schemas/rates.js';
import type { ListedRate, ListRates } from '../../warehouse/queries/rates.js';
import { nextOf, queryId, readCursor } from '../cursor.js';
import { allPages, pageOf } from '../exports/pages.js';
import type { SendExport } from '../exports/send-export.js';
import { cursor, limit, parameter } from '../parameters.js';
import type { QueryPart } from '../query.js';
import { batch } from '../request-bodies.js';
import { defineRoute, type Route } from '../route.js';

export interface RateDeps {
  sources: SourceRegistry;
  takeRates: TakeRates;
  listRates: ListRates;
  sendExport: SendExport;
  requireCapacity: () => void;
}

const STORED = '2026-03-04T14:00:01.250000Z';

/** A bound of the list, inclusive. */
const bound = (name: string, description: string): QueryPart<string | undefined> => ({
  parameters: [{ name, in: 'query', description, schema: Day, errors: ['invalid_range'] }],
  read(text) {
    const given = text.take(name);
    if (given === undefined || parseDay(given) !== null) return given;
    text.refuse({ code: 'invalid_range', message: `${name} ${dayRule(given)}.`, field: name });
    return undefined;
  },
});

/** `PUT` and `GET /v1/rates` (contract: "Rates"). */
export const rateRoutes: readonly Route<RateDeps>[] = [
  defineRoute({
    id: 'putRates',
    method: 'put',
    path: '/v1/rates',
    tag: 'Costs',
    scope: 'costs:write',
    summary: 'Push exchange rates',
    description:
      'What one unit of another currency is worth in the currency of the shop, by day: 1 to 1,000 rates. The newest push of a currency ' +
      'and day wins; `rate: null` takes it back. Where the source has `convert_spend: true`, ad spend and expenses in that currency count at the ' +
      'rate of their day, else at the newest one of the seven days before; without one they are left out, and `currency_note` and `left_out` ' +
      'say so. The exact products are summed, and the figure is rounded once; expenses in percent of revenue, and orders, are never ' +
      'converted. A push restates its days and those on which it holds (cause `rates`). Rates belong to this shop alone, and they are in the currency that it has when they are ' +
      'pushed: should that change before the first order, push them again.',
    body: batch(RateBatch),
    answers: { 200: { description: 'One result an item.', schema: RateBatchResult } },
    errors: ['batch_size', 'source_not_registered', 'queue_unavailable'],
    examples: [
      {
        name: 'push',
        summary: 'Rates of two days',
        body: {
          rates: [
            { currency: 'USD', day: '2026-03-02', rate: '0.9217' },
            { currency: 'USD', day: '2026-03-03', rate: '0.9204' },
          ],
        },
        status: 200,
        response: {
          accepted: 2,
          rejected: 0,
          receipt: '019ca8b2-5b1c-7d6e-9f37-2a4c6e8b0d15',
          results: [
            { currency: 'USD', day: '2026-03-02', outcome: 'accepted' },
            { currency: 'USD', day: '2026-03-03', outcome: 'accepted' },
          ],
        },
      },
    ],
    run({ sender, body: { items, yielder } }, { requireCapacity, takeRates }) {
      requireCapacity();
      return takeRates(sender, items, yielder);
    },
  }),
  defineRoute({
    id: 'listRates',
    method: 'get',
    path: '/v1/rates',
    tag: 'Costs',
    scope: 'read',
    summary: 'List exchange rates',
    description: 'The rates that were pushed, ordered by `currency` and `day`.',
    query: {
      currency: parameter(
        'currency',
        { description: 'Rates of this currency alone.', schema: Currency },
        (text) => (isCurrency(text) ? text : null),
        'must be an ISO 4217 code of three upper-case letters such as "USD"',
      ),
      from: bound('from', 'First day, inclusive. Absent: from the first rate on.'),
      to: bound('to', 'Last day, inclusive. Absent: up to the last rate.'),
      cursor: cursor((text) => readCursor(text, ratePlaceValidator)),
      limit: limit('Rates', RATES_PAGE),
    },
    answers: { 200: { description: 'A page of rates.', schema: RatePage, rows: 'rate' } },
    errors: ['source_not_registered'],
    examples: [
      {
        name: 'page',
        summary: 'The rates of a currency',
        query: { currency: 'USD' },
        status: 200,
        response: {
          rates: [
            { currency: 'USD', day: '2026-03-02', rate: '0.9217', received_at: STORED },
            { currency: 'USD', day: '2026-03-03', rate: '0.9204', received_at: STORED },
          ],
        },
      },
    ],
    async run({ req, res, query, format, shopId }, deps): Promise<RatePage | undefined> {
      const { currency, from, to, cursor: begin, limit: size } = query;
      const id = queryId(shopId, req.query, begin);
      if (from !== undefined && to !== undefined && from > to) {
        throw requestError('invalid_range', `from (${from}) must not be after to (${to}).`, 'from');
      }
      const { currency: shopCurrency } = await deps.sources.require(shopId);
      const read = async (after: RatePlace | undefined) => {
        const asked = { shopId, shopCurrency, currency, from, to, after };
        const { rows, last } = pageOf(await deps.listRates({ ...asked, limit: size + 1 }), size);
        return { rows: rows.map(toRate), last };
      };
      if (format !== null) {
        await deps.sendExport(req, res, { format, name: 'rates', schema: StoredRate, pages: allPages(read) });
        return undefined;
      }
      const { rows, last } = await read(begin?.place);
      return { rates: rows, ...nextOf(id, last && { currency: last.currency, day: last.day }) };
    },
  }),
];

const toRate = ({ stamp, ...rate }: ListedRate): StoredRate => ({ ...rate, received_at: formatTimestamp(stamp) });

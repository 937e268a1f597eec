import { fraction } from '../../domain/money.js';
import type { CostSettingsRegistry } from '../../repositories/cost-settings.js';
import {
  BREAKDOWN_SORTS,
  BreakdownResponse,
  BreakdownRow,
  breakdownPlaceValidator,
  DIMENSIONS,
  type BreakdownPlace,
} from '../../schemas/breakdown.js';
import { DIRECTIONS } from '../../schemas/primitives.js';
import { isOverlapping, type BreakdownReader } from '../../warehouse/queries/breakdown.js';
import { boundsOf, readCurrency, type PeriodDeps } from '../../figures/period.js';
import { toBreakdownRow, toBreakdownTotals } from '../answers/breakdown-answer.js';
import { nextOf, ofAnotherQuery, queryId, rangeOf, readRangeCursor } from '../cursor.js';
import { pageOf } from '../exports/pages.js';
import type { SendExport } from '../exports/send-export.js';
import { AFTER, cursor, limit, never, oneOf, RANGE, required } from '../parameters.js';
import { defineRoute, type Route } from '../route.js';

export interface BreakdownDeps extends Pick<PeriodDeps, 'now' | 'requirePush' | 'sources'> {
  costSettings: CostSettingsRegistry;
  breakdown: BreakdownReader;
  sendExport: SendExport;
}

const sums = {
  orders: 1,
  revenue: '38.90',
  refunds: '12.50',
  net_revenue: '26.40',
  cogs: '7.10',
  cogs_complete: 100,
  gateway_fees: '0.82',
  orders_without_fee: 0,
  profit: '18.48',
};

/** `GET /v1/breakdown` (contract: "Facts of an order, and breakdowns"). */
export const breakdownRoutes: readonly Route<BreakdownDeps>[] = [
  defineRoute({
    id: 'getBreakdown',
    method: 'get',
    path: '/v1/breakdown',
    tag: 'Metrics',
    scope: 'read',
    summary: 'Profit by country, sales channel, code, tag, gateway, campaign or customer',
    description:
      'What counted orders placed in a range of at most 366 days brought, by what they have in common. Refunds are those of these ' +
      'orders, whatever their day, so `totals` are those of `/v1/orders` of the same range. Orders that have none of what is ' +
      'asked by are the row whose `key` is null. Spellings that differ in case, or by blanks at the ends, are one row; of a ' +
      'payment gateway also those that differ by blanks, `_` and `-`. A campaign is that of the last touch, as in ' +
      '`/v1/attribution?by=campaign`, whatever its channel. An order with several codes or tags is in the row of each ' +
      '(`overlapping`). The rows that lost most come first with `sort=profit&order=asc`; while costs are unknown ' +
      "(`cogs_complete` below 100), a profit is at most what it says. Rows show today's state, so there is no `as_of`.",
    query: {
      by: required('by', DIMENSIONS, 'What the orders of a row have in common.', 'country'),
      range: RANGE,
      after: AFTER,
      sort: oneOf(
        'sort',
        BREAKDOWN_SORTS,
        'What the rows are sorted by; those of the same figure stand by `key`. Absent: `revenue`.',
      ),
      direction: oneOf(
        'order',
        DIRECTIONS,
        '`desc`: the largest first; `asc`: the smallest. Absent: `desc`, and `asc` with `sort=key`.',
      ),
      cursor: cursor((given) => readRangeCursor(given, breakdownPlaceValidator)),
      limit: limit('Rows'),
      asOf: never('as_of', "rows show today's state"),
    },
    answers: { 200: { description: 'A page of the rows.', schema: BreakdownResponse, rows: 'row' } },
    errors: ['source_not_registered', 'missing_field'],
    examples: [
      {
        name: 'gateways',
        summary: 'By payment gateway',
        query: { by: 'payment_gateway', from: '2026-03-01', to: '2026-03-07', sort: 'profit' },
        status: 200,
        response: {
          by: 'payment_gateway',
          from: '2026-03-01',
          to: '2026-03-07',
          currency: 'EUR',
          rows: [{ key: 'stripe', ...sums, share: '1.00' }],
          count: 1,
          totals: sums,
          overlapping: false,
        },
      },
    ],
    async run({ req, res, query, format, shopId }, deps) {
      const { by, sort = 'revenue', limit: size, cursor: begin, after } = query;
      const direction = query.direction ?? (sort === 'key' ? 'asc' : 'desc');
      const id = queryId(shopId, req.query, begin);
      // Only a list by key has no figure to go on from.
      if (begin !== undefined && (begin.place.value === '') !== (sort === 'key')) throw ofAnotherQuery();
      const range = rangeOf(query.range, begin);
      const { currency } = await readCurrency(
        deps,
        shopId,
        { range, after, asOf: undefined },
        { credits: by === 'campaign' },
      );
      const { rules } = await deps.costSettings.find(shopId);
      const all = { shopId, range, rules, by, sort, direction };
      if (format !== null) {
        const pages = { written: deps.breakdown.file(format, all) };
        const name = `by-${by.replaceAll('_', '-')}`;
        return deps.sendExport(req, res, { format, name, range, schema: BreakdownRow, pages });
      }
      const { groups, found, totals } = await deps.breakdown.page({ ...all, after: begin?.place, limit: size + 1 });
      // Those of the first page hold for all.
      const whole =
        begin === undefined
          ? { count: found, totals: toBreakdownTotals(totals) }
          : { count: begin.place.count, totals: begin.place.totals };
      const { rows, last } = pageOf(groups, size);
      const net = fraction(whole.totals.net_revenue);
      return {
        by,
        ...boundsOf(range),
        currency,
        rows: rows.map((group) => toBreakdownRow(group, net)),
        ...whole,
        overlapping: isOverlapping(by),
        ...nextOf(id, last && ({ ...range, ...last.position, ...whole } satisfies BreakdownPlace)),
      } satisfies BreakdownResponse;
    },
  }),
];

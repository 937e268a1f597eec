import { monthsFrom, toCohort } from '../../domain/metrics/customers.js';
import { periodsOf } from '../../domain/metrics/periods.js';
import { ALL_DAYS } from '../../domain/metrics/range.js';
import { localDayIn } from '../../domain/zones/local-day.js';
import { boundsOf, readCurrency, readMaker } from '../../figures/period.js';
import { COHORT_PERIODS, CohortLine, CohortsResponse, type Cohort } from '../../schemas/cohorts.js';
import { allPages } from '../exports/pages.js';
import type { SendExport } from '../exports/send-export.js';
import { AFTER, never, oneOf, rangeOf } from '../parameters.js';
import { defineRoute, type Route } from '../route.js';
import type { MetricsDeps } from './metrics.js';

export interface CohortsDeps extends MetricsDeps {
  sendExport: SendExport;
}

/** 60 months. */
const MOST = { days: 1_827, advice: ' That is 60 months.' };

/** `GET /v1/customers/cohorts` (contract: "Customers"). */
export const cohortRoutes: readonly Route<CohortsDeps>[] = [
  defineRoute({
    id: 'getCohorts',
    method: 'get',
    path: '/v1/customers/cohorts',
    tag: 'Metrics',
    scope: 'read',
    summary: 'Cohorts of customers, and when they paid back',
    description:
      'Customers by the month or quarter of their first counted order in the shop (by `placed_at`, then `order_id`), and what all their ' +
      'counted orders brought month by month since. Refunds and profit belong to the month of the order. The range holds at most 60 ' +
      'months. Orders without a `customer.id` are in no cohort. Cohorts are restated when an older order arrives, is voided or is ' +
      "deleted: they show today's state, so there is no `as_of`. A table has a row for each month of each cohort.",
    query: {
      range: rangeOf(() => MOST),
      after: AFTER,
      by: oneOf('by', COHORT_PERIODS, 'The period of a cohort. Absent: `month`.'),
      asOf: never('as_of', "cohorts show today's state"),
    },
    answers: { 200: { description: 'The cohorts.', schema: CohortsResponse, rows: 'month of a cohort' } },
    errors: ['source_not_registered'],
    async run({ req, res, query, format, shopId }, deps) {
      const { range, after, by = 'month' } = query;
      const asked = { range, after, asOf: undefined };
      const source = await readCurrency(deps, shopId, { ...asked, range: ALL_DAYS });
      const periods = periodsOf(range, by);
      const firstDays = periods.map(({ from }) => from);
      const [{ timezone }, { rules }] = await Promise.all([
        deps.sources.require(shopId),
        deps.costSettings.find(shopId),
      ]);
      const [{ maker }, parts, found] = await Promise.all([
        readMaker(deps, shopId, asked, source),
        deps.metrics.daily(shopId, range),
        deps.customers.cohorts({ shopId, range, rules }, firstDays),
      ]);
      const today = localDayIn(timezone)(deps.now() * 1000);
      const cohorts = periods.map((days) => {
        const own = parts.filter(({ day }) => day >= days.from && day <= days.to);
        const months = found.get(days.from) ?? [];
        const shown = Math.max(monthsFrom(days.from, today), (months.at(-1)?.month ?? -1) + 1);
        return toCohort(days, shown, months, maker.figures(days, own).adSpend);
      });
      if (format !== null) {
        const pages = allPages(() => Promise.resolve({ rows: cohorts.flatMap(linesOf), last: undefined }));
        return deps.sendExport(req, res, { format, name: 'cohorts', range, schema: CohortLine, pages });
      }
      return { ...boundsOf(range), currency: source.currency, cohorts } satisfies CohortsResponse;
    },
    examples: [
      {
        name: 'too_long',
        summary: 'More than 60 months',
        query: { from: '2020-01-01', to: '2026-03-31' },
        status: 400,
        response: {
          errors: [
            {
              code: 'range_too_long',
              message: 'The range holds 2282 days; at most 1827 are allowed. That is 60 months.',
              field: 'from',
            },
          ],
          request_id: '7c1a4a3e-52f4-4d8e-9a51-0f6f0a2c7b11',
        },
      },
    ],
  }),
];

const linesOf = ({ months, customers, ...cohort }: Cohort): CohortLine[] =>
  months.map((month) => ({ ...cohort, cohort_customers: customers, ...month }));

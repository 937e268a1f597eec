import Type from 'typebox';
import { PERIODS, periodsOf, type Period } from '../../domain/metrics/periods.js';
import { MAX_PERIODS_DAYS, MAX_RANGE_DAYS, requireDays, type DayRange } from '../../domain/metrics/range.js';
import { formatDay } from '../../domain/time.js';
import type { ShopCurrency } from '../../domain/source.js';
import { requestError } from '../../errors.js';
import { DailyMetrics, DailyMetricsResponse, ExpenseMetrics, type Includable } from '../../schemas/metrics.js';
import { comparedDays } from '../../figures/compared.js';
import { boundsOf, readCurrency, readMaker } from '../../figures/period.js';
import { noteOf } from '../../figures/currency-note.js';
import { daysRead, readAdded, shownFigures, showsExpenses, type FiguresQuery } from '../../figures/shown-figures.js';
import { allPages } from '../exports/pages.js';
import type { SendExport } from '../exports/send-export.js';
import { oneOf, rangeOf } from '../parameters.js';
import { defineRoute, type Route } from '../route.js';
import { DAY_OF_SALE, FIGURES_QUERY, figuresOf, type MetricsDeps } from './metrics.js';

export interface DailyMetricsDeps extends MetricsDeps {
  sendExport: SendExport;
}

const BY_DAY = {
  days: MAX_RANGE_DAYS,
  advice: ` Figures by=week, by=month or by=quarter may be of ${MAX_PERIODS_DAYS}.`,
};

/** `GET /v1/metrics/daily` (specification: "GET /v1/metrics rules"). */
export const dailyMetricsRoutes: readonly Route<DailyMetricsDeps>[] = [
  defineRoute({
    id: 'getDailyMetrics',
    method: 'get',
    path: '/v1/metrics/daily',
    tag: 'Metrics',
    scope: 'read',
    summary: 'Figures by day',
    description:
      'The figures of every single day of the range, days without orders included; with `by=week`, `by=month` or `by=quarter` those of its ' +
      'weeks, months or quarters, which the first and last day of the range cut, of at most 1,098 days. Each entry is what `/v1/metrics` says of the same days.',
    query: {
      ...FIGURES_QUERY,
      range: rangeOf((text) => (text.has('by') ? { days: MAX_PERIODS_DAYS } : BY_DAY)),
      period: oneOf('by', PERIODS, 'What an entry is of; weeks begin on Monday. Absent: `day`.'),
    },
    answers: { 200: { description: 'The figures by day.', schema: DailyMetricsResponse, rows: 'day' } },
    errors: ['source_not_registered'],
    examples: [
      {
        name: 'days',
        summary: 'A sale, and its refund three days later',
        query: { from: '2026-03-01', to: '2026-03-04' },
        status: 200,
        response: {
          from: '2026-03-01',
          to: '2026-03-04',
          currency: 'EUR',
          days: [
            { date: '2026-03-01', ...figuresOf(DAY_OF_SALE) },
            { date: '2026-03-02', ...figuresOf({ adSpend: '16.00' }) },
            { date: '2026-03-03', ...figuresOf({ adSpend: '1.00' }) },
            { date: '2026-03-04', ...figuresOf({ refunds: '12.50', cogs: '-4.10', adSpend: '1.00' }) },
          ],
        },
      },
      {
        name: 'weeks',
        summary: 'A Sunday, and the days after it, by week',
        query: { from: '2026-03-01', to: '2026-03-03', by: 'week' },
        status: 200,
        response: {
          from: '2026-03-01',
          to: '2026-03-03',
          currency: 'EUR',
          days: [
            { date: '2026-03-01', to: '2026-03-01', ...figuresOf(DAY_OF_SALE) },
            { date: '2026-03-02', to: '2026-03-03', ...figuresOf({ adSpend: '17.00' }) },
          ],
        },
      },
    ],
    async run({ req, res, query, format, shopId }, deps) {
      const { range, included, vs, period = 'day' } = query;
      if (period === 'day') requireDays(range, BY_DAY.days, BY_DAY.advice);
      if (format !== null && vs !== undefined) {
        const message = 'A table has the days of one range: leave vs out, and ask for the other days by from and to.';
        throw requestError('invalid_value', message, 'vs');
      }
      const compared = await comparedDays(deps, shopId, query);
      const now = await readCurrency(deps, shopId, daysRead(query), { compared });
      if (format !== null) {
        const { days } = await readDays(deps, shopId, query, now);
        const pages = allPages(() => Promise.resolve({ rows: days, last: undefined }));
        return deps.sendExport(req, res, {
          format,
          name: 'daily',
          range,
          schema: dailySchema(included, period),
          pages,
        });
      }
      const answer = (range: DayRange) => readRange(deps, shopId, { ...query, range }, now);
      const [figures, then] = await Promise.all([answer(range), compared && answer(compared)]);
      return { ...figures, ...(then && { compared: then }) };
    },
  }),
];

type DaysQuery = FiguresQuery & { period?: Period | undefined };

/** @param now the source as it is now */
async function readDays(deps: MetricsDeps, shopId: string, query: DaysQuery, now: ShopCurrency) {
  const { range, included, asOf, period = 'day' } = query;
  const periods = periodsOf(range, period);
  const firstDays = periods.map((days) => days.from);
  const [{ currency, maker }, parts, added] = await Promise.all([
    readMaker(deps, shopId, query, now),
    deps.metrics.daily(shopId, range, asOf),
    readAdded(deps, shopId, query, firstDays),
  ]);
  const byDay = new Map(parts.map((part) => [part.day, part]));
  const days = periods.map((days) => {
    const own = Array.from({ length: days.to - days.from + 1 }, (_, i) => byDay.get(days.from + i) ?? []).flat();
    return {
      date: formatDay(days.from),
      ...(period !== 'day' && { to: formatDay(days.to) }),
      ...shownFigures(maker, days, own, included, added),
    };
  });
  return { currency, maker, parts, days };
}

async function readRange(deps: MetricsDeps, shopId: string, query: DaysQuery, now: ShopCurrency) {
  const { range, included, asOf } = query;
  const { currency, maker, parts, days } = await readDays(deps, shopId, query, now);
  // Days know no channels. Only the note names any, and only where spend is in another currency.
  const hasForeign = parts.some(({ spend }) => spend.some((entry) => entry.currency !== currency));
  const whole = hasForeign ? await deps.metrics.parts(shopId, range, maker.bounds, asOf) : parts;
  const note = noteOf(maker, whole, { expenses: showsExpenses(included) });
  return { ...boundsOf(range), currency, days, ...note };
}

const EXPENSE_FIGURES = Object.keys(ExpenseMetrics.properties) as (keyof ExpenseMetrics)[];

/** A table has columns for what was asked for alone. */
function dailySchema(included: ReadonlySet<Includable>, period: Period) {
  const left = [
    ...(period === 'day' ? (['to'] as const) : []),
    ...(included.has('expenses') ? [] : EXPENSE_FIGURES),
    ...(included.has('coverage') ? [] : (['coverage'] as const)),
    ...(included.has('statement') ? [] : (['statement'] as const)),
    ...(included.has('customers') ? [] : (['customers'] as const)),
  ];
  return Type.Omit(DailyMetrics, left);
}

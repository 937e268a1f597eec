import { COMPARISONS } from '../../domain/metrics/comparison.js';
import { toMetrics } from '../../domain/metrics/metrics.js';
import type { DayRange } from '../../domain/metrics/range.js';
import { fraction, ZERO } from '../../domain/money.js';
import { INCLUDABLE, MetricsResponse, type Metrics } from '../../schemas/metrics.js';
import { comparedDays } from '../../figures/compared.js';
import { readCurrency, type PeriodDeps } from '../../figures/period.js';
import { daysRead, readRange } from '../../figures/shown-figures.js';
import type { CustomerReader } from '../../warehouse/queries/customers.js';
import { AFTER, AS_OF, oneOf, RANGE, someOf } from '../parameters.js';
import { defineRoute, type Route } from '../route.js';

type ExampleSums = { orders?: number } & Partial<
  Record<'revenue' | 'refunds' | 'cogs' | 'gatewayFees' | 'adSpend', string>
>;

/** The figures of an example, from what is not zero. */
export function figuresOf(sums: ExampleSums): Metrics {
  const { orders = 0, revenue = '0', refunds = '0', cogs = '0', gatewayFees = '0', adSpend = '0' } = sums;
  return toMetrics({
    orders,
    revenue: fraction(revenue),
    refunds: fraction(refunds),
    cogs: fraction(cogs),
    gatewayFees: fraction(gatewayFees),
    adSpend: fraction(adSpend),
    operatingExpenses: ZERO,
    total: () => ZERO,
  });
}
/** What the examples before these push: an order, its catalog, a refund, radio spend, a monthly fee of 1.00 a day. */
export const DAY_OF_SALE = { orders: 1, revenue: '38.90', cogs: '11.20', gatewayFees: '0.82', adSpend: '1.00' };

export const FIGURES_QUERY = {
  range: RANGE,
  included: someOf(
    'include',
    INCLUDABLE,
    'Joined by commas: `expenses` adds `operating_expenses` and `net_profit_after_expenses`; `coverage` adds how many of ' +
      'the orders behind the figures have known costs, and the revenue of those that have not; `statement` adds what revenue is made of, taxes, fulfillment costs and `earnings`; ' +
      '`customers` adds orders, revenue and profit of new customers and of those who came back, and what a new one cost (`cac`), as ' +
      'they stand now, so not with `as_of`. Absent: nothing is added.',
  ),
  vs: oneOf(
    'vs',
    COMPARISONS,
    'Adds `compared`, what the same request answers for earlier days. `before`: as many days just before; of a whole month, quarter or ' +
      'year the whole one before; of a range that begins with one and ends today (of the shop, or of `as_of`) the same days of the ' +
      'one before. `year`: 52 weeks before, on the same weekdays. Absent: nothing is compared.',
  ),
  after: AFTER,
  asOf: AS_OF,
};

export interface MetricsDeps extends PeriodDeps {
  customers: CustomerReader;
}

/** `GET /v1/metrics` (specification: "GET /v1/metrics rules"). */
export const metricsRoutes: readonly Route<MetricsDeps>[] = [
  defineRoute({
    id: 'getMetrics',
    method: 'get',
    path: '/v1/metrics',
    tag: 'Metrics',
    scope: 'read',
    summary: 'Figures of a period',
    description:
      'Exact figures of at most 366 days in the currency of the shop; days are those of its time zone. Every figure is computed ' +
      'from unrounded sums and rounded once, half-up at the sixth decimal.',
    query: FIGURES_QUERY,
    answers: { 200: { description: 'The figures.', schema: MetricsResponse } },
    errors: ['source_not_registered'],
    examples: [
      {
        name: 'period',
        summary: 'A week',
        query: { from: '2026-03-01', to: '2026-03-07' },
        status: 200,
        response: {
          from: '2026-03-01',
          to: '2026-03-07',
          currency: 'EUR',
          ...figuresOf({ ...DAY_OF_SALE, refunds: '12.50', cogs: '7.10', adSpend: '22.00' }),
        },
      },
      {
        name: 'compared',
        summary: 'A day, and the one 52 weeks before',
        query: { from: '2026-03-02', to: '2026-03-02', vs: 'year' },
        status: 200,
        response: {
          from: '2026-03-02',
          to: '2026-03-02',
          currency: 'EUR',
          ...figuresOf({ adSpend: '16.00' }),
          compared: { from: '2025-03-03', to: '2025-03-03', currency: 'EUR', ...figuresOf({}) },
        },
      },
      {
        name: 'inverted',
        summary: 'An inverted range',
        query: { from: '2026-03-07', to: '2026-03-01' },
        status: 400,
        response: {
          errors: [
            { code: 'invalid_range', message: 'from (2026-03-07) must not be after to (2026-03-01).', field: 'from' },
          ],
          request_id: 'aa4b4c1e-8f4b-4b0c-8a43-0b3a49d7d6d2',
        },
      },
      {
        name: 'after',
        summary: 'After a push that the shop never made',
        query: { from: '2026-03-01', to: '2026-03-07', after: '019ca8b2-5b1c-7d6e-9f37-2a4c6e8b0d15' },
        status: 400,
        response: {
          errors: [
            { code: 'invalid_value', message: 'after must be the receipt of a push of this shop.', field: 'after' },
          ],
          request_id: '2d0c8a5e-1d0f-4b53-9a2b-6a7e1f0c9b44',
        },
      },
      {
        name: 'as_of',
        summary: 'As of a moment to come',
        query: { from: '2026-03-01', to: '2026-03-07', as_of: '2099-01-01T00:00:00Z' },
        status: 400,
        response: {
          errors: [
            {
              code: 'invalid_range',
              message: 'as_of must not be in the future.',
              field: 'as_of',
            },
          ],
          request_id: '0b4f7f0e-6d5c-4b43-9a4e-51e8f7c0d9aa',
        },
      },
    ],
    async run({ query, shopId }, deps) {
      const compared = await comparedDays(deps, shopId, query);
      const source = await readCurrency(deps, shopId, daysRead(query), { compared });
      const answer = (range: DayRange) => readRange(deps, shopId, { ...query, range }, source);
      const [figures, then] = await Promise.all([answer(query.range), compared && answer(compared)]);
      return { ...figures, ...(then && { compared: then }) };
    },
  }),
];

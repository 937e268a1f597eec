import type { Static } from 'typebox';
import type { DailyMetrics, Metrics, MetricsResponse, RangeCoverage, Statement } from '../../../schemas/metrics.js';

/** Every amount that a day or a range has. */
export type AllMetrics = Metrics & Statement;

/** What is known of a range or a period. */
export type Figures = Metrics & { coverage: RangeCoverage; statement: Statement };

/** `GET /v1/metrics?include=coverage,statement`. */
export type MetricsAnswer = Static<typeof MetricsResponse> & { coverage: RangeCoverage; statement: Statement };

/** The same with `vs`; without it, nothing is compared. */
export type ComparedAnswer = MetricsAnswer & { compared?: MetricsAnswer };

/** The period to compare with; undefined without one, and where it has no orders: a change would only repeat the amounts. */
export function comparableOf({ compared }: ComparedAnswer): MetricsAnswer | undefined {
  return compared !== undefined && compared.orders > 0 ? compared : undefined;
}

/** `GET /v1/metrics/daily?include=statement`, with `vs` the days of the comparison too. */
export interface DailyAnswer {
  currency: string;
  days: (Static<typeof DailyMetrics> & { statement: Statement })[];
  compared?: Pick<DailyAnswer, 'days'>;
}

/** The amounts of an answer side by side. */
export function amountsOf({ statement, ...metrics }: Metrics & { statement: Statement }): AllMetrics {
  return { ...metrics, ...statement };
}

export type Day = DailyAnswer['days'][number];

import type { Static } from 'typebox';
import type { DailyMetrics, Metrics, MetricsResponse, RangeCoverage, Statement } from '../../../schemas/metrics.js';

/** Every amount that a day or a range has. */
export type AllMetrics = Metrics & Statement;

/** `GET /v1/metrics?include=coverage,statement`. */
export type MetricsAnswer = Static<typeof MetricsResponse> & { coverage: RangeCoverage; statement: Statement };

/** `GET /v1/metrics?include=coverage,statement&vs=before`. */
export type ComparedAnswer = MetricsAnswer & { compared: MetricsAnswer };

/** `GET /v1/metrics/daily?include=statement`. */
export interface DailyAnswer {
  currency: string;
  days: (Static<typeof DailyMetrics> & { statement: Statement })[];
}

/** The amounts of an answer side by side. */
export function amountsOf({ statement, ...metrics }: Metrics & { statement: Statement }): AllMetrics {
  return { ...metrics, ...statement };
}

export type Day = DailyAnswer['days'][number];

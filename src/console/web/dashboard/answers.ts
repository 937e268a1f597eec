import type { ExpenseMetrics, Metrics, RangeCoverage } from '../../../schemas/metrics.js';

/** Every amount that a day or a range has: with `include=expenses`. */
export type AllMetrics = Metrics & ExpenseMetrics;

/** `GET /v1/metrics?include=expenses,coverage`. */
export interface MetricsAnswer extends AllMetrics {
  from: string;
  to: string;
  currency: string;
  coverage: RangeCoverage;
  currency_note?: string;
}

/** `GET /v1/metrics/daily?include=expenses`. */
export interface DailyAnswer {
  currency: string;
  days: (AllMetrics & { date: string })[];
}

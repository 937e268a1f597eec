import type { Static } from 'typebox';
import type {
  DailyMetrics,
  ExpenseMetrics,
  Metrics,
  MetricsResponse,
  RangeCoverage,
} from '../../../schemas/metrics.js';

/** Every amount that a day or a range has: with `include=expenses`. */
export type AllMetrics = Metrics & ExpenseMetrics;

/** `GET /v1/metrics?include=expenses,coverage`. */
export type MetricsAnswer = Static<typeof MetricsResponse> & ExpenseMetrics & { coverage: RangeCoverage };

/** `GET /v1/metrics/daily?include=expenses`. */
export interface DailyAnswer {
  currency: string;
  days: (Static<typeof DailyMetrics> & ExpenseMetrics)[];
}

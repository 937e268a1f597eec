import type { Metrics } from '../../../domain/metrics.js';

/** `GET /v1/metrics`. */
export interface MetricsAnswer extends Metrics {
  from: string;
  to: string;
  currency: string;
  currency_note?: string;
}

/** `GET /v1/metrics/daily`. */
export interface DailyAnswer {
  currency: string;
  days: (Metrics & { date: string })[];
}

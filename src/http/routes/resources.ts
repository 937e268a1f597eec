import type { Route } from '../route.js';
import { dailyMetricsRoutes } from './daily-metrics.js';
import { metricDefinitionRoutes } from './metric-definitions.js';
import { metricsRoutes } from './metrics.js';
import { orderRoutes } from './orders.js';

/** Every route of the API by resource, in an order in which the examples can be sent one after the other. */
export const RESOURCES = {
  orders: orderRoutes,
  metrics: metricsRoutes,
  dailyMetrics: dailyMetricsRoutes,
  metricDefinitions: metricDefinitionRoutes,
};

/** What each resource works with; put together in `src/composition/api.ts`. */
export type ResourceDeps = {
  [Name in keyof typeof RESOURCES]: (typeof RESOURCES)[Name] extends readonly Route<infer Deps>[] ? Deps : never;
};

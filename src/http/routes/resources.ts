import type { DepsFor, Route } from '../route.js';
import { attributionRoutes } from './attribution.js';
import { breakdownRoutes } from './breakdown.js';
import { cohortRoutes } from './cohorts.js';
import { collectRoutes } from './collect.js';
import { connectionRoutes } from './connections.js';
import { dailyMetricsRoutes } from './daily-metrics.js';
import { expenseRoutes } from './expenses.js';
import { explainRoutes } from './explain.js';
import { gatewayFeeRoutes } from './gateway-fees.js';
import { healthRoutes } from './health.js';
import { ingestStatusRoutes } from './ingest-status.js';
import { metricDefinitionRoutes } from './metric-definitions.js';
import { metricsRoutes } from './metrics.js';
import { openApiRoutes } from './openapi.js';
import { orderCostRoutes } from './order-costs.js';
import { orderDeletionRoutes } from './order-deletion.js';
import { orderDetailRoutes } from './order-detail.js';
import { orderListRoutes } from './order-list.js';
import { orderRoutes } from './orders.js';
import { productCostRoutes } from './product-costs.js';
import { productRoutes } from './products.js';
import { pushRoutes } from './pushes.js';
import { rateRoutes } from './rates.js';
import { reconcileRoutes } from './reconcile.js';
import { rejectionRoutes } from './rejections.js';
import { restatementRoutes } from './restatements.js';
import { shopifyHookRoutes } from './shopify-hooks.js';
import { sourceRoutes } from './source.js';
import { spendRoutes } from './spend.js';
import { whyRoutes } from './why.js';

/** Every route of the API by resource, in an order in which the examples can be sent one after the other. */
export const RESOURCES = {
  source: sourceRoutes,
  orders: orderRoutes,
  productCosts: productCostRoutes,
  spend: spendRoutes,
  gatewayFees: gatewayFeeRoutes,
  orderCosts: orderCostRoutes,
  rates: rateRoutes,
  expenses: expenseRoutes,
  collect: collectRoutes,
  metrics: metricsRoutes,
  dailyMetrics: dailyMetricsRoutes,
  metricDefinitions: metricDefinitionRoutes,
  explain: explainRoutes,
  why: whyRoutes,
  restatements: restatementRoutes,
  products: productRoutes,
  attribution: attributionRoutes,
  breakdown: breakdownRoutes,
  cohorts: cohortRoutes,
  orderList: orderListRoutes,
  orderDetail: orderDetailRoutes,
  connections: connectionRoutes,
  ingestStatus: ingestStatusRoutes,
  health: healthRoutes,
  openApi: openApiRoutes,
  rejections: rejectionRoutes,
  pushes: pushRoutes,
  reconcile: reconcileRoutes,
  orderDeletion: orderDeletionRoutes,
  shopifyHooks: shopifyHookRoutes,
};

/** What each resource works with; put together in `src/composition/api.ts`. */
export type ResourceDeps = {
  [Name in keyof typeof RESOURCES]: (typeof RESOURCES)[Name] extends readonly Route<infer Deps>[]
    ? DepsFor<Deps>
    : never;
};

import type { Operation } from './operation.js';
import { attributionOperations } from '../routes/attribution.operation.js';
import { collectOperations } from '../routes/collect.operation.js';
import { costOperations } from '../routes/costs.operation.js';
import { explainOperations } from '../routes/explain.operation.js';
import { orderReadOperations } from '../routes/order-reads.operation.js';
import { RESOURCES } from '../routes/resources.js';
import { productCostOperations } from '../routes/product-costs.operation.js';
import { productOperations } from '../routes/products.operation.js';
import { reconcileOperations } from '../routes/reconcile.operation.js';
import { rejectionOperations } from '../routes/rejections.operation.js';
import { restatementOperations } from '../routes/restatements.operation.js';
import { sourceOperations } from '../routes/source.operation.js';
import { statusOperations } from '../routes/status.operation.js';

/** Every operation, in an order in which the examples can be sent one after the other. */
export const OPERATIONS: readonly Operation[] = [
  ...sourceOperations,
  ...RESOURCES.orders,
  ...productCostOperations,
  ...costOperations,
  ...collectOperations,
  ...RESOURCES.metrics,
  ...RESOURCES.dailyMetrics,
  ...RESOURCES.metricDefinitions,
  ...explainOperations,
  ...restatementOperations,
  ...productOperations,
  ...attributionOperations,
  ...orderReadOperations,
  ...statusOperations,
  ...rejectionOperations,
  ...reconcileOperations,
];

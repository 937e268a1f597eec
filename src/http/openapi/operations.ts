import type { Operation } from './operation.js';
import { attributionOperations } from './operations/attribution.js';
import { collectOperations } from './operations/collect.js';
import { costOperations } from './operations/costs.js';
import { metricsOperations } from './operations/metrics.js';
import { orderOperations } from './operations/orders.js';
import { productCostOperations } from './operations/product-costs.js';
import { sourceOperations } from './operations/source.js';
import { statusOperations } from './operations/status.js';

/** Every operation, in an order in which the examples can be sent one after the other. */
export const OPERATIONS: readonly Operation[] = [
  ...sourceOperations,
  ...orderOperations,
  ...productCostOperations,
  ...costOperations,
  ...collectOperations,
  ...metricsOperations,
  ...attributionOperations,
  ...statusOperations,
];

import type { RequestHandler } from 'express';
import type { Scope } from '../domain/keys.js';
import type { TakeExpense } from '../intake/expenses.js';
import type { TakeProductCosts } from '../intake/product-costs.js';
import type { TakeSpend } from '../intake/spend.js';
import type { CostSettingsRegistry } from '../registry/cost-settings.js';
import type { ExpenseRegistry } from '../registry/expenses.js';
import type { KeyRegistry } from '../registry/keys.js';
import type { SourceRegistry } from '../registry/sources.js';
import type { SharedAnswers } from '../state/shared-answers.js';
import type { ReadAdChannels } from '../warehouse/ad-channels.js';
import type { ReadIngestStatus, ReadReceived } from '../warehouse/ingest-status.js';
import type { AttributionReader } from '../warehouse/attribution.js';
import type { MetricsReader } from '../warehouse/metrics.js';
import type { ListProductCosts } from '../warehouse/product-costs.js';
import type { Collect } from './collector.js';
import type { PushOrders } from './order-pushes.js';
import type { WindowLimit } from './window-limit.js';

/** State of the parts that the service stands on. */
export interface Health {
  redis: boolean;
  clickhouse: boolean;
  /** False while writes are refused because the queue is too long. */
  queues: boolean;
}

/** What the door of the collector works with. */
export interface CollectDeps {
  now: () => number;
  keys: KeyRegistry;
  collect: Collect;
  limitAddress: WindowLimit;
}

/** What the routes work with; put together in `src/deps.ts`. */
export interface RouteDeps {
  now: () => number;
  keys: KeyRegistry;
  sources: SourceRegistry;
  pushOrders: PushOrders;
  takeProductCosts: TakeProductCosts;
  listProductCosts: ListProductCosts;
  takeSpend: TakeSpend;
  takeExpense: TakeExpense;
  expenses: ExpenseRegistry;
  costSettings: CostSettingsRegistry;
  metrics: MetricsReader;
  ingestStatus: ReadIngestStatus;
  /** Ingest status of a shop, at most one computation in 10 s over all processes. */
  statusAnswers: SharedAnswers;
  received: ReadReceived;
  adChannels: ReadAdChannels;
  attribution: AttributionReader;
  health: () => Promise<Health>;
  /** Throws `queue_unavailable` while the queue is over its budget. */
  requireCapacity: () => void;
  collect: CollectDeps;
  /** Authentication and rate limit of reads. */
  read: RequestHandler[];
  /** Authentication by any secret key, and rate limit of writes. */
  secret: RequestHandler[];
  /** Authentication by a secret key with the scope, and rate limit of writes. */
  write: (scope: Scope) => RequestHandler[];
}

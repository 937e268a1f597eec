import type { RequestHandler } from 'express';
import type { Scope } from '../domain/keys.js';
import type { TakeExpense } from '../ingest/expenses.js';
import type { TakeGatewayFees } from '../ingest/gateway-fees.js';
import type { TakeProductCosts } from '../ingest/product-costs.js';
import type { TakeSpend } from '../ingest/spend.js';
import type { Turns } from '../ingest/turns.js';
import type { CostSettingsRegistry } from '../repositories/cost-settings.js';
import type { ExpenseRegistry } from '../repositories/expenses.js';
import type { RequirePush } from '../repositories/freshness.js';
import type { KeyRegistry } from '../repositories/keys.js';
import type { PastSettingsRegistry } from '../repositories/past-settings.js';
import type { SourceRegistry } from '../repositories/sources.js';
import type { AuditState } from '../redis/audit-state.js';
import type { SharedAnswers } from '../redis/shared-answers.js';
import type { ReadAdChannels } from '../warehouse/queries/ad-channels.js';
import type { FailedDay } from '../schemas/ingest-status.js';
import type { ReadIngestStatus } from '../warehouse/queries/ingest-status.js';
import type { ReadReceived } from '../warehouse/queries/push-times.js';
import type { AttributionReader } from '../warehouse/queries/attribution.js';
import type { FindOrder } from '../warehouse/queries/order-detail.js';
import type { OrderList } from '../warehouse/queries/order-list.js';
import type { ContributionReader } from '../warehouse/queries/contribution-reader.js';
import type { CauseReader } from '../warehouse/queries/day-causes.js';
import type { MetricsReader } from '../warehouse/queries/metrics.js';
import type { RestatementReader } from '../warehouse/queries/restatements.js';
import type { RejectionsReader } from '../warehouse/queries/rejections.js';
import type { ListProductCosts } from '../warehouse/queries/product-costs.js';
import type { ListProducts } from '../warehouse/queries/products.js';
import type { SendExport } from './exports/send-export.js';
import type { BodyRoom } from './middleware/body-room.js';
import type { Collect } from './routes/collect-batch.js';
import type { Reconcile } from './answers/reconcile.js';
import type { AuthenticateDeps } from './middleware/authenticate.js';
import type { WindowLimit } from './middleware/window-limit.js';

/** Which of the stores answer. */
export interface Health {
  redis: boolean;
  clickhouse: boolean;
  /** False while writes are refused because the queues are too long, and when nothing leaves one for 30 s. */
  queues: boolean;
}

/** What `POST /v1/collect` works with. */
export interface CollectDeps {
  now: () => number;
  keys: KeyRegistry;
  collect: Collect;
  limitAddress: WindowLimit;
  limitUnknown: AuthenticateDeps['limitUnknown'];
}

/** What the routes work with; put together in `src/composition/api.ts`. */
export interface RouteDeps {
  now: () => number;
  keys: KeyRegistry;
  sources: SourceRegistry;
  takeProductCosts: TakeProductCosts;
  listProductCosts: ListProductCosts;
  listProducts: ListProducts;
  takeSpend: TakeSpend;
  takeExpense: TakeExpense;
  takeGatewayFees: TakeGatewayFees;
  expenses: ExpenseRegistry;
  costSettings: CostSettingsRegistry;
  pastSettings: PastSettingsRegistry;
  /** Days that the past of figures is kept. */
  keptDays: number;
  /** Called by every read of figures before it reads anything: waits for the push that `after` names. */
  requirePush: RequirePush;
  metrics: MetricsReader;
  restatements: RestatementReader;
  /** Why days changed. */
  causes: CauseReader;
  orderList: OrderList;
  findOrder: FindOrder;
  contributions: ContributionReader;
  ingestStatus: ReadIngestStatus;
  /** Days of a shop that could not be rebuilt. */
  failedDays: (shopId: string) => Promise<FailedDay[]>;
  /** What the auditor says of a shop. */
  auditOf: AuditState['of'];
  /** Ingest status of a shop, at most one computation in 10 s over all processes. */
  statusAnswers: SharedAnswers;
  rejections: RejectionsReader;
  reconcile: Reconcile;
  received: ReadReceived;
  adChannels: ReadAdChannels;
  attribution: AttributionReader;
  health: () => Promise<Health>;
  /** Throws `queue_unavailable` while the queue is over its budget. */
  requireCapacity: () => void;
  /** Shares the event loop between shops while large bodies are read. */
  turns: Turns;
  bodies: BodyRoom;
  sendExport: SendExport;
  collect: CollectDeps;
  /** Authentication and rate limit of reads. */
  read: RequestHandler[];
  /** Authentication by any secret key, and rate limit of reads. */
  readSecret: RequestHandler[];
  /** Authentication by any secret key, and rate limit of writes. */
  secret: RequestHandler[];
  /** Authentication by a secret key with the scope, and rate limit of writes. */
  write: (scope: Scope) => RequestHandler[];
}

import type { Config } from '../config.js';
import { createReconcile } from '../http/answers/reconcile.js';
import { createExports } from '../http/exports/send-export.js';
import { createExportSlots } from '../http/exports/slots.js';
import type { ResourceDeps } from '../http/routes/resources.js';
import { createAuditState } from '../redis/audit-state.js';
import { createSharedAnswers } from '../redis/shared-answers.js';
import { createFreshness } from '../repositories/freshness.js';
import { createPastSettings } from '../repositories/past-settings.js';
import { createAdChannelReader } from '../warehouse/queries/ad-channels.js';
import { createAttributionReader } from '../warehouse/queries/attribution.js';
import { createContributionReader } from '../warehouse/queries/contribution-reader.js';
import { createCauseReader } from '../warehouse/queries/day-causes.js';
import { createLoggedFinder } from '../warehouse/queries/ingest-log.js';
import { createIngestStatusReader } from '../warehouse/queries/ingest-status.js';
import { createMetricsReader } from '../warehouse/queries/metrics.js';
import { createOrderFinder } from '../warehouse/queries/order-detail.js';
import { createOrderList } from '../warehouse/queries/order-list.js';
import { createProductList } from '../warehouse/queries/products.js';
import { recentlyCounted } from '../warehouse/queries/push-hours.js';
import { createReceivedReader } from '../warehouse/queries/push-times.js';
import { createReconcileReader } from '../warehouse/queries/reconcile.js';
import { createRejectionsReader } from '../warehouse/queries/rejections.js';
import { createRestatementReader } from '../warehouse/queries/restatements.js';
import { createPastSettingsReader } from '../warehouse/queries/settings-history.js';
import type { Stores } from './stores.js';

/** What the resources work with that are only read. */
export function openReads({ historyRetentionDays: keptDays }: Config, stores: Stores) {
  const { redis, warehouse, keys, sources, costSettings, now } = stores;
  const requirePush = createFreshness({ ...stores, findLogged: createLoggedFinder(warehouse) });
  const pastSettings = createPastSettings(createPastSettingsReader(warehouse), now);
  const metrics = createMetricsReader(warehouse);
  const sendExport = createExports(createExportSlots());
  const period = { now, requirePush, sources, costSettings, pastSettings, metrics };
  const causes = createCauseReader(warehouse);
  const rejections = createRejectionsReader(warehouse, now);
  const countedUntil = recentlyCounted(stores.shards);
  const received = createReceivedReader(warehouse, countedUntil);
  const auditState = createAuditState(redis);
  return {
    source: { now, keys, sources },
    metrics: period,
    dailyMetrics: { ...period, sendExport },
    metricDefinitions: {},
    explain: { ...period, contributions: createContributionReader(warehouse), sendExport },
    restatements: { ...period, restatements: createRestatementReader(warehouse), causes, keptDays, sendExport },
    products: { ...period, listProducts: createProductList(warehouse), sendExport },
    attribution: { ...period, attribution: createAttributionReader(warehouse) },
    orderList: { ...period, orderList: createOrderList(warehouse), sendExport },
    orderDetail: { ...period, findOrder: createOrderFinder(warehouse) },
    connections: { now, keys, sources, received, adChannels: createAdChannelReader(warehouse) },
    ingestStatus: {
      now,
      sources,
      ingestStatus: createIngestStatusReader(warehouse, countedUntil),
      failedDays: (shopId) => stores.dirtyDays.failures(shopId),
      auditOf: (shopId) => auditState.of(shopId),
      statusAnswers: createSharedAnswers(redis, { name: 'status', lifetimeMs: 10_000, computeMs: 8_000 }),
    },
    rejections: { rejections },
    reconcile: { ...period, reconcile: createReconcile({ reader: createReconcileReader(warehouse), rejections }) },
  } satisfies Partial<ResourceDeps>;
}

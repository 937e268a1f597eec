import type { Config } from '../config.js';
import { createReconcile } from '../http/answers/reconcile.js';
import type { SendExport } from '../http/exports/send-export.js';
import type { McpDeps } from '../http/mcp/route.js';
import type { DepsFor } from '../http/route.js';
import type { ResourceDeps } from '../http/routes/resources.js';
import { createAuditState } from '../redis/audit-state.js';
import { createSharedAnswers } from '../redis/shared-answers.js';
import { createFreshness } from '../figures/freshness.js';
import { createPastSettings } from '../repositories/past-settings.js';
import { createBiUsers } from '../warehouse/bi/users.js';
import { createAdChannelReader } from '../warehouse/queries/ad-channels.js';
import { createAttributionReader } from '../warehouse/queries/attribution.js';
import { createCampaignReader } from '../warehouse/queries/campaigns.js';
import { createBreakdownReader } from '../warehouse/queries/breakdown.js';
import { createCauseNames } from '../warehouse/queries/cause-names.js';
import { createContributionReader } from '../warehouse/queries/contribution-reader.js';
import { createCauseReader } from '../warehouse/queries/day-causes.js';
import { createLoggedFinder } from '../warehouse/queries/ingest-log.js';
import { createCustomerReader } from '../warehouse/queries/customers.js';
import { createIngestStatusReader } from '../warehouse/queries/ingest-status.js';
import { createMetricsReader } from '../warehouse/queries/metrics.js';
import { createOrderFinder } from '../warehouse/queries/order-detail.js';
import { createOrderList } from '../warehouse/queries/order-list.js';
import { createProductList } from '../warehouse/queries/products.js';
import { createPushList } from '../warehouse/queries/push-list.js';
import { recentlyCounted } from '../warehouse/queries/push-hours.js';
import { createLossReader } from '../warehouse/queries/losses.js';
import { createReceivedReader } from '../warehouse/queries/push-times.js';
import { createReconcileReader } from '../warehouse/queries/reconcile.js';
import { createRatesReader } from '../warehouse/queries/rates.js';
import { createRejectionsReader } from '../warehouse/queries/rejections.js';
import { createRestatementReader } from '../warehouse/queries/restatements.js';
import { createPastSettingsReader } from '../warehouse/queries/settings-history.js';
import { withTags } from '../warehouse/tags.js';
import type { Warehouse } from '../warehouse/client.js';
import { closedBiUsersOf } from './closed-bi-users.js';
import type { Stores } from './stores.js';

/** What the resources work with that are only read. */
export function openReads(config: Config, stores: Stores, sendExport: SendExport) {
  const { historyRetentionDays: keptDays } = config;
  const { redis, warehouse, keys, sources, costSettings, now } = stores;
  const { requirePush, daysLeft, openDays } = createFreshness({ ...stores, findLogged: createLoggedFinder(warehouse) });
  const pastSettings = createPastSettings(createPastSettingsReader(warehouse), createRatesReader(warehouse), now);
  const countedUntil = recentlyCounted(stores.shards);
  const auditState = createAuditState(redis);
  const failedDays = (shopId: string) => stores.rebuildQueues.failures(shopId);
  const auditOf = (shopId: string) => auditState.of(shopId);
  const statusAnswers = createSharedAnswers(redis, { name: 'status', lifetimeMs: 10_000, computeMs: 8_000 });
  const period = { now, requirePush, sources, costSettings, pastSettings };
  const reading =
    <Deps>(open: (warehouse: Warehouse) => Deps): DepsFor<Deps> =>
    (tagsOf) =>
      open(withTags(warehouse, tagsOf));
  const onPeriod = <Readers extends object>(open: (warehouse: Warehouse) => Readers) =>
    reading((tagged) => ({ ...period, metrics: createMetricsReader(tagged), sendExport, ...open(tagged) }));
  return {
    mcp: { openDays },
    source: () => ({ now, keys, sources }),
    metrics: onPeriod((tagged) => ({ customers: createCustomerReader(tagged) })),
    dailyMetrics: onPeriod((tagged) => ({ customers: createCustomerReader(tagged) })),
    metricDefinitions: () => ({}),
    explain: onPeriod((tagged) => ({ contributions: createContributionReader(tagged) })),
    why: onPeriod((tagged) => ({ contributions: createContributionReader(tagged) })),
    restatements: onPeriod((tagged) => ({
      restatements: createRestatementReader(tagged),
      causes: createCauseReader(tagged),
      nameCauses: createCauseNames(tagged),
      keptDays,
    })),
    products: onPeriod((tagged) => ({ productList: createProductList(tagged) })),
    attribution: onPeriod((tagged) => ({
      attribution: createAttributionReader(tagged),
      campaigns: createCampaignReader(tagged),
      losses: createLossReader(tagged, countedUntil),
    })),
    cohorts: onPeriod((tagged) => ({ customers: createCustomerReader(tagged) })),
    breakdown: onPeriod((tagged) => ({ breakdown: createBreakdownReader(tagged) })),
    orderList: onPeriod((tagged) => ({ orderList: createOrderList(tagged) })),
    orderDetail: onPeriod((tagged) => ({ findOrder: createOrderFinder(tagged) })),
    connections: reading((tagged) => ({
      now,
      keys,
      sources,
      received: createReceivedReader(tagged, countedUntil),
      adChannels: createAdChannelReader(tagged),
    })),
    ingestStatus: reading((tagged) => ({
      now,
      sources,
      ingestStatus: createIngestStatusReader(tagged, {
        countedUntil,
        metrics: createMetricsReader(tagged),
        rulesOf: async (shopId) => (await costSettings.find(shopId)).rules,
      }),
      failedDays,
      auditOf,
      closedBiUsers: closedBiUsersOf(config, createBiUsers(tagged, config.clickhouseDatabase)),
      statusAnswers,
    })),
    rejections: reading((tagged) => ({ rejections: createRejectionsReader(tagged, now) })),
    pushes: reading((tagged) => ({ listPushes: createPushList(tagged, now), daysLeft })),
    reconcile: onPeriod((tagged) => ({
      reconcile: createReconcile({
        reader: createReconcileReader(tagged),
        rejections: createRejectionsReader(tagged, now),
      }),
    })),
  } satisfies Partial<ResourceDeps> & { mcp: McpDeps };
}

import type { Config } from '../config.js';
import type { IngestHeader } from '../domain/ingest.js';
import type { Scope } from '../domain/keys.js';
import { authenticate } from '../http/middleware/authenticate.js';
import { createExports } from '../http/exports/send-export.js';
import { createExportSlots } from '../http/exports/slots.js';
import { createBodyRoom } from '../http/middleware/body-room.js';
import { hurryShort } from '../http/middleware/hurry.js';
import { limitByKey } from '../http/middleware/rate-limit.js';
import { limitUnknownKeys } from '../http/middleware/unknown-keys.js';
import { createCollect } from '../http/routes/collect-batch.js';
import { createReconcile } from '../http/answers/reconcile.js';
import type { AppDeps } from '../http/app.js';
import type { RouteTools } from '../http/route.js';
import type { RouteDeps } from '../http/route-deps.js';
import { limitBySecond } from '../http/middleware/window-limit.js';
import { createEventQueue } from '../ingest/event-push.js';
import { createEventIntake } from '../ingest/events.js';
import { createOrderIntake } from '../ingest/orders.js';
import { createGroupCommit } from '../ingest/group-commit.js';
import { createExpenseIntake } from '../ingest/expenses.js';
import { createRejections } from '../ingest/rejections.js';
import { createGatewayFeeIntake } from '../ingest/gateway-fees.js';
import { createProductCostIntake } from '../ingest/product-costs.js';
import { createShopHosts } from '../ingest/shop-hosts.js';
import { createSpendIntake } from '../ingest/spend.js';
import type { OrdersPush, ProductCostsPush, RejectionsPush, SpendPush } from '../queue/jobs.js';
import { createTurns } from '../ingest/turns.js';
import { watchCapacity } from '../queue/capacity.js';
import { QUEUES } from '../queue/jobs.js';
import { createProducer, type Producer } from '../queue/producer.js';
import { createAuditState } from '../redis/audit-state.js';
import { noteEventsHome } from '../redis/events-home.js';
import { createRejectionBudget } from '../redis/rejection-budget.js';
import { connectProducer } from '../redis/redis.js';
import { createLimitLeases } from '../redis/limit-leases.js';
import { createLimiter } from '../redis/limiters.js';
import { createShopNamesState } from '../redis/shop-names.js';
import { createPastSettings } from '../repositories/past-settings.js';
import { createShopNames, MOST_AD_ACCOUNTS, MOST_CHANNELS, MOST_GATEWAYS } from '../repositories/shop-names.js';
import { createSharedAnswers } from '../redis/shared-answers.js';
import { createFreshness } from '../repositories/freshness.js';
import { createProbe } from '../telemetry/probe.js';
import { countPushes, createPushCounts } from '../telemetry/push-metrics.js';
import { offerQueues } from '../telemetry/queue-metrics.js';
import { offerStoreHealth } from '../telemetry/store-metrics.js';
import { eventsHome, redisServers, type Stores } from './stores.js';
import { NO_HEAD } from '../warehouse/columns/json-rows.js';
import { ORDER_DAYS_HEAD, ORDERS_HEAD } from '../warehouse/columns/orders.js';
import { createAdChannelReader } from '../warehouse/queries/ad-channels.js';
import { createLoggedFinder, writeIngestLog } from '../warehouse/queries/ingest-log.js';
import { createIngestStatusReader } from '../warehouse/queries/ingest-status.js';
import { recentlyCounted } from '../warehouse/queries/push-hours.js';
import { createReceivedReader } from '../warehouse/queries/push-times.js';
import { createAttributionReader } from '../warehouse/queries/attribution.js';
import { createOrderFinder } from '../warehouse/queries/order-detail.js';
import { createOrderList } from '../warehouse/queries/order-list.js';
import { createContributionReader } from '../warehouse/queries/contribution-reader.js';
import { createMetricsReader } from '../warehouse/queries/metrics.js';
import { createShopNameReaders } from '../warehouse/queries/shop-names.js';
import { createNewestVersions } from '../warehouse/queries/settle-orders.js';
import { leastFreeSpace } from '../warehouse/queries/free-space.js';
import { createReconcileReader } from '../warehouse/queries/reconcile.js';
import { createCauseReader } from '../warehouse/queries/day-causes.js';
import { createRestatementReader } from '../warehouse/queries/restatements.js';
import { createRejectionsReader } from '../warehouse/queries/rejections.js';
import { createProductCostList } from '../warehouse/queries/product-costs.js';
import { createProductList } from '../warehouse/queries/products.js';
import { createPastSettingsReader } from '../warehouse/queries/settings-history.js';

/** What the HTTP application works with, and how to close it. */
export interface ApiDeps extends RouteDeps, AppDeps {
  producer: Producer;
  close(): Promise<void>;
}

export function openApi(config: Config, stores: Stores): ApiDeps {
  const { redis, warehouse, keys, sources, versions, receipts, costSettings, expenses, register, now } = stores;
  const count = createPushCounts(register);
  const writeLog = async (headers: readonly IngestHeader[]): Promise<void> => {
    await writeIngestLog(stores, headers);
    count(headers);
  };
  const { main, events } = redisServers(config);
  const queueRedis = connectProducer(main);
  const eventsRedis = events === main ? queueRedis : connectProducer(events);
  void noteEventsHome(redis, eventsHome(config));
  const plainProducer = createProducer({
    connectionOf: (queue) => (queue === 'events' ? eventsRedis : queueRedis),
    replicas: config.redisReplicas,
  });
  const producer = countPushes(plainProducer, count);
  const budget = { maxBytes: config.queueMaxBytes, maxAgeMs: config.queueMaxAgeSeconds * 1_000 };
  const others = QUEUES.filter((queue) => queue !== 'events');
  const capacity = watchCapacity(redis, events === main ? QUEUES : others, budget);
  const eventCapacity = events === main ? capacity : watchCapacity(eventsRedis, ['events'], budget);
  const capacities = [...new Set([capacity, eventCapacity])];
  const reads = limitByKey(createLimiter(redis, 'reads', config.limits.reads, 1));
  const writes = limitByKey(createLimiter(redis, 'writes', config.limits.writes, 1));
  const door = { keys, now, limitUnknown: limitUnknownKeys(config.limits.unknownKeys, now) };
  const turns = createTurns();
  const hurry = hurryShort(turns);
  const write = (scope: Scope | 'secret') => [authenticate(scope, door), hurry, writes];
  const requireCapacity = (): void => capacity.require();
  const newestVersions = createNewestVersions(warehouse);
  const auditState = createAuditState(redis);
  const stored = createShopNameReaders(warehouse);
  const names = (kind: keyof typeof stored, most: number) =>
    createShopNames({ state: createShopNamesState(redis, kind), stored: stored[kind], most });
  const channels = names('channels', MOST_CHANNELS);
  const adAccounts = names('adAccounts', MOST_AD_ACCOUNTS);
  const gateways = names('gateways', MOST_GATEWAYS);
  const commitOrders = createGroupCommit<OrdersPush>({
    producer,
    queue: 'orders',
    heads: [ORDERS_HEAD, ORDER_DAYS_HEAD],
  });
  const commitProductCosts = createGroupCommit<ProductCostsPush>({
    producer,
    queue: 'product-costs',
    heads: [NO_HEAD],
  });
  const commitSpend = createGroupCommit<SpendPush>({ producer, queue: 'spend', heads: [NO_HEAD, NO_HEAD] });
  const openRejections = createRejections({
    commit: createGroupCommit<RejectionsPush>({ producer, queue: 'rejections', heads: [NO_HEAD] }),
    spend: createRejectionBudget(redis),
    now,
  });
  const rejections = createRejectionsReader(warehouse, now);
  const countedUntil = recentlyCounted(warehouse);
  const collect = createCollect({
    now,
    keys,
    requireCapacity: () => eventCapacity.require(),
    takeEvents: createEventIntake({
      hosts: createShopHosts(sources),
      queueEvents: createEventQueue(producer, now),
      now,
    }),
    limitToken: limitBySecond(config.limits.collectToken, 'token', createLimitLeases(redis, 'token')),
    debugLimiter: createLimiter(redis, 'debug', config.limits.debug, 60),
  });

  const redisAnswers = createProbe(() => redis.ping().then(() => true));
  const warehouseAnswers = createProbe(() => warehouse.ping());
  const clickhouseDisk = () => leastFreeSpace(stores.servers);
  offerStoreHealth({ redis: redisAnswers, clickhouse: warehouseAnswers, clickhouseDisk }, register);
  offerQueues(
    capacities.map(({ view }) => view),
    register,
  );

  const takeOrders = createOrderIntake({
    sources,
    gateways,
    versions,
    newestVersions,
    commit: commitOrders,
    openRejections,
    now,
  });
  const pastSettings = createPastSettings(createPastSettingsReader(warehouse), now);
  const requirePush = createFreshness({ ...stores, findLogged: createLoggedFinder(warehouse) });
  const metrics = createMetricsReader(warehouse);
  const sendExport = createExports(createExportSlots());
  const bodies = createBodyRoom();
  const period = { now, requirePush, sources, costSettings, pastSettings, metrics };
  const resources = {
    orders: { takeOrders, requireCapacity },
    metrics: period,
    dailyMetrics: { ...period, sendExport },
    metricDefinitions: {},
  };
  const limits = { reads, writes };
  const guards: RouteTools['guards'] = (scope, counts) => [authenticate(scope, door), hurry, limits[counts]];

  return {
    resources,
    tools: { now, keptDays: config.historyRetentionDays, guards, turns, bodies },
    now,
    keys,
    sources,
    producer,
    takeProductCosts: createProductCostIntake({ sources, receipts, commit: commitProductCosts, openRejections, now }),
    listProductCosts: createProductCostList(warehouse),
    listProducts: createProductList(warehouse),
    takeSpend: createSpendIntake({
      sources,
      channels,
      adAccounts,
      receipts,
      commit: commitSpend,
      openRejections,
      now,
    }),
    takeExpense: createExpenseIntake({ sources, expenses, writeLog, openRejections, now }),
    takeGatewayFees: createGatewayFeeIntake({ sources, costSettings, writeLog, now }),
    expenses,
    costSettings,
    pastSettings,
    keptDays: config.historyRetentionDays,
    requirePush,
    metrics,
    restatements: createRestatementReader(warehouse),
    causes: createCauseReader(warehouse),
    orderList: createOrderList(warehouse),
    findOrder: createOrderFinder(warehouse),
    contributions: createContributionReader(warehouse),
    ingestStatus: createIngestStatusReader(warehouse, countedUntil),
    failedDays: (shopId) => stores.dirtyDays.failures(shopId),
    auditOf: (shopId) => auditState.of(shopId),
    statusAnswers: createSharedAnswers(redis, { name: 'status', lifetimeMs: 10_000, computeMs: 8_000 }),
    rejections,
    reconcile: createReconcile({ reader: createReconcileReader(warehouse), rejections }),
    received: createReceivedReader(warehouse, countedUntil),
    adChannels: createAdChannelReader(warehouse),
    attribution: createAttributionReader(warehouse),
    async health() {
      const [redisUp, clickhouseUp] = await Promise.all([redisAnswers(), warehouseAnswers()]);
      const queues = capacities.every(({ ok }) => ok());
      return { redis: redisUp, clickhouse: clickhouseUp, queues };
    },
    requireCapacity,
    turns,
    bodies,
    sendExport,
    collect: {
      ...door,
      collect,
      limitAddress: limitBySecond(
        config.limits.collectAddress,
        'address',
        createLimitLeases(redis, 'address', { arePersonal: true }),
      ),
    },
    read: [authenticate('read', door), hurry, reads],
    readSecret: [authenticate('secret', door), hurry, reads],
    secret: write('secret'),
    write,
    async close() {
      capacity.stop();
      eventCapacity.stop();
      await producer.close();
      queueRedis.disconnect();
      eventsRedis.disconnect();
    },
  };
}

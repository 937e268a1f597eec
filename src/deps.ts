import type { Config } from './config.js';
import type { Scope } from './domain/keys.js';
import { authenticate } from './http/authenticate.js';
import { limitByKey } from './http/rate-limit.js';
import { createCollector, type Collect } from './http/collector.js';
import { createPlainCollector } from './http/plain-collector.js';
import { createOrderPushes, type PushOrders } from './http/order-pushes.js';
import type { RouteDeps } from './http/route-deps.js';
import { createSharedCounts, limitBySecond, limitTogether } from './http/window-limit.js';
import { createEventGroups } from './intake/event-groups.js';
import { createEventIntake, EventRows } from './intake/events.js';
import { createOrderIntake } from './intake/orders.js';
import { createPlainEncoder } from './intake/plain/encoder.js';
import { PackedRows } from './intake/plain/packed-rows.js';
import { createExpenseIntake } from './intake/expenses.js';
import { createProductCostIntake } from './intake/product-costs.js';
import { createShopHosts } from './intake/shop-hosts.js';
import { createSpendIntake } from './intake/spend.js';
import { watchCapacity } from './queue/capacity.js';
import { queueConnection } from './queue/connection.js';
import { createProducer, type Producer } from './queue/producer.js';
import { createLimiter } from './state/limiters.js';
import { createSharedAnswers } from './state/shared-answers.js';
import type { Stores } from './stores.js';
import { createAdChannelReader } from './warehouse/ad-channels.js';
import { writeIngestLog } from './warehouse/ingest-log.js';
import { createIngestStatusReader, createReceivedReader } from './warehouse/ingest-status.js';
import { createAttributionReader } from './warehouse/attribution.js';
import { createMetricsReader } from './warehouse/metrics.js';
import { createNewestVersions } from './warehouse/orders.js';
import { createProductCostList } from './warehouse/product-costs.js';

/** What the HTTP application works with, and how to let go of it. */
export interface ApiDeps extends RouteDeps {
  producer: Producer;
  close(): Promise<void>;
}

/** @param intake what takes orders, and events but for plain batches: {@link openIntake}, here or on threads of its own */
export function openApi(config: Config, stores: Stores, intake: Omit<Intake, 'close'>): ApiDeps {
  const { redis, warehouse, keys, sources, takeStamps, costSettings, expenses, now } = stores;
  const queueRedis = queueConnection(config.redisUrl ?? '', { failFast: true });
  const producer = createProducer(queueRedis);
  const capacity = watchCapacity(redis, config.queueMaxBytes);
  const reads = limitByKey(createLimiter(redis, 'reads', config.limits.reads, 1));
  const writes = limitByKey(createLimiter(redis, 'writes', config.limits.writes, 1));
  const write = (scope: Scope | 'secret') => [authenticate(keys, scope, now), writes];
  const requireCapacity = (): void => capacity.require();
  const collect = createPlainCollector(
    {
      ...{ now, keys, requireCapacity, encoder: createPlainEncoder() },
      ...{ hosts: createShopHosts(sources), groups: createEventGroups(producer, now, () => new PackedRows()) },
      limitToken: limitTogether(config.limits.collectToken, 'token', intake.tokenCounts),
    },
    intake.collect,
  );

  return {
    now,
    keys,
    sources,
    producer,
    pushOrders: intake.pushOrders,
    takeProductCosts: createProductCostIntake({ sources, takeStamps, producer, now }),
    listProductCosts: createProductCostList(warehouse),
    takeSpend: createSpendIntake({ sources, takeStamps, producer, now }),
    takeExpense: createExpenseIntake({
      sources,
      expenses,
      writeLog: (headers) => writeIngestLog(warehouse, headers),
      now,
    }),
    expenses,
    costSettings,
    metrics: createMetricsReader(warehouse),
    ingestStatus: createIngestStatusReader(warehouse),
    statusAnswers: createSharedAnswers(redis, { name: 'status', lifetimeMs: 10_000, computeMs: 8_000 }),
    received: createReceivedReader(warehouse),
    adChannels: createAdChannelReader(warehouse),
    attribution: createAttributionReader(warehouse),
    async health() {
      const [redisUp, clickhouseUp] = await Promise.all([
        redis.ping().then(
          () => true,
          () => false,
        ),
        warehouse.ping().catch(() => false),
      ]);
      return { redis: redisUp, clickhouse: clickhouseUp, queues: capacity.ok() };
    },
    requireCapacity,
    collect: { now, keys, collect, limitAddress: limitBySecond(config.limits.collectAddress, 'address') },
    read: [authenticate(keys, 'read', now), reads],
    secret: write('secret'),
    write,
    async close() {
      capacity.stop();
      await producer.close();
      queueRedis.disconnect();
    },
  };
}

/** What takes orders and events from their bytes to the queue, and how to let go of it. */
export interface Intake {
  collect: Collect;
  pushOrders: PushOrders;
  /** The requests of each token, for whoever takes others of the same. */
  tokenCounts: SharedArrayBuffer;
  close(): Promise<void>;
}

/** @param tokenCounts shared by the collectors of a process */
export function openIntake(
  config: Config,
  { redis, warehouse, keys, sources, versions, now }: Stores,
  tokenCounts = createSharedCounts(),
): Intake {
  const queueRedis = queueConnection(config.redisUrl ?? '', { failFast: true });
  const producer = createProducer(queueRedis);
  const capacity = watchCapacity(redis, config.queueMaxBytes);
  const requireCapacity = (): void => capacity.require();
  const newestVersions = createNewestVersions(warehouse);
  return {
    tokenCounts,
    pushOrders: createOrderPushes({
      takeOrders: createOrderIntake({ sources, versions, newestVersions, producer, now }),
      requireCapacity,
    }),
    collect: createCollector({
      ...{ now, keys, requireCapacity },
      takeEvents: createEventIntake({
        hosts: createShopHosts(sources),
        groups: createEventGroups(producer, now, () => new EventRows()),
        now,
      }),
      limitToken: limitTogether(config.limits.collectToken, 'token', tokenCounts),
      debugLimiter: createLimiter(redis, 'debug', config.limits.debug, 60),
    }),
    async close() {
      capacity.stop();
      await producer.close();
      queueRedis.disconnect();
    },
  };
}

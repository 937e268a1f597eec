import type { Config } from '../config.js';
import type { IngestHeader } from '../domain/ingest.js';
import type { AppDeps } from '../http/app.js';
import { authenticate } from '../http/middleware/authenticate.js';
import { createBodyMemoryLimit } from '../body/memory-limit.js';
import { prioritizeShort } from '../http/middleware/priority.js';
import { limitUnknownKeys } from '../http/middleware/unknown-keys.js';
import { createWindowLimit, limitByKey } from '../http/middleware/window-limit.js';
import { createExports } from '../http/exports/send-export.js';
import { createExportSlots } from '../http/exports/slots.js';
import { buildDocument } from '../http/openapi/document.js';
import { OPERATIONS } from '../http/openapi/operations.js';
import type { RouteTools } from '../http/route.js';
import { createCollect } from '../http/routes/collect-batch.js';
import { VERSION } from '../http/version.js';
import { createEventQueue } from '../ingest/event-push.js';
import { createEventIntake } from '../ingest/events.js';
import { createShopHosts } from '../ingest/shop-hosts.js';
import { createYielding } from '../body/yielding.js';
import type { Producer } from '../queue/producer.js';
import { createLimitLeases } from '../redis/limit-leases.js';
import { createProbe } from '../telemetry/probe.js';
import { createPushCounts } from '../telemetry/push-metrics.js';
import { offerStoreHealth } from '../telemetry/store-metrics.js';
import { leastFreeSpace } from '../warehouse/queries/free-space.js';
import { writeIngestLog } from '../warehouse/queries/ingest-log.js';
import { openPushes } from './pushes.js';
import { openQueue } from './queue.js';
import { openReads } from './reads.js';
import { openShopifyHooks } from './shopify-hooks.js';
import type { Stores } from './stores.js';

/** What the HTTP application works with, and how to close it. */
export interface ApiDeps extends AppDeps {
  producer: Producer;
  close(): Promise<void>;
}

/** `RATE_LIMIT_DEBUG` counts this long. */
const DEBUG_SECONDS = 60;

/** @param isStopping true from the moment on at which the process is to end */
export function composeApi(config: Config, stores: Stores, isStopping = () => false): ApiDeps {
  const { redis, warehouse, keys, sources, register, now } = stores;
  const { limits, trustedProxies } = config;
  const count = createPushCounts(register);
  const writeLog = async (headers: readonly IngestHeader[]): Promise<void> => {
    await writeIngestLog(stores, headers);
    count(headers);
  };
  const queue = openQueue(config, stores, count);
  const { producer, capacity, eventCapacity } = queue;
  const requireCapacity = (): void => capacity.require();

  const door = { keys, now, limitUnknown: limitUnknownKeys(limits.unknownKeys, now) };
  const yielding = createYielding();
  const priority = prioritizeShort(yielding);
  const ofKey = (limit: number, name: string) =>
    createWindowLimit({ limit, subject: 'key', lease: createLimitLeases(redis, name) });
  const counting = {
    reads: limitByKey(ofKey(limits.reads, 'reads'), now),
    writes: limitByKey(ofKey(limits.writes, 'writes'), now),
  };
  const guards: RouteTools['guards'] = (scope, counts) => [authenticate(scope, door), priority, counting[counts]];

  const addressLeases = createLimitLeases(redis, 'address', { arePersonal: true });
  const collect = createCollect({
    now,
    keys,
    requireCapacity: () => eventCapacity.requireForEvents(),
    takeEvents: createEventIntake({
      hosts: createShopHosts(sources),
      queueEvents: createEventQueue(producer, now, stores.shards.of),
      // A hint: an event is not refused because it could not be kept.
      async dropNames(shopId, names) {
        await stores.droppedNames.add(shopId, names).catch(() => undefined);
        await stores.attributionQueue.add(names.map(({ id }) => ({ shopId, id }))).catch(() => undefined);
      },
      now,
    }),
    limitToken: createWindowLimit({
      limit: limits.collectToken,
      subject: 'token',
      lease: createLimitLeases(redis, 'token'),
    }),
    limitDebug: createWindowLimit({
      limit: limits.debug,
      seconds: DEBUG_SECONDS,
      subject: 'token',
      lease: createLimitLeases(redis, 'debug', { seconds: DEBUG_SECONDS }),
    }),
  });

  const redisAnswers = createProbe(() => redis.ping().then(() => true));
  const warehouseAnswers = createProbe(() => warehouse.ping());
  const clickhouseDisk = () => leastFreeSpace(stores.servers);
  offerStoreHealth({ redis: redisAnswers, clickhouse: warehouseAnswers, clickhouseDisk }, register);
  const health = async () => {
    const [isRedisUp, isClickhouseUp] = await Promise.all([redisAnswers(), warehouseAnswers()]);
    return { redis: isRedisUp, clickhouse: isClickhouseUp, queues: queue.isWithinBudget() };
  };

  const collectDeps = {
    ...door,
    collect,
    limitAddress: createWindowLimit({ limit: limits.collectAddress, subject: 'address', lease: addressLeases }),
    trustedProxies,
  };
  const sendExport = createExports(createExportSlots());
  const { mcp, ...reads } = openReads(config, stores, sendExport);
  const { takeHook, ...pushes } = openPushes(stores, {
    producer,
    countPushes: count,
    requireCapacity,
    writeLog,
    sendExport,
  });
  const hooks = openShopifyHooks(config, stores);
  const tools = { now, keptDays: config.historyRetentionDays, guards, yielding, bodies: createBodyMemoryLimit() };
  const { limitUnknown } = door;
  const shopifyHooks = { hooks, takeHook, limitUnknown, requireCapacity, yielding, bodies: tools.bodies };
  const document = JSON.stringify(buildDocument(OPERATIONS, VERSION));

  return {
    producer,
    tools,
    mcp,
    resources: {
      ...pushes,
      shopifyHooks: () => shopifyHooks,
      ...reads,
      collect: () => collectDeps,
      health: () => ({ now, health, isStopping }),
      openApi: () => ({ document }),
    },
    close: () => queue.close(),
  };
}

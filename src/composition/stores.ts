import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { createShardOf } from '../domain/shard-of.js';
import { createCostSettingsRegistry } from '../repositories/cost-settings.js';
import { createExpenseRegistry } from '../repositories/expenses.js';
import { createKeyRegistry } from '../repositories/keys.js';
import { createSourceRegistry } from '../repositories/sources.js';
import { createCostSettingsState } from '../redis/cost-settings.js';
import { createRebuildQueues } from '../redis/rebuild-queues.js';
import { createDroppedNames } from '../redis/dropped-names.js';
import { createRebuildQueue } from '../redis/rebuild-queue.js';
import type { EventQueuePlace } from '../redis/event-queue-place.js';
import { createKeyState } from '../redis/keys.js';
import { createLocks } from '../redis/locks.js';
import { createOrderVersions } from '../redis/order-versions.js';
import { createReceipts } from '../redis/receipts.js';
import { connectState, connectWorker, type RedisServer } from '../redis/redis.js';
import { createSourceState } from '../redis/sources.js';
import { guardRestore } from '../redis/restore-state.js';
import { createWriteFence, type WriteFence } from '../redis/write-fence.js';
import { createStamps } from '../redis/stamps.js';
import { createConsume, type Consume } from '../queue/consumer.js';
import { createRegistry, type Registry } from '../telemetry/registry.js';
import { createWarehouseMetrics } from '../telemetry/store-metrics.js';
import { createWarehouse, type Warehouse, type WarehouseOptions } from '../warehouse/client.js';
import { createFencedWarehouse, createOwnId } from './fenced-warehouse.js';
import { takeZones } from './zones.js';
import { nodesByShard } from '../warehouse/cluster/check-shards.js';
import { localDatabase } from '../warehouse/cluster/distribute.js';
import { guardShards } from '../warehouse/cluster/guard-shards.js';
import { createShardedWarehouse, singleShard, type WarehouseShards } from '../warehouse/cluster/sharded-warehouse.js';
import { createExpenseStore } from '../warehouse/queries/expenses.js';
import { createGatewayFeeStore } from '../warehouse/queries/gateway-fees.js';
import { createKeyStore } from '../warehouse/queries/keys.js';
import { createRatesReader } from '../warehouse/queries/rates.js';
import { createSourceStore } from '../warehouse/queries/sources.js';

/** The stores and repositories that API, workers and command line share. */
export type Stores = ReturnType<typeof createStores>;

/** Names the variable that is missing. */
class MissingStoreError extends Error {
  override readonly name = 'MissingStoreError';
  constructor(name: string) {
    super(`${name} is not set: point it to a server, or start everything with npm start`);
  }
}

/** Longest wait of a request for the warehouse. A request must be answered within 10 s, with its other waits, on a busy machine too. */
export const REQUEST_WAIT_MS = 8_000;

/** Longest wait of a write while writes are held; workers try again. */
const FENCE_WAIT_MS = 2_000;
/** Longest wait for one server among shards, which may be away. */
const SERVER_WAIT_MS = 5_000;

/**
 * Ends the process when the shards of ClickHouse are not those of the configuration, see {@link guardShards}, or hold a part of
 * what is being restored.
 */
export function endOnUnusableShards(config: Config, log: Logger): void {
  const { shards, clickhouseDatabase: database } = config;
  if (shards === undefined) return;
  const checks = Promise.all([guardShards({ ...shards, database }), guardRestore(redisServers(config).main)]);
  checks.catch((error: unknown) => {
    log.fatal({ err: error }, 'the shards of ClickHouse cannot be used');
    process.exit(1);
  });
}

/** The Redis of state and queues, and that of the queue of events: the same one unless EVENTS_REDIS_URL is set. */
export function redisServers(config: Config): { main: RedisServer; events: RedisServer } {
  const { redisUrl, eventsRedisUrl, redisSentinels: sentinels } = config;
  if (redisUrl === undefined) throw new MissingStoreError('REDIS_URL');
  const main = { url: redisUrl, sentinels };
  return { main, events: eventsRedisUrl === undefined ? main : { url: eventsRedisUrl, sentinels } };
}

export const eventQueuePlace = ({ eventsRedisUrl }: Config): EventQueuePlace =>
  eventsRedisUrl === undefined ? 'shared' : 'own';

/**
 * Opens the queues for workers. Events are taken from the main Redis too where they have one of their own: they may have
 * waited there when it was set, or come from an API that does not know it yet.
 */
export function openQueues(config: Config): Consume {
  const { main, events } = redisServers(config);
  const ofEvents = events === main ? [main] : [events, main];
  return createConsume((queue) => (queue === 'events' ? ofEvents : [main]).map(connectWorker));
}

export interface StoreOptions {
  /** Longest wait for an answer of the warehouse; absent: that of work in the background. */
  warehouseWaitMs?: number;
  /** A new one when absent. */
  register?: Registry;
}

export function openStores(config: Config, options: StoreOptions = {}): Stores {
  const { warehouseWaitMs, register = createRegistry() } = options;
  takeZones(config.zonesFile);
  const { main } = redisServers(config);
  const { clickhouseUrl: url, clickhouseOtherUrls: otherUrls, clickhouseDatabase: database, shards: layout } = config;
  if (url === undefined) throw new MissingStoreError('CLICKHOUSE_URL');
  const common = {
    isReplicated: (layout?.replicas ?? 1) > 1,
    ...(warehouseWaitMs !== undefined && { waitMs: warehouseWaitMs }),
    observe: createWarehouseMetrics(register),
  };
  const open = (
    urls: Pick<WarehouseOptions, 'url' | 'otherUrls'>,
    kind: Pick<WarehouseOptions, 'database' | 'isSharded'>,
  ) => createWarehouse({ ...common, ...urls, ...kind });
  const redis = connectState(main);
  if (layout === undefined) {
    const single = open({ url, otherUrls }, { database });
    const fence = createWriteFence(redis, { waitMs: FENCE_WAIT_MS, ownId: createOwnId(single) });
    return createStores({ redis, warehouse: createFencedWarehouse(single, fence), fence, register, now: Date.now });
  }
  const opened = nodesByShard(layout).map(([first = '', ...others]) =>
    open({ url: first, otherUrls: others }, { database: localDatabase(database) }),
  );
  const [home = open({ url, otherUrls }, { database, isSharded: true })] = opened;
  const fence = createWriteFence(redis, { waitMs: FENCE_WAIT_MS, ownId: createOwnId(home) });
  const each = opened.map((one) => createFencedWarehouse(one, fence));
  const shards = { each, of: createShardOf(each.length) };
  const all = createFencedWarehouse(open({ url, otherUrls }, { database, isSharded: true }), fence);
  const warehouse = createShardedWarehouse(all, shards);
  const servers = layout.nodes.map((node) =>
    createWarehouse({ url: node, database: 'system', slots: 1, waitMs: SERVER_WAIT_MS }),
  );
  return createStores({ redis, warehouse, shards, fence, servers, register, now: Date.now });
}

/** Open connections. */
interface Connected {
  redis: Redis;
  warehouse: Warehouse;
  now: () => number;
  /** The metrics of this process; new ones when absent. */
  register?: Registry;
  /** A connection to each server of the shards; absent: there is a single server. */
  servers?: readonly Warehouse[];
  shards?: WarehouseShards;
  fence?: WriteFence;
}

/** The same on open connections; `close` closes them. */
export function createStores({ redis, warehouse, now, ...connected }: Connected) {
  const { shards = singleShard(warehouse), servers = [], register = createRegistry() } = connected;
  const takeStamps = createStamps(redis);
  const withLock = createLocks(redis);
  const expenseStore = createExpenseStore(warehouse);
  const costSettings = createCostSettingsRegistry({
    state: createCostSettingsState(redis),
    rules: createGatewayFeeStore(warehouse),
    expenses: expenseStore,
    readRates: createRatesReader(warehouse),
    withLock,
    takeStamps,
  });
  return {
    redis,
    warehouse,
    shards,
    fence: connected.fence ?? createWriteFence(redis, { waitMs: FENCE_WAIT_MS, ownId: createOwnId(warehouse) }),
    /** A connection to each server of the shards, or to the single server. */
    servers: servers.length === 0 ? [warehouse] : servers,
    takeStamps,
    register,
    now,
    keys: createKeyRegistry({
      state: createKeyState(redis),
      store: createKeyStore(warehouse),
      shardOf: shards.of,
      takeStamps,
      withLock,
      now,
    }),
    sources: createSourceRegistry({
      state: createSourceState(redis),
      store: createSourceStore(warehouse),
      shardOf: shards.of,
      takeStamps,
      now,
    }),
    costSettings,
    expenses: createExpenseRegistry({ store: expenseStore, settings: costSettings }),
    versions: createOrderVersions(redis),
    receipts: createReceipts(redis),
    rebuildQueues: createRebuildQueues(redis),
    /** Orders whose attribution is behind their events. */
    attributionQueue: createRebuildQueue(redis, 'rebuild:orders'),
    droppedNames: createDroppedNames(redis, now),
    async close(): Promise<void> {
      redis.disconnect();
      await Promise.all([warehouse, ...servers].map((one) => one.close()));
    },
  };
}

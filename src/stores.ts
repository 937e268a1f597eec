import type { Redis } from 'ioredis';
import type { Config } from './config.js';
import { createCostSettingsRegistry, type CostSettingsRegistry } from './registry/cost-settings.js';
import { createExpenseRegistry, type ExpenseRegistry } from './registry/expenses.js';
import { createKeyRegistry, type KeyRegistry } from './registry/keys.js';
import { createSourceRegistry, type SourceRegistry } from './registry/sources.js';
import { createCostSettingsState } from './state/cost-settings.js';
import { createDirtyDays, type DirtyDays } from './state/dirty-days.js';
import { createDirtyOrders, type DirtyOrders } from './state/dirty-orders.js';
import { createKeyState } from './state/keys.js';
import { createLocks } from './state/locks.js';
import { createOrderVersions, type OrderVersions } from './state/order-versions.js';
import { connectState } from './state/redis.js';
import { createSourceState } from './state/sources.js';
import { createStamps, type TakeStamps } from './state/stamps.js';
import { createWarehouse, type Warehouse } from './warehouse/client.js';
import { createExpenseStore } from './warehouse/expenses.js';
import { createGatewayFeeStore } from './warehouse/gateway-fees.js';
import { createKeyStore } from './warehouse/keys.js';
import { createSourceStore } from './warehouse/sources.js';

/** The stores and what stands directly on them: the part that API, workers and command line share. */
export interface Stores {
  redis: Redis;
  warehouse: Warehouse;
  takeStamps: TakeStamps;
  keys: KeyRegistry;
  sources: SourceRegistry;
  costSettings: CostSettingsRegistry;
  expenses: ExpenseRegistry;
  versions: OrderVersions;
  dirtyDays: DirtyDays;
  dirtyOrders: DirtyOrders;
  now: () => number;
  close(): Promise<void>;
}

/** Names the variable that is missing. */
export class MissingStoreError extends Error {
  constructor(name: string) {
    super(`${name} is not set: point it to a server, or start everything with npm start`);
    this.name = 'MissingStoreError';
  }
}

export function openStores(config: Config): Stores {
  const { redisUrl, clickhouseUrl } = config;
  if (redisUrl === undefined) throw new MissingStoreError('REDIS_URL');
  if (clickhouseUrl === undefined) throw new MissingStoreError('CLICKHOUSE_URL');
  const now = Date.now;
  const redis = connectState(redisUrl);
  const warehouse = createWarehouse({ url: clickhouseUrl, database: config.clickhouseDatabase });
  const takeStamps = createStamps(redis);
  const expenseStore = createExpenseStore(warehouse);
  const costSettings = createCostSettingsRegistry({
    state: createCostSettingsState(redis),
    rules: createGatewayFeeStore(warehouse),
    expenses: expenseStore,
    withLock: createLocks(redis),
    takeStamps,
  });
  return {
    redis,
    warehouse,
    takeStamps,
    now,
    keys: createKeyRegistry({ state: createKeyState(redis), store: createKeyStore(warehouse), takeStamps, now }),
    sources: createSourceRegistry({
      state: createSourceState(redis),
      store: createSourceStore(warehouse),
      takeStamps,
      now,
    }),
    costSettings,
    expenses: createExpenseRegistry({ store: expenseStore, settings: costSettings }),
    versions: createOrderVersions(redis),
    dirtyDays: createDirtyDays(redis),
    dirtyOrders: createDirtyOrders(redis),
    async close() {
      redis.disconnect();
      await warehouse.close();
    },
  };
}

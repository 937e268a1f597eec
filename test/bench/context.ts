import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { generateKey, keyRecord } from '../../src/domain/keys.js';
import { API_NODE_OPTIONS } from '../../src/embedded/supervisor/services.js';
import { biUser } from '../../src/embedded/engines/bi-users.js';
import { freePort } from '../../src/embedded/engines/free-port.js';
import { createKeyRegistry } from '../../src/repositories/keys.js';
import { createLocks } from '../../src/redis/locks.js';
import { createKeyState } from '../../src/redis/keys.js';
import { createStamps, type TakeStamps } from '../../src/redis/stamps.js';
import { createWarehouse, type Warehouse } from '../../src/warehouse/client.js';
import { createKeyStore } from '../../src/warehouse/queries/keys.js';
import { applyMaterializedViews } from '../../src/warehouse/migrations/materialized-views.js';
import { createDatabase, migrate } from '../../src/warehouse/migrations/migrations.js';
import { BI_POOL, startBiProxy, type BiProxy } from '../support/bi-proxy.js';
import { startEngines } from '../support/engines.js';
import { startProcess, type BenchProcess } from './processes.js';

const ROOT = join(import.meta.dirname, '../..');
const DATABASE = 'profit';

/** The service under test: the built API on real engines in a temporary folder; workers run only where a part starts one. */
export interface BenchContext {
  /** How often a part measures each of its subjects. */
  rounds: number;
  service: {
    url: string;
    redisUrl: string;
    apiPid: number;
    /** With which another process joins the service. */
    env: Record<string, string>;
    startWorker: () => BenchProcess;
  };
  warehouse: Warehouse;
  redis: Redis;
  /** Opens the way of BI tools to the engine. */
  startBiProxy: () => Promise<BiProxy>;
  takeStamps: TakeStamps;
  /** Registers a shop of its own with the source GBP and Europe/London; gives its id and a secret key. */
  newShop: (name: string) => Promise<{ shopId: string; key: string }>;
  /** A pixel token of a shop of its own, which has no source. */
  newToken: (name: string) => Promise<{ shopId: string; token: string }>;
  stop(): Promise<void>;
}

export async function startContext(rounds: number): Promise<BenchContext> {
  const asItShips = { sessionSettings: {} };
  const engines = await startEngines(
    BI_POOL.map(({ account }) => biUser(account)),
    asItShips,
  );
  const { url, username, password } = engines.clickhouse;
  const address = new URL(url);
  Object.assign(address, { username, password });
  const options = { database: DATABASE, folder: join(ROOT, 'clickhouse/schema') };
  const admin = createWarehouse({ url: address.href, database: 'system' });
  await createDatabase(admin, options);
  await admin.close();
  const warehouse = createWarehouse({ url: address.href, database: DATABASE });
  await migrate(warehouse, options);
  await applyMaterializedViews(warehouse, { folder: join(ROOT, 'clickhouse/views') });

  const redis = new Redis(engines.redis.url);
  const takeStamps = createStamps(redis);
  const store = createKeyStore(warehouse);
  const keys = createKeyRegistry({
    state: createKeyState(redis),
    store,
    shardOf: () => 0,
    takeStamps,
    withLock: createLocks(redis),
    now: Date.now,
  });
  const port = await freePort();
  const env = {
    PORT: String(port),
    LOG_LEVEL: 'error',
    CLICKHOUSE_URL: address.href,
    CLICKHOUSE_DATABASE: DATABASE,
    REDIS_URL: engines.redis.url,
    RATE_LIMIT_READS: '1000000',
    RATE_LIMIT_WRITES: '1000000',
    RATE_LIMIT_COLLECT_TOKEN: '1000000',
    RATE_LIMIT_COLLECT_ADDRESS: '1000000',
  };
  const api = startProcess(join(ROOT, 'dist/src/main.js'), env, API_NODE_OPTIONS);
  const base = `http://127.0.0.1:${port}`;
  await ready(base).catch(async (error: unknown) => {
    await api.stop();
    await engines.stop();
    throw error;
  });

  return {
    rounds,
    service: {
      url: base,
      redisUrl: engines.redis.url,
      apiPid: api.pid,
      env,
      startWorker: () => startProcess(join(ROOT, 'dist/workers/main.js'), env),
    },
    warehouse,
    redis,
    startBiProxy: () => startBiProxy(engines, BI_POOL),
    takeStamps,
    async newShop(name) {
      const shopId = `${name}-${randomUUID().slice(0, 8)}`;
      const key = generateKey('secret');
      await keys.save(keyRecord({ key, shopId, kind: 'secret' }, Date.now()));
      const response = await fetch(`${base}/v1/source`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ platform: 'bench', currency: 'GBP', timezone: 'Europe/London' }),
      });
      if (!response.ok) throw new Error(`the source was not registered: ${await response.text()}`);
      return { shopId, key };
    },
    async newToken(name) {
      const shopId = `${name}-${randomUUID().slice(0, 8)}`;
      const token = generateKey('pixel');
      await keys.save(keyRecord({ key: token, shopId, kind: 'pixel' }, Date.now()));
      return { shopId, token };
    },
    async stop() {
      await api.stop();
      redis.disconnect();
      await warehouse.close();
      await engines.stop();
    },
  };
}

async function ready(base: string): Promise<void> {
  for (let tries = 0; tries < 1_200; tries++) {
    const response = await fetch(`${base}/readyz`).catch(() => undefined);
    if (response?.ok) return;
    await sleep(50);
  }
  throw new Error(`the API at ${base} does not get ready`);
}

import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { runMigrate } from '../../src/cli/commands/migrate.js';
import { openPages } from '../../src/composition/console.js';
import { loadConfig, type Config } from '../../src/config.js';
import { composeApi, type ApiDeps } from '../../src/composition/api.js';
import { generateKey, keyRecord, type KeyKind, type Scope } from '../../src/domain/keys.js';
import { RequestError } from '../../src/errors.js';
import { createApp } from '../../src/http/app.js';
import { createExpressServer } from '../../src/http/server.js';
import { QUEUES as QUEUE_NAMES } from '../../src/queue/jobs.js';
import { openQueues, openStores, type Stores } from '../../src/composition/stores.js';
import { createPasswords } from '../../src/repositories/passwords.js';
import { observeRequests } from '../../src/telemetry/request-metrics.js';
import { runWorkers, type RunningWorkers } from '../../workers/run-worker.js';
import { checkAnswer } from './document.js';
import { addressOf, type Engines } from './engines.js';
import { running } from './left-behind.js';
import { listening } from './listening.js';
import { serviceLog } from './service-errors.js';
import { sharedEngines } from './shared-engines.js';

/** An answer with its body as JSON where it is JSON. */
export interface Answer {
  status: number;
  headers: Headers;
  body: any; // eslint-disable-line @typescript-eslint/no-explicit-any -- a test looks into any answer
}

export interface CallOptions {
  key?: string | undefined;
  body?: unknown;
  /** Sent as it is, instead of `body`. */
  raw?: string | Buffer;
  headers?: Record<string, string>;
}

export interface Service {
  url: string;
  stores: Stores;
  /** Those of the workers, which may be frozen or watched apart from the API's. */
  workerStores: readonly Stores[];
  deps: ApiDeps;
  config: Config;
  /** Makes a key of a shop. */
  key(shopId: string, kind?: KeyKind, scopes?: Scope[]): Promise<string>;
  /** Sends a request; throws when the answer is not one that the OpenAPI document declares. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** A fresh shop with a registered source and a secret key. */
  shop(settings?: { timezone?: string; currency?: string }): Promise<Shop>;
  startWorkers(): RunningWorkers;
  /** Waits until nothing is queued, no write of a setting is open and no day waits for its rebuild. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

export interface Shop {
  id: string;
  key: string;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
}

const ROOMY_LIMITS = {
  RATE_LIMIT_READS: '100000',
  RATE_LIMIT_WRITES: '100000',
  RATE_LIMIT_COLLECT_TOKEN: '100000',
  RATE_LIMIT_COLLECT_ADDRESS: '100000',
  RATE_LIMIT_DEBUG: '100000',
  RATE_LIMIT_UNKNOWN_KEYS: '100000',
};

/** Of a request for the warehouse: none may fail since the machine is busy with other tests. */
const PATIENT_MS = 120_000;

/** Of the service's cost each takes 128 MB and, on a busy machine, seconds. */
export const cheapPasswords = () => createPasswords({ N: 2 ** 10, r: 8, p: 1 });

let shops = 0;
let databaseReady: Promise<unknown> | undefined;

type Stored = Pick<Engines, 'clickhouse' | 'redis' | 'shards'>;

export function environment({ clickhouse, redis, shards }: Stored): NodeJS.ProcessEnv {
  const stores = { CLICKHOUSE_URL: addressOf(clickhouse), REDIS_URL: redis.url, ...shards?.env };
  return {
    ...stores,
    PORT: '0',
    LOG_LEVEL: 'fatal',
    SECRETS_KEY: 'a key of tests to seal secrets with',
    ...ROOMY_LIMITS,
  };
}

/** The environment with which a child process joins the service of the tests. */
export async function serviceEnvironment(): Promise<NodeJS.ProcessEnv> {
  const env = environment(await sharedEngines());
  await (databaseReady ??= runMigrate(loadConfig(env)));
  return env;
}

/** The same for engines of the test's own, which it may stop and start. */
export async function environmentOf(engines: Stored): Promise<NodeJS.ProcessEnv> {
  const env = environment(engines);
  await runMigrate(loadConfig(env));
  return env;
}

/** The API on a free port and, unless told otherwise, one set of workers, on the engines that the suite shares or on `base`. */
export async function startService(
  options: {
    workers?: boolean;
    alerts?: boolean; // those of all shops of the suite
    env?: NodeJS.ProcessEnv;
    base?: NodeJS.ProcessEnv;
    waitMs?: number; // of a request for the warehouse; see PATIENT_MS
  } = {},
): Promise<Service> {
  const config = loadConfig({ ...(options.base ?? (await serviceEnvironment())), ...options.env });
  const log = config.logLevel === 'fatal' ? serviceLog : pino({ level: config.logLevel });
  const stores = openStores(config, { warehouseWaitMs: options.waitMs ?? PATIENT_MS });
  const workerStores: Stores[] = [];
  const deps = composeApi(config, stores);
  const server = createExpressServer(
    createApp(deps, {
      log,
      trustedProxies: config.trustedProxies,
      pages: openPages(config, stores, deps, cheapPasswords()),
    }),
  );
  observeRequests(server, stores.register);
  const { url, stop: stopServer } = await listening(server);

  const workers: RunningWorkers[] = [];
  const startWorkers = (): RunningWorkers => {
    const own = openStores(config);
    workerStores.push(own);
    const started = runWorkers(own, {
      consume: openQueues(config),
      versionCacheOrders: config.versionCacheOrders,
      ...(options.alerts && { alerts: config }),
      log,
    });
    workers.push(started);
    return started;
  };
  if (options.workers !== false) startWorkers();

  const key: Service['key'] = async (shopId, kind = 'secret', scopes) => {
    const text = generateKey(kind);
    await stores.keys.save(keyRecord({ key: text, shopId, kind, ...(scopes && { scopes }) }, Date.now()));
    return text;
  };

  const call: Service['call'] = async (method, path, { key: bearer, body, raw, headers } = {}) => {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
        ...(payload !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(payload !== undefined && { body: payload }),
    });
    const text = await response.text();
    checkAnswer(method, path, { status: response.status, headers: response.headers, text });
    const json = (response.headers.get('content-type') ?? '').includes('json');
    return { status: response.status, headers: response.headers, body: json && text !== '' ? JSON.parse(text) : text };
  };

  const service: Service = {
    url,
    stores,
    workerStores,
    deps,
    config,
    key,
    call,
    startWorkers,
    async shop({ timezone = 'UTC', currency = 'EUR' } = {}) {
      const id = `shop-${process.pid}-${++shops}`;
      const secret = await key(id);
      const shop: Shop = {
        id,
        key: secret,
        call: (method, path, body) => call(method, path, { key: secret, ...(body !== undefined && { body }) }),
      };
      const answer = await shop.call('PUT', '/v1/source', { platform: 'test', currency, timezone });
      if (answer.status !== 200) throw new Error(`the source was refused: ${JSON.stringify(answer.body)}`);
      return shop;
    },
    async settled() {
      const toRebuild = async (): Promise<number> => {
        // In the order in which work flows, so that none slips past between two looks.
        const orders = await stores.attributionQueue.count();
        const lanes = await Promise.all(Object.values(stores.rebuildQueues.lanes).map((lane) => lane.count()));
        return lanes.reduce((sum, count) => sum + count, orders);
      };
      // A Redis that a busy machine keeps from answering counts as away: work may be left then.
      const orAway = (look: Promise<number>): Promise<number> =>
        look.catch((error: unknown) => {
          if (error instanceof RequestError && error.status === 503) return 1;
          throw error;
        });
      const queued = async (): Promise<number> => {
        const queues = await Promise.all(QUEUE_NAMES.map((name) => deps.producer.counts(name)));
        return queues.reduce((sum, c) => sum + (c.waiting ?? 0) + (c.active ?? 0) + (c.delayed ?? 0), 0);
      };
      for (let quiet = 0; quiet < 2;) {
        quiet = (await orAway(queued())) + (await orAway(toRebuild())) === 0 ? quiet + 1 : 0;
        // A rebuild takes much longer than a look at its queue, which takes much less than one at the queues.
        while (quiet === 0 && (await orAway(toRebuild())) > 0) await sleep(30);
        await sleep(20);
      }
    },
    async stop() {
      running.delete(service);
      await Promise.all(workers.map((one) => one.stop()));
      await stopServer();
      await deps.close();
      await Promise.all([stores, ...workerStores].map((one) => one.close()));
    },
  };
  running.add(service);
  return service;
}

/** {@link startService} for the tests of the describe that calls this. The members are there once its own hooks run. */
export function useService(options?: Parameters<typeof startService>[0]): Service {
  const service = {} as Service;
  before(async () => {
    Object.assign(service, await startService(options));
  });
  after(() => service.stop());
  return service;
}

/** A shop of {@link useService} for all tests of the describe that calls this. */
export function useShop(service: Service, settings?: Parameters<Service['shop']>[0], each = before): Shop {
  const shop = {} as Shop;
  each(async () => {
    Object.assign(shop, await service.shop(settings));
  });
  return shop;
}

/** A new one for each of them. */
export const useFreshShop = (service: Service, settings?: Parameters<Service['shop']>[0]): Shop =>
  useShop(service, settings, beforeEach);

import { loadConfig } from '../src/config.js';
import { closedBiUsers } from '../src/composition/closed-bi-users.js';
import { endProcess } from '../src/composition/end-process.js';
import { endOnOldVersions } from '../src/composition/store-versions.js';
import { endOnUnusableShards, openQueues, openStores } from '../src/composition/stores.js';
import { createLogger } from '../src/telemetry/logger.js';
import { serveMetrics } from '../src/telemetry/metrics-server.js';
import { createRegistry, observeRuntime } from '../src/telemetry/registry.js';
import { tellZones } from '../src/telemetry/zones.js';
import { offerClosedBiUsers } from '../src/telemetry/worker-metrics.js';
import { runWorkers } from './run-worker.js';

/** Longest wait for the jobs under way; those that are left come back to another worker. */
const STOP_MS = 20_000;

/** The worker process: drains the queues into the warehouse and keeps the rollups fresh. */
const config = loadConfig();
const log = createLogger({ service: 'worker', level: config.logLevel });
const register = createRegistry();
observeRuntime(register);
endOnUnusableShards(config, log);
void endOnOldVersions(config, log);
const stores = openStores(config, { register });
tellZones({ register, log, nowMs: stores.now() });
const workers = runWorkers(stores, {
  consume: openQueues(config),
  versionCacheOrders: config.versionCacheOrders,
  alerts: config,
  log,
});
offerClosedBiUsers(() => closedBiUsers(config), register);
serveMetrics(register, { host: config.metricsHost, port: config.metricsPort, log });

let stopping = false;
const stop = (): void => {
  if (stopping) return;
  stopping = true;
  endProcess(
    workers.stop().then(() => stores.close()),
    STOP_MS,
  );
};
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// Only now: a reader of this line may tell the process to stop.
log.info('working');

import cluster from 'node:cluster';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { createApp } from '../http/app.js';
import { openLogFile } from '../telemetry/log-files.js';
import { createLogger } from '../telemetry/logger.js';
import { watchProxies } from '../telemetry/proxy-watch.js';
import { BACKLOG, createExpressServer } from '../http/server.js';
import { serveMetrics } from '../telemetry/metrics-server.js';
import { createRegistry, observeRuntime, offerToCluster } from '../telemetry/registry.js';
import { observeRequests } from '../telemetry/request-metrics.js';
import { tellZones } from '../telemetry/zones.js';
import { composeApi } from './api.js';
import { openPages } from './console.js';
import { endProcess } from './end-process.js';
import { endOnUnusableShards, openStores, REQUEST_WAIT_MS } from './stores.js';

/** Least time for requests that are under way when the drain is over. */
const LEAST_GRACE_MS = 2_000;
/** Longest wait for connections to the stores to be closed, when all requests are answered. */
const CLOSE_MS = 3_000;

/** The log of requests: a file of this process where a folder for it is set, else its log. */
function openAccessLog({ accessLogDir, processSlot, logLevel: level }: Config, log: Logger): Logger {
  if (accessLogDir === undefined) return log;
  const file = openLogFile(accessLogDir, processSlot === undefined ? 'access' : `access-${processSlot}`);
  return createLogger({ service: 'api', level, stream: file });
}

/**
 * Opens the stores and listens. On SIGTERM or SIGINT it drains first, still answering every request, so that load balancers turn to other
 * APIs. Then it closes.
 */
export function serve(config: Config, log: Logger): void {
  const { trustedProxies } = config;
  const drainMs = config.drainSeconds * 1_000;
  let stopping = false;
  const isStopping = (): boolean => stopping;
  const register = createRegistry();
  observeRuntime(register);
  endOnUnusableShards(config, log);
  const stores = openStores(config, { warehouseWaitMs: REQUEST_WAIT_MS, register });
  tellZones({ register, log, nowMs: stores.now() });
  const deps = composeApi(config, stores, isStopping);
  const server = createExpressServer(
    createApp(deps, {
      log,
      access: { range: config.accessLog, log: openAccessLog(config, log) },
      trustedProxies,
      pages: openPages(config, stores, deps),
    }),
    { maxConnections: config.maxConnections },
  );

  observeRequests(server, register);
  watchProxies(server, { trustedProxies, log, register });
  if (cluster.isWorker) offerToCluster(register, config.processSlot ?? '');
  else serveMetrics(register, { host: config.metricsHost, port: config.metricsPort, log });

  server.on('error', (error) => {
    log.fatal({ err: error }, 'the API cannot listen');
    process.exit(1);
  });
  server.listen({ port: config.port, host: config.host, backlog: BACKLOG }, () =>
    log.info({ address: server.address() }, 'listening'),
  );

  // The client opens another connection for its next request.
  server.prependListener('request', (_req, res) => {
    if (stopping) res.shouldKeepAlive = false;
  });
  const close = (): void => {
    server.close(() => {
      endProcess(
        deps.close().then(() => stores.close()),
        CLOSE_MS,
      );
    });
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), Math.max(LEAST_GRACE_MS, drainMs)).unref();
  };
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    setTimeout(close, drainMs);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

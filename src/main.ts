import cluster from 'node:cluster';
import { endOnOldVersions } from './composition/store-versions.js';
import { runProcesses } from './composition/processes.js';
import { serve } from './composition/serve.js';
import { loadConfig } from './config.js';
import { createLogger } from './telemetry/logger.js';
import { serveMetrics } from './telemetry/metrics-server.js';
import { clusterMetrics } from './telemetry/registry.js';

/** The API: one process, or several on one port. */
const config = loadConfig();
const log = createLogger({ service: 'api', level: config.logLevel });
if (cluster.isPrimary) void endOnOldVersions(config, log);
if (cluster.isPrimary && config.apiProcesses > 1) {
  runProcesses({ count: config.apiProcesses, log });
  serveMetrics(clusterMetrics(), { host: config.metricsHost, port: config.metricsPort, log });
} else serve(config, log);

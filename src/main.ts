import cluster from 'node:cluster';
import { pino } from 'pino';
import { runProcesses } from './composition/processes.js';
import { serve } from './composition/serve.js';
import { loadConfig } from './config.js';

/** The API: one process, or several on one port. */
const config = loadConfig();
const log = pino({ level: config.logLevel, base: { service: 'api' } });
if (cluster.isPrimary && config.apiProcesses > 1) runProcesses({ count: config.apiProcesses, log });
else serve(config, log);

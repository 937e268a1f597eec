import { resolve } from 'node:path';
import { createEnvReader, HIGHEST_PORT } from '../../config.js';

/** What the supervisor itself takes from the environment; the services check the rest when they start. */
export interface SupervisorConfig {
  /** Address the API listens on; 127.0.0.1. */
  host: string;
  /** 3000; 0 means any free port. */
  port: number;
  /** Absolute path; `.data` of the working directory. */
  dataDir: string;
  /** A ClickHouse (or several, joined by commas) or Redis that is there already: none is started then. */
  clickhouseUrl: string | undefined;
  /** Database of the service, whose tables the BI views read. */
  clickhouseDatabase: string;
  redisUrl: string | undefined;
  /** Ports of the embedded engines; 0 means a free one, chosen once and kept in the data folder. */
  clickhouseHttpPort: number;
  redisPort: number;
  /** Where BI tools reach the embedded engine; 0 in the same way. */
  biPort: number;
  /** Where Prometheus asks the API and the worker; 0 in the same way. */
  metricsPort: number;
  workerMetricsPort: number;
  /** Token of the app's key page; a kept random one when absent. */
  adminToken: string | undefined;
  /** With which the API seals secrets of others; a kept random one when absent. */
  secretsKey: string | undefined;
  logLevel: string;
  /** All log lines to standard output instead of files. */
  logToStdout: boolean;
}

/** Throws a ConfigError that names every variable at fault. */
export function readSupervisorConfig(env: NodeJS.ProcessEnv): SupervisorConfig {
  const { text, integer, url, urls, name, flag, secret, check } = createEnvReader(env);
  const port = (variable: string, fallback: number): number => integer(variable, fallback, 0, HIGHEST_PORT);
  const config: SupervisorConfig = {
    host: text('HOST') ?? '127.0.0.1',
    port: port('PORT', 3000),
    dataDir: resolve(text('DATA_DIR') ?? '.data'),
    clickhouseUrl: urls('CLICKHOUSE_URL', ['http:', 'https:'])?.join(','),
    clickhouseDatabase: name('CLICKHOUSE_DATABASE') ?? 'profit',
    redisUrl: url('REDIS_URL', ['redis:', 'rediss:']),
    clickhouseHttpPort: port('CLICKHOUSE_HTTP_PORT', 0),
    redisPort: port('REDIS_PORT', 0),
    biPort: port('BI_PORT', 0),
    metricsPort: port('METRICS_PORT', 0),
    workerMetricsPort: port('WORKER_METRICS_PORT', 0),
    adminToken: secret('ADMIN_TOKEN'),
    secretsKey: secret('SECRETS_KEY'),
    logLevel: text('LOG_LEVEL') ?? 'info',
    logToStdout: flag('LOG_TO_STDOUT') || flag('CI'),
  };
  check();
  return config;
}

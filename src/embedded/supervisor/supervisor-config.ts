import { resolve } from 'node:path';
import { createEnvReader, HIGHEST_PORT } from '../../config.js';

export type SupervisorConfig = ReturnType<typeof readSupervisorConfig>;

/**
 * What the supervisor itself takes from the environment; the services check the rest when they start. Throws a ConfigError that names every
 * variable at fault.
 */
export function readSupervisorConfig(env: NodeJS.ProcessEnv) {
  const { text, integer, url, urls, name, flag, secret, check } = createEnvReader(env);
  const port = (variable: string, fallback: number): number => integer(variable, fallback, 0, HIGHEST_PORT);
  const config = {
    /** Address the API listens on. */
    host: text('HOST') ?? '127.0.0.1',
    /** 0 means any free port. */
    port: port('PORT', 3000),
    /** Absolute path. */
    dataDir: resolve(text('DATA_DIR') ?? '.data'),
    /** A ClickHouse (or several, joined by commas) or Redis that is there already: none is started then. */
    clickhouseUrl: urls('CLICKHOUSE_URL', ['http:', 'https:'])?.join(','),
    /** Database of the service, whose tables the BI views read. */
    clickhouseDatabase: name('CLICKHOUSE_DATABASE') ?? 'profit',
    redisUrl: url('REDIS_URL', ['redis:', 'rediss:']),
    /** Ports of the embedded engines; 0 means a free one, chosen once and kept in the data folder. */
    clickhouseHttpPort: port('CLICKHOUSE_HTTP_PORT', 0),
    redisPort: port('REDIS_PORT', 0),
    /** Where BI tools reach the embedded engine; 0 in the same way. */
    biPort: port('BI_PORT', 0),
    /** Where Prometheus asks the API and the worker; 0 in the same way. */
    metricsPort: port('METRICS_PORT', 0),
    workerMetricsPort: port('WORKER_METRICS_PORT', 0),
    /** Token of the app's key page; a kept random one when absent. */
    adminToken: secret('ADMIN_TOKEN'),
    /** With which the API seals secrets of others; a kept random one when absent. */
    secretsKey: secret('SECRETS_KEY'),
    logLevel: text('LOG_LEVEL') ?? 'info',
    /** All log lines to standard output instead of files. */
    logToStdout: flag('LOG_TO_STDOUT') || flag('CI'),
  };
  check();
  return config;
}

import { resolve } from 'node:path';

/** What the supervisor itself takes from the environment; the services check the rest when they start. */
export interface SupervisorConfig {
  /** Address the API listens on; 127.0.0.1. */
  host: string;
  /** 3000; 0 means any free port. */
  port: number;
  /** Absolute path; `.data` of the working directory. */
  dataDir: string;
  /** A ClickHouse or Redis that is there already: none is started then. */
  clickhouseUrl: string | undefined;
  /** Database of the service, whose tables the BI views read. */
  clickhouseDatabase: string;
  redisUrl: string | undefined;
  /** Ports of the embedded engines; 0 means a free one, chosen once and kept in the data folder. */
  clickhouseHttpPort: number;
  clickhouseTcpPort: number;
  redisPort: number;
  /** Token of the app's key page; a kept random one when absent. */
  adminToken: string | undefined;
  logLevel: string;
  /** All log lines to standard output instead of files. */
  logToStdout: boolean;
}

/** Throws an error that names every variable at fault. An empty variable counts as not set. */
export function readSupervisorConfig(env: NodeJS.ProcessEnv): SupervisorConfig {
  const faults: string[] = [];
  const text = (name: string): string | undefined => (env[name] === '' ? undefined : env[name]);
  const flag = (name: string): boolean => !['', '0', 'false', 'no'].includes((env[name] ?? '').toLowerCase());
  const port = (name: string, fallback: number): number => {
    const value = text(name);
    if (value === undefined) return fallback;
    if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
    faults.push(`${name} must be a port from 0 to 65535, not "${value}"`);
    return fallback;
  };
  const url = (name: string, protocols: readonly string[]): string | undefined => {
    const value = text(name);
    if (value === undefined || (URL.canParse(value) && protocols.includes(new URL(value).protocol))) return value;
    faults.push(`${name} must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
    return undefined;
  };
  const config: SupervisorConfig = {
    host: text('HOST') ?? '127.0.0.1',
    port: port('PORT', 3000),
    dataDir: resolve(text('DATA_DIR') ?? '.data'),
    clickhouseUrl: url('CLICKHOUSE_URL', ['http:', 'https:']),
    clickhouseDatabase: text('CLICKHOUSE_DATABASE') ?? 'profit',
    redisUrl: url('REDIS_URL', ['redis:', 'rediss:']),
    clickhouseHttpPort: port('CLICKHOUSE_HTTP_PORT', 0),
    clickhouseTcpPort: port('CLICKHOUSE_TCP_PORT', 0),
    redisPort: port('REDIS_PORT', 0),
    adminToken: text('ADMIN_TOKEN'),
    logLevel: text('LOG_LEVEL') ?? 'info',
    logToStdout: flag('LOG_TO_STDOUT') || flag('CI'),
  };
  if (faults.length > 0) throw new Error(`configuration: ${faults.join('; ')}`);
  return config;
}

/** The whole environment of the service, read and checked in one place. */
export interface Config {
  host: string;
  port: number;
  /** Folder of the embedded engines, keys and logs. */
  dataDir: string;
  /** With user and password: `http://user:password@host:8123`. */
  clickhouseUrl: string | undefined;
  clickhouseDatabase: string;
  /** Name of a ClickHouse cluster; absent on one server. */
  clickhouseCluster: string | undefined;
  redisUrl: string | undefined;
  adminToken: string | undefined;
  logLevel: LogLevel;
  /** Number of proxies in front whose `X-Forwarded-For` is believed. */
  trustedProxies: number;
  limits: {
    /** Reads a second and key. */
    reads: number;
    /** Writes a second and key. */
    writes: number;
    /** Collect requests a second and pixel token. */
    collectToken: number;
    /** Collect requests a second and client address. */
    collectAddress: number;
    /** `debug=1` requests a minute and pixel token. */
    debug: number;
  };
  /** Above this much memory in Redis, writes are answered 503 until workers catch up. */
  queueMaxBytes: number;
  /** Orders whose newest version stays in Redis (some 130 bytes each), so that the warehouse need not be asked. */
  versionCacheOrders: number;
  /** Days that browser events are kept. */
  eventRetentionDays: number;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Names every variable that can't be used, and why. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`configuration: ${faults.join('; ')}`);
    this.name = 'ConfigError';
  }
}

/** Throws a {@link ConfigError} that names all faults at once. An empty variable counts as not set. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const faults: string[] = [];
  const text = (name: string): string | undefined => (env[name] === '' ? undefined : env[name]);
  const integer = (name: string, fallback: number, min: number, max: number): number => {
    const value = text(name);
    if (value === undefined) return fallback;
    const number = /^\d+$/.test(value) ? Number(value) : NaN;
    if (number >= min && number <= max) return number;
    faults.push(`${name} must be a whole number from ${min} to ${max}, not "${value}"`);
    return fallback;
  };
  const url = (name: string, protocols: readonly string[]): string | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value;
    faults.push(`${name} must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    return undefined;
  };
  const name = (variable: string): string | undefined => {
    const value = text(variable);
    if (value === undefined || /^[A-Za-z_][A-Za-z0-9_]*$/.test(value)) return value;
    faults.push(`${variable} must be a plain name of letters, digits and underscores`);
    return undefined;
  };
  const level = text('LOG_LEVEL') ?? 'info';
  if (!isLogLevel(level)) faults.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}`);

  const config: Config = {
    host: text('HOST') ?? '127.0.0.1',
    port: integer('PORT', 3000, 0, 65_535),
    dataDir: text('DATA_DIR') ?? '.data',
    clickhouseUrl: url('CLICKHOUSE_URL', ['http:', 'https:']),
    clickhouseDatabase: name('CLICKHOUSE_DATABASE') ?? 'profit',
    clickhouseCluster: name('CLICKHOUSE_CLUSTER'),
    redisUrl: url('REDIS_URL', ['redis:', 'rediss:']),
    adminToken: text('ADMIN_TOKEN'),
    logLevel: isLogLevel(level) ? level : 'info',
    trustedProxies: integer('TRUSTED_PROXIES', 0, 0, 32),
    limits: {
      reads: integer('RATE_LIMIT_READS', 20, 1, 1_000_000),
      writes: integer('RATE_LIMIT_WRITES', 50, 1, 1_000_000),
      collectToken: integer('RATE_LIMIT_COLLECT_TOKEN', 500, 1, 10_000_000),
      collectAddress: integer('RATE_LIMIT_COLLECT_ADDRESS', 50, 1, 10_000_000),
      debug: integer('RATE_LIMIT_DEBUG', 6, 1, 1_000_000),
    },
    queueMaxBytes: integer('QUEUE_MAX_BYTES', 2 * 1024 ** 3, 1024 ** 2, Number.MAX_SAFE_INTEGER),
    versionCacheOrders: integer('VERSION_CACHE_ORDERS', 1_000_000, 0, 100_000_000),
    eventRetentionDays: integer('EVENT_RETENTION_DAYS', 400, 1, 36_500),
  };
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

function isLogLevel(text: string): text is LogLevel {
  return (LOG_LEVELS as readonly string[]).includes(text);
}

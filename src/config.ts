import { availableParallelism } from 'node:os';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const ACCESS_LOGS = ['off', 'api', 'all'] as const;

/** Names every variable that can't be used, and why. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly faults: readonly string[]) {
    super(`configuration: ${faults.join('; ')}`);
  }
}

/** Reads variables one by one and collects what is wrong with them. An empty variable counts as not set. */
export function createEnvReader(env: NodeJS.ProcessEnv) {
  const faults: string[] = [];
  const text = (variable: string): string | undefined => (env[variable] === '' ? undefined : env[variable]);
  const urls = (variable: string, protocols: readonly string[], most: number): string[] | undefined => {
    const value = text(variable);
    const list = most === 1 ? value && [value] : value?.split(',').map((one) => one.trim());
    if (!list) return undefined;
    if (list.length <= most && list.every((one) => URL.canParse(one) && protocols.includes(new URL(one).protocol)))
      return list;
    const starts = `starts with ${protocols.map((p) => `${p}//`).join(' or ')}`;
    const others = most === 1 ? '' : `, or up to ${most} of them joined by commas`;
    faults.push(`${variable} must be a URL that ${starts}${others}`);
    return undefined;
  };
  return {
    text,
    integer: (variable: string, fallback: number, min: number, max: number): number => {
      const value = text(variable);
      if (value === undefined) return fallback;
      const number = /^\d+$/.test(value) ? Number(value) : NaN;
      if (number >= min && number <= max) return number;
      faults.push(`${variable} must be a whole number from ${min} to ${max}, not "${value}"`);
      return fallback;
    },
    url: (variable: string, protocols: readonly string[]) => urls(variable, protocols, 1)?.[0],
    /** Joined by commas. */
    urls: (variable: string, protocols: readonly string[]) => urls(variable, protocols, MAX_SERVERS),
    /** `host:port`, joined by commas. */
    addresses: (variable: string): { host: string; port: number }[] | undefined => {
      const list = text(variable)?.split(',').map(addressOf);
      if (list?.includes(undefined)) faults.push(`${variable} must be a list such as redis-1:26379,redis-2:26379`);
      return list?.filter((address) => address !== undefined);
    },
    /** A name that needs no quoting in SQL. */
    name: (variable: string): string | undefined => {
      const value = text(variable);
      if (value === undefined || /^[A-Za-z_][A-Za-z0-9_]*$/.test(value)) return value;
      faults.push(`${variable} must be a plain name of letters, digits and underscores`);
      return undefined;
    },
    /** True when set to anything but 0, false or no. */
    flag: (variable: string): boolean => !['', '0', 'false', 'no'].includes((env[variable] ?? '').toLowerCase()),
    /** Of a secret that cannot be guessed: `ADMIN_TOKEN`, `SECRETS_KEY`. */
    secret: (variable: string): string | undefined => {
      const secret = text(variable);
      if (secret !== undefined && secret.length < SHORTEST_SECRET)
        faults.push(
          `${variable} has ${secret.length} characters and must have ${SHORTEST_SECRET} or more, such as openssl rand -hex 24 makes`,
        );
      return secret;
    },
    fault: (text: string) => void faults.push(text),
    /** Throws a {@link ConfigError} that names all faults at once. */
    check: (): void => {
      if (faults.length > 0) throw new ConfigError(faults);
    },
  };
}

/** Characters of a secret at least: it cannot be guessed. */
const SHORTEST_SECRET = 24;
export const HIGHEST_PORT = 65_535;
const MAX_SERVERS = 1_000;

function addressOf(text: string): { host: string; port: number } | undefined {
  const [, host, port] = /^\s*([^\s:@/]+):(\d{1,5})\s*$/.exec(text) ?? [];
  const number = Number(port);
  return host !== undefined && number > 0 && number <= HIGHEST_PORT ? { host, port: number } : undefined;
}

/** The environment of a child that needs nothing but programs to be found: no settings, and no secret. */
export const bareEnvironment = (): { PATH: string | undefined } => ({ PATH: process.env.PATH });

export type Config = ReturnType<typeof loadConfig>;

/** The whole environment of the service, read and checked in one place. Throws a {@link ConfigError} that names all faults at once. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env) {
  const { text, integer, url, urls, addresses, name, fault, secret, flag, check } = createEnvReader(env);
  const level = oneOf(text('LOG_LEVEL') ?? 'info', LOG_LEVELS);
  if (level === undefined) fault(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}`);
  const accessLog = oneOf(text('ACCESS_LOG') ?? 'api', ACCESS_LOGS);
  if (accessLog === undefined) fault(`ACCESS_LOG must be one of ${ACCESS_LOGS.join(', ')}`);
  const metricsPort = integer('METRICS_PORT', 0, 0, HIGHEST_PORT);
  const sentinels = addresses('REDIS_SENTINELS');
  const [clickhouseUrl, ...clickhouseOtherUrls] = urls('CLICKHOUSE_URL', ['http:', 'https:']) ?? [];
  const cluster = name('CLICKHOUSE_CLUSTER');
  const nodes = urls('CLICKHOUSE_NODES', ['http:', 'https:']);
  if (nodes !== undefined && cluster === undefined)
    fault('CLICKHOUSE_NODES needs CLICKHOUSE_CLUSTER, the name of the shards in remote_servers');
  if (cluster !== undefined && text('CLICKHOUSE_NODES') === undefined)
    fault('CLICKHOUSE_CLUSTER needs CLICKHOUSE_NODES, the addresses of all its servers, shard by shard');
  const replicas = integer('CLICKHOUSE_REPLICAS', 1, 1, 10);
  if (nodes !== undefined && nodes.length % replicas !== 0)
    fault(
      `CLICKHOUSE_NODES names ${nodes.length} servers, which are not CLICKHOUSE_REPLICAS (${replicas}) for each shard`,
    );
  if (replicas > 1 && text('CLICKHOUSE_NODES') === undefined)
    fault('CLICKHOUSE_REPLICAS needs CLICKHOUSE_CLUSTER and CLICKHOUSE_NODES');
  if (clickhouseOtherUrls.length > 0 && text('CLICKHOUSE_NODES') === undefined)
    fault('CLICKHOUSE_URL may name several servers of one cluster alone: set CLICKHOUSE_CLUSTER and CLICKHOUSE_NODES');
  const config = {
    host: text('HOST') ?? '127.0.0.1',
    port: integer('PORT', 3000, 0, HIGHEST_PORT),
    /** Processes of the API on this machine, all on the one port. */
    apiProcesses: integer('API_PROCESSES', Math.max(1, availableParallelism() >> 1), 1, 256),
    /** Folder of the embedded engines, keys and logs. */
    dataDir: text('DATA_DIR') ?? '.data',
    /** With user and password: `http://user:password@host:8123`. */
    clickhouseUrl,
    /** Other servers of the shards, asked while that one is out of reach. */
    clickhouseOtherUrls,
    clickhouseDatabase: name('CLICKHOUSE_DATABASE') ?? 'profit',
    /** Absent: the time zones that the service comes with. */
    zonesFile: text('ZONES_FILE'),
    /** Shards of ClickHouse: the name of their cluster, the address of every server, shard by shard, and the servers of each shard. */
    shards: nodes === undefined || cluster === undefined ? undefined : { cluster, nodes, replicas },
    /** With `redisSentinels`, the host is the name of the master. */
    redisUrl: url('REDIS_URL', ['redis:', 'rediss:']),
    /** Sentinels that tell which server is the master of a name. */
    redisSentinels: sentinels && { addresses: sentinels, password: text('REDIS_SENTINEL_PASSWORD') },
    /** Replicas that must hold a push before it is answered. */
    redisReplicas: integer('REDIS_REPLICAS', 0, 0, 10),
    /** A Redis of its own for the queue of browser events. */
    eventsRedisUrl: url('EVENTS_REDIS_URL', ['redis:', 'rediss:']),
    /** The engines that `npm start` runs itself, which it names to its processes. */
    embeddedEngines: text('EMBEDDED_ENGINES')?.split(',') ?? [],
    /** Where BI tools reach the embedded engine. */
    biPort: integer('BI_PORT', 0, 0, HIGHEST_PORT),
    adminToken: secret('ADMIN_TOKEN'),
    /** With which secrets of others are sealed; undefined: none can be kept. */
    secretsKey: secret('SECRETS_KEY'),
    /** Whether alerts may be sent to addresses of the private network, and over plain HTTP. */
    webhooksToPrivate: flag('WEBHOOKS_TO_PRIVATE'),
    logLevel: level ?? 'info',
    /** Which requests have a line in the log; `api` are all but those of the collector. */
    accessLog: accessLog ?? 'api',
    /** Folder of the lines of requests (undefined: the log of the process), and the number of this process of the API, if it is one of several. */
    accessLogDir: text('ACCESS_LOG_DIR'),
    processSlot: text('PROCESS_SLOT'),
    metricsHost: text('METRICS_HOST') ?? '127.0.0.1',
    /** Where Prometheus asks; undefined: nowhere. */
    metricsPort: metricsPort === 0 ? undefined : metricsPort,
    /** Number of reverse proxies whose `X-Forwarded-For` is trusted. */
    trustedProxies: integer('TRUSTED_PROXIES', 0, 0, 32),
    /** Most connections of one process. */
    maxConnections: integer('MAX_CONNECTIONS', 10_000, 10, 1_000_000),
    /** How long an API that is to stop goes on taking requests, while `/readyz` says that it is not ready. */
    drainSeconds: integer('DRAIN_SECONDS', 0, 0, 300),
    limits: {
      /** Reads per second and key. */
      reads: integer('RATE_LIMIT_READS', 20, 1, 1_000_000),
      /** Writes per second and key. */
      writes: integer('RATE_LIMIT_WRITES', 50, 1, 1_000_000),
      /** Collect requests per second and pixel token. */
      collectToken: integer('RATE_LIMIT_COLLECT_TOKEN', 500, 1, 10_000_000),
      /** Collect requests per second and client address. */
      collectAddress: integer('RATE_LIMIT_COLLECT_ADDRESS', 50, 1, 10_000_000),
      /** `debug=1` requests per minute and pixel token. */
      debug: integer('RATE_LIMIT_DEBUG', 6, 1, 1_000_000),
      /** Unknown keys per minute and client address. */
      unknownKeys: integer('RATE_LIMIT_UNKNOWN_KEYS', 300, 1, 10_000_000),
    },
    /** Above this much memory in Redis, writes are answered 503 until workers catch up. */
    queueMaxBytes: integer('QUEUE_MAX_BYTES', 2 * 1024 ** 3, 1024 ** 2, Number.MAX_SAFE_INTEGER),
    /** And so they are while a job waits longer than this that no worker has tried. */
    queueMaxAgeSeconds: integer('QUEUE_MAX_AGE_SECONDS', 21_600, 10, 31_536_000),
    /** Orders whose newest version stays in Redis (some 130 bytes each), so that the warehouse need not be asked. */
    versionCacheOrders: integer('VERSION_CACHE_ORDERS', 1_000_000, 0, 100_000_000),
    /** Days that browser events are kept; they go by the month, so up to 31 days later. ClickHouse counts to the year 2106: with more days a new event would be gone at once. */
    eventRetentionDays: integer('EVENT_RETENTION_DAYS', 400, 1, 10_950),
    /** Days that the past of figures is kept. */
    historyRetentionDays: integer('HISTORY_RETENTION_DAYS', 400, 1, 3_650),
  };
  if (sentinels !== undefined && config.redisUrl === undefined)
    fault(
      'REDIS_SENTINELS needs REDIS_URL with the name of the master as its host, such as redis://:password@mymaster',
    );
  check();
  return config;
}

function oneOf<Value extends string>(text: string, values: readonly Value[]): Value | undefined {
  return values.find((value) => value === text);
}

import { loadConfig, type Config } from '../config.js';
import { readRuntime } from '../embedded/supervisor/runtime.js';

/** Where a command works: the servers of the environment, else those of the service that runs on the data folder. */
export interface Target {
  config: Config;
  /** Address of the running API; undefined when none is known. */
  url: string | undefined;
}

/** A command that needs a running service or the variables that name its servers. */
export class NotRunningError extends Error {
  override readonly name = 'NotRunningError';
  constructor(dataDir: string) {
    super(
      `no service runs on the data folder "${dataDir}": start one with npm start (or set DATA_DIR, or CLICKHOUSE_URL and REDIS_URL)`,
    );
  }
}

export function findTarget(): Target {
  const config = loadConfig();
  const runtime = readRuntime(config.dataDir);
  return {
    config: {
      ...config,
      clickhouseUrl: config.clickhouseUrl ?? runtime?.clickhouse.url,
      redisUrl: config.redisUrl ?? runtime?.redis.url,
    },
    url: runtime?.url,
  };
}

/** Throws {@link NotRunningError} when the stores are not known. */
export function requireTarget(): Target {
  const target = findTarget();
  if (target.config.clickhouseUrl === undefined || target.config.redisUrl === undefined) {
    throw new NotRunningError(target.config.dataDir);
  }
  return target;
}

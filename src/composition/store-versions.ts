import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { versionFault, versionWarning, VersionError, type StoreVersion } from '../domain/store-versions.js';
import { askRedis } from '../redis/one-connection.js';
import type { RedisServer } from '../redis/redis.js';
import { createWarehouse } from '../warehouse/client.js';
import { redisServers } from './stores.js';
import { defineQuery, texts } from '../warehouse/query.js';

const WAIT_MS = 5_000;
const RETRY_MS = 5_000;

/** Throws a {@link VersionError} when a server is too old, and the error of a server that gives no answer. */
export async function requireVersions(config: Config): Promise<void> {
  const asked = await Promise.all(questionsOf(config).map((ask) => ask()));
  requireAll(asked);
}

/**
 * Asks the servers until all have answered, and names their versions in the log. The service runs meanwhile, since it takes pushes
 * while a server is away. Ends the process when one is too old.
 */
export async function endOnOldVersions(config: Config, log: Logger): Promise<void> {
  const asked = await Promise.all(questionsOf(config).map(untilAnswered));
  try {
    requireAll(asked);
  } catch (error) {
    log.fatal({ err: error }, 'a store is too old');
    process.exit(1);
  }
  log.info(
    { stores: asked.map(({ program, version, at }) => `${program} ${version} at ${at}`) },
    'versions of the stores',
  );
  for (const store of asked) {
    if (config.embeddedEngines.includes(store.program === 'ClickHouse' ? 'clickhouse' : 'redis')) continue;
    const warning = versionWarning(store);
    if (warning !== undefined) log.warn(warning);
  }
}

function requireAll(asked: readonly StoreVersion[]): void {
  const faults = asked.flatMap((store) => versionFault(store) ?? []);
  if (faults.length > 0) throw new VersionError(faults.join('; '));
}

function questionsOf(config: Config): (() => Promise<StoreVersion>)[] {
  const { clickhouseUrl = '', redisUrl } = config;
  const { main, events } = redisUrl === undefined ? {} : redisServers(config);
  const redises = [...new Set([main, events])].filter((server) => server !== undefined);
  return [() => askClickHouse(clickhouseUrl), ...redises.map((server) => () => askRedisVersion(server))];
}

async function untilAnswered(ask: () => Promise<StoreVersion>): Promise<StoreVersion> {
  for (;;) {
    try {
      return await ask();
    } catch {
      await sleep(RETRY_MS, undefined, { ref: false });
    }
  }
}

const VERSION = defineQuery('version', texts('version'));

async function askClickHouse(url: string): Promise<StoreVersion> {
  const warehouse = createWarehouse({ url, database: 'system', slots: 1, waitMs: WAIT_MS });
  try {
    const [row] = await warehouse.ask(VERSION('SELECT version() AS version'));
    return { program: 'ClickHouse', version: row?.version ?? '', at: new URL(url).host };
  } finally {
    await warehouse.close();
  }
}

async function askRedisVersion(server: RedisServer): Promise<StoreVersion> {
  const text = await askRedis(server, (redis) => redis.info('server'), WAIT_MS);
  const field = (name: string): string | undefined => new RegExp(`^${name}:(\\S+)`, 'm').exec(text)?.[1];
  const valkey = field('valkey_version');
  const at = new URL(server.url).host;
  return valkey === undefined
    ? { program: 'Redis', version: field('redis_version') ?? '', at }
    : { program: 'Valkey', version: valkey, at };
}

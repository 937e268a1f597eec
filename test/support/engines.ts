import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  startClickHouse,
  type ClickHouseOptions,
  type RunningClickHouse,
} from '../../src/embedded/engines/clickhouse.js';
import type { ClickHouseUser } from '../../src/embedded/engines/clickhouse-users.js';
import type { ClickHouseAddress } from '../../src/embedded/engines/clickhouse-query.js';
import type { EngineLog } from '../../src/embedded/engines/engine.js';
import { startRedis, type RunningRedis } from '../../src/embedded/engines/redis.js';
import { startShards, type RunningShards } from '../../src/embedded/engines/shards.js';

/** Keeps quiet about the engines' own remarks; what goes wrong is said on standard error. */
export const quietLog: EngineLog = {
  info: () => undefined,
  warn: () => undefined,
  error: (fields, message) => console.error(message, fields),
};

export interface Engines {
  /** Of several shards the first. */
  clickhouse: RunningClickHouse;
  shards?: RunningShards;
  redis: RunningRedis;
  /** The temporary folder of both; removed by `stop`. */
  dataDir: string;
  stop(): Promise<void>;
}

/**
 * Machine code for a query pays after thousands of rows. Tests have few: there the compiler took a quarter of the engine's
 * time. The answers are the same.
 */
const NOT_COMPILED = {
  compile_expressions: '0',
  compile_aggregate_expressions: '0',
  compile_sort_description: '0',
};

/** Starts both in a temporary folder. Throws when either does not start. */
async function startBoth<Store extends { stop(): Promise<void> }>(
  startStore: (dataDir: string) => Promise<Store>,
): Promise<Omit<Engines, 'clickhouse'> & { store: Store }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'profit-test-'));
  const started = await Promise.allSettled([
    startStore(join(dataDir, 'clickhouse')),
    startRedis({ dataDir: join(dataDir, 'redis'), log: quietLog }),
  ]);
  const stop = async (): Promise<void> => {
    const running = started.filter((engine) => engine.status === 'fulfilled');
    await Promise.all(running.map((engine) => engine.value.stop()));
    await rm(dataDir, { recursive: true, force: true });
  };
  const [store, redis] = started;
  if (store.status === 'rejected' || redis.status === 'rejected') {
    await stop();
    const failed = [store, redis].find((engine) => engine.status === 'rejected');
    throw new Error('the engines of the tests did not start', { cause: failed?.reason });
  }
  return { store: store.value, redis: redis.value, dataDir, stop };
}

/** Starts a real ClickHouse and a real Redis on free ports. */
export async function startEngines(
  biUsers: readonly ClickHouseUser[] = [],
  options: Pick<ClickHouseOptions, 'nativePort' | 'sessionSettings'> = {},
): Promise<Engines> {
  const { store: clickhouse, ...both } = await startBoth((dataDir) =>
    startClickHouse({ dataDir, log: quietLog, biUsers, sessionSettings: NOT_COMPILED, ...options }),
  );
  return { clickhouse, ...both };
}

/** The same with a ClickHouse of several shards. */
export async function startShardedEngines(
  count: number,
  biUsers: readonly ClickHouseUser[] = [],
): Promise<Engines & { shards: RunningShards }> {
  const { store: shards, ...both } = await startBoth((dataDir) =>
    startShards({ dataDir, log: quietLog, count, biUsers, sessionSettings: NOT_COMPILED }),
  );
  const [clickhouse] = shards.shards;
  if (clickhouse === undefined) throw new RangeError('there is no shard');
  return { clickhouse, shards, ...both };
}

/** The address of a ClickHouse with user and password. */
export const addressOf = ({ url, username, password }: ClickHouseAddress): string =>
  Object.assign(new URL(url), { username, password }).href;

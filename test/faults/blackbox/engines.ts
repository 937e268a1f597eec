import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clickHouseQuery, type ClickHouseAddress } from '../../../src/embedded/engines/clickhouse-query.js';
import type { EngineLog } from '../../../src/embedded/engines/engine.js';
import { keepRedis } from '../../../src/embedded/engines/remembered-engines.js';
import { readSupervisorConfig } from '../../../src/embedded/supervisor/supervisor-config.js';
import { until } from '../../embedded/processes.js';
import type { Engines } from '../../support/engines.js';
import { LEFT_BYTES, mountDisk, type OwnDisk } from '../../support/own-disk.js';
import type { Network } from './proxy.js';
import { keepServers } from './servers.js';

export interface StorePorts {
  redis: number;
  /** Of each server. */
  clickhouse: readonly number[];
}

/** Engines that come back when they die, on a disk of their own where one can be made. */
export interface Stores {
  ports: StorePorts;
  /** As they were started first; they keep their addresses. */
  engines: Pick<Engines, 'clickhouse' | 'redis' | 'shards'>;
  /** Of Redis, or of the server of ClickHouse with this index. */
  pidOf(engine: 'redis' | number): number;
  /** The ways to each server of ClickHouse from the others; empty when it is alone. */
  between: readonly Network[];
  /** Absent where no disk of their own could be made. */
  disk: Disk | undefined;
  stop(): Promise<void>;
}

export interface Disk {
  /**
   * From now on nothing more fits. First the room goes in which the engine begins new work, and once what it has begun is done, the
   * rest: what meets a full disk in the midst of its work is lost, which the operations page says.
   */
  fill(): Promise<void>;
  empty(): Promise<void>;
}

/** Half of what the engine keeps free (`clickhouse/server/config.d/profit.xml`). */
const LOW_BYTES = 256 * 1024 ** 2;
/** An insert that has begun ends in this time. */
const INSERT_MS = 500;
const MERGES_MS = 30_000;

export async function startStores(folder: string, shards: number, write: (line: string) => void): Promise<Stores> {
  const dataDir = join(folder, 'stores');
  await mkdir(dataDir);
  const mounted = diskAt(dataDir);
  const say = (fields: object, message: string): void => write(`${message} ${JSON.stringify(fields)}`);
  const log: EngineLog = { info: say, warn: say, error: say };
  const [clickhouse, redis] = await Promise.all([
    keepServers(dataDir, shards, log),
    keepRedis(readSupervisorConfig({ DATA_DIR: dataDir }), log, () => undefined),
  ]);
  const hasNoMerge = async (server: ClickHouseAddress): Promise<boolean> =>
    (await clickHouseQuery(server, 'SELECT count() FROM system.merges', MERGES_MS)) === '0';
  const isAtRest = async (): Promise<boolean> =>
    (await Promise.all(clickhouse.current().map(hasNoMerge))).every((isDone) => isDone);
  const disk = mounted && {
    empty: () => mounted.empty(),
    async fill() {
      await mounted.leave(LOW_BYTES);
      await sleep(INSERT_MS);
      await until('no merge is under way', isAtRest, MERGES_MS);
      await mounted.leave(LEFT_BYTES);
    },
  };
  const engines = { ...clickhouse.engines, redis: redis.current() };
  return {
    ports: { redis: engines.redis.port, clickhouse: clickhouse.current().map(({ httpPort }) => httpPort) },
    engines,
    pidOf: (engine) => (engine === 'redis' ? redis.current().pid : (clickhouse.current()[engine]?.pid ?? 0)),
    between: clickhouse.between,
    disk,
    async stop() {
      await Promise.all([clickhouse.stop(), redis.stop()]);
      mounted?.remove();
    },
  };
}

/** Whoever may not mount has none. */
function diskAt(folder: string): OwnDisk | undefined {
  try {
    return mountDisk(folder);
  } catch {
    return undefined;
  }
}

import { execFileSync } from 'node:child_process';
import { mkdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clickHouseQuery } from '../../../src/embedded/engines/clickhouse-query.js';
import { keepClickHouse, keepRedis } from '../../../src/embedded/engines/kept-engines.js';
import { readSupervisorConfig } from '../../../src/embedded/supervisor/supervisor-config.js';
import { until } from '../../embedded/processes.js';
import type { Engines } from '../../support/engines.js';

export interface StorePorts {
  redis: number;
  clickhouse: number;
}

/** The embedded engines as the supervisor keeps them, on a disk of their own where one can be made. */
export interface Stores {
  ports: StorePorts;
  /** As they were started first; they keep their addresses. */
  engines: Pick<Engines, 'clickhouse' | 'redis'>;
  pidOf(engine: keyof StorePorts): number;
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

const DISK_BYTES = 4 * 1024 ** 3;
/** Half of what the engine keeps free (`clickhouse/server/config.d/profit.xml`). */
const LOW_BYTES = 256 * 1024 ** 2;
/** An insert that has begun ends in this time. */
const INSERT_MS = 500;
const MERGES_MS = 30_000;
/** Written within moments. */
const LEFT_BYTES = 256 * 1024;

export async function startStores(folder: string, log: (line: string) => void): Promise<Stores> {
  const dataDir = join(folder, 'stores');
  await mkdir(dataDir);
  const mounted = mountDisk(dataDir);
  const say = (fields: object, message: string): void => log(`${message} ${JSON.stringify(fields)}`);
  const config = readSupervisorConfig({ DATA_DIR: dataDir });
  const [clickhouse, redis] = await Promise.all([
    keepClickHouse(config, { info: say, warn: say, error: say }, () => undefined),
    keepRedis(config, { info: say, warn: say, error: say }, () => undefined),
  ]);
  const engines = { clickhouse: clickhouse.current(), redis: redis.current() };
  const isAtRest = async (): Promise<boolean> =>
    (await clickHouseQuery(clickhouse.current(), 'SELECT count() FROM system.merges', MERGES_MS)) === '0';
  const disk = mounted && {
    empty: () => mounted.leave(DISK_BYTES),
    async fill() {
      await mounted.leave(LOW_BYTES);
      await sleep(INSERT_MS);
      await until('no merge is under way', isAtRest, MERGES_MS);
      await mounted.leave(LEFT_BYTES);
    },
  };
  return {
    ports: { redis: engines.redis.port, clickhouse: engines.clickhouse.httpPort },
    engines,
    pidOf: (engine) => (engine === 'redis' ? redis : clickhouse).current().pid,
    disk,
    async stop() {
      await Promise.all([clickhouse.stop(), redis.stop()]);
      if (mounted !== undefined) execFileSync('umount', ['-l', dataDir]);
    },
  };
}

/** A disk in memory whose free room can be set; whoever may not mount has none. */
function mountDisk(at: string): { leave(bytes: number): Promise<void> } | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES},mode=700`, 'tmpfs', at], { stdio: 'pipe' });
  } catch {
    return undefined;
  }
  return {
    async leave(bytes) {
      // It can't become smaller than what it holds by then.
      for (let leftBytes = bytes; ; leftBytes *= 2) {
        const { blocks, bfree, bsize } = await statfs(at);
        const size = Math.min(DISK_BYTES, (blocks - bfree) * bsize + leftBytes);
        try {
          execFileSync('mount', ['-o', `remount,size=${size}`, at], { stdio: 'pipe' });
          return;
        } catch (error) {
          if (leftBytes > DISK_BYTES) throw error;
        }
      }
    },
  };
}

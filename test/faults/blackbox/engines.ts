import { execFileSync } from 'node:child_process';
import { mkdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { keepClickHouse, keepRedis } from '../../../src/embedded/engines/kept-engines.js';
import { readSupervisorConfig } from '../../../src/embedded/supervisor/supervisor-config.js';
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
  /** From now on nothing more fits. */
  fill(): Promise<void>;
  empty(): void;
}

const DISK_BYTES = 4 * 1024 ** 3;
/** Written within moments. */
const LEFT_BYTES = 256 * 1024;

export async function startStores(folder: string, log: (line: string) => void): Promise<Stores> {
  const dataDir = join(folder, 'stores');
  await mkdir(dataDir);
  const disk = mountDisk(dataDir);
  const say = (fields: object, message: string): void => log(`${message} ${JSON.stringify(fields)}`);
  const config = readSupervisorConfig({ DATA_DIR: dataDir });
  const [clickhouse, redis] = await Promise.all([
    keepClickHouse(config, { info: say, warn: say, error: say }, () => undefined),
    keepRedis(config, { info: say, warn: say, error: say }, () => undefined),
  ]);
  const engines = { clickhouse: clickhouse.current(), redis: redis.current() };
  return {
    ports: { redis: engines.redis.port, clickhouse: engines.clickhouse.httpPort },
    engines,
    pidOf: (engine) => (engine === 'redis' ? redis : clickhouse).current().pid,
    disk,
    async stop() {
      await Promise.all([clickhouse.stop(), redis.stop()]);
      if (disk !== undefined) execFileSync('umount', ['-l', dataDir]);
    },
  };
}

/** A disk in memory; whoever may not mount has none. */
function mountDisk(at: string): Disk | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES},mode=700`, 'tmpfs', at], { stdio: 'pipe' });
  } catch {
    return undefined;
  }
  const resize = (bytes: number): void => {
    execFileSync('mount', ['-o', `remount,size=${bytes}`, at], { stdio: 'pipe' });
  };
  return {
    async fill() {
      // It can't become smaller than what it holds by then.
      for (let leftBytes = LEFT_BYTES; ; leftBytes *= 2) {
        const { blocks, bfree, bsize } = await statfs(at);
        try {
          resize((blocks - bfree) * bsize + leftBytes);
          return;
        } catch (error) {
          if (leftBytes > DISK_BYTES) throw error;
        }
      }
    },
    empty: () => resize(DISK_BYTES),
  };
}

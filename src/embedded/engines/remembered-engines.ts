import { join } from 'node:path';
import { accountsToStart } from './bi-users.js';
import { startClickHouse, type RunningClickHouse } from './clickhouse.js';
import type { EngineLog } from './engine.js';
import { keepRunning, type Kept } from '../supervisor/keep-running.js';
import { startRedis, type RunningRedis } from './redis.js';
import type { SupervisorConfig } from '../supervisor/supervisor-config.js';

/**
 * The embedded ClickHouse, started again when it dies, on the port of its first start, which the other processes know.
 * Throws when the first start fails.
 */
export function keepClickHouse(
  config: SupervisorConfig,
  log: EngineLog,
  onStart: () => void,
): Promise<Kept<RunningClickHouse>> {
  let httpPort = config.clickhouseHttpPort;
  return keepRunning({
    name: 'clickhouse',
    log,
    onStart,
    start: async (onExit) => {
      const dataDir = join(config.dataDir, 'clickhouse');
      const biUsers = await accountsToStart(config.dataDir);
      const running = await startClickHouse({
        dataDir,
        httpPort,
        log,
        onExit,
        biUsers,
        rows: { database: config.clickhouseDatabase },
      });
      httpPort = running.httpPort;
      return running;
    },
  });
}

/** The embedded Redis, in the same way. */
export function keepRedis(
  config: SupervisorConfig,
  log: EngineLog,
  onStart: () => void,
  stop?: AbortSignal,
): Promise<Kept<RunningRedis>> {
  let port = config.redisPort;
  return keepRunning({
    name: 'redis',
    log,
    onStart,
    start: async (onExit) => {
      const running = await startRedis({ dataDir: join(config.dataDir, 'redis'), port, log, stop, onExit });
      port = running.port;
      return running;
    },
  });
}

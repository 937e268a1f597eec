import { join } from 'node:path';
import { readBiUsers } from './bi-users.js';
import { startClickHouse, type RunningClickHouse } from './clickhouse.js';
import type { EngineLog } from './engine.js';
import { keepRunning, type Kept } from './keep-running.js';
import { startRedis, type RunningRedis } from './redis.js';
import type { SupervisorConfig } from './supervisor-config.js';

/**
 * The embedded ClickHouse, started again when it dies, on the ports of its first start: the others know it by them.
 * Throws when the first start fails.
 */
export function keepClickHouse(
  config: SupervisorConfig,
  log: EngineLog,
  onStart: () => void,
): Promise<Kept<RunningClickHouse>> {
  let ports = { httpPort: config.clickhouseHttpPort, tcpPort: config.clickhouseTcpPort };
  return keepRunning({
    ...{ name: 'clickhouse', log, onStart },
    start: async (onExit) => {
      const dataDir = join(config.dataDir, 'clickhouse');
      const biUsers = await readBiUsers(config.dataDir);
      const running = await startClickHouse({
        dataDir,
        ...ports,
        log,
        onExit,
        biUsers,
        database: config.clickhouseDatabase,
      });
      ports = { httpPort: running.httpPort, tcpPort: running.tcpPort };
      return running;
    },
  });
}

/** The embedded Redis, in the same way. */
export function keepRedis(config: SupervisorConfig, log: EngineLog, onStart: () => void): Promise<Kept<RunningRedis>> {
  let port = config.redisPort;
  return keepRunning({
    ...{ name: 'redis', log, onStart },
    start: async (onExit) => {
      const running = await startRedis({ dataDir: join(config.dataDir, 'redis'), port, log, onExit });
      port = running.port;
      return running;
    },
  });
}

import { PassThrough } from 'node:stream';
import type { runBackup } from '../../src/cli/backup/backup.js';
import { connectWorker } from '../../src/redis/redis.js';
import { openRowServers, type RowServers } from '../../src/warehouse/cluster/row-servers.js';
import { startEngines, startShardedEngines } from './engines.js';
import { environmentOf, startService, type Service } from './service.js';

/** A service whose rows are backed up or restored. */
export interface Deployment {
  /** Of commands next to it. */
  env: NodeJS.ProcessEnv;
  service: Service;
  servers: RowServers;
  options: Omit<Parameters<typeof runBackup>[1], 'folder'>;
  stop(): Promise<void>;
}

/** Without workers. */
export async function startDeployment(shards = 1): Promise<Deployment> {
  const engines = shards === 1 ? await startEngines() : await startShardedEngines(shards);
  const base = await environmentOf(engines);
  const service = await startService({ base, workers: false });
  const servers = await openRowServers(service.config, { waitMs: 60_000 });
  const redis = connectWorker({ url: engines.redis.url });
  return {
    env: { PATH: process.env.PATH, DATA_DIR: engines.dataDir, ...base },
    service,
    servers,
    options: {
      servers,
      redisOf: () => redis,
      eventQueuePlace: 'shared',
      stderr: new PassThrough().resume(),
      signal: new AbortController().signal,
    },
    async stop() {
      redis.disconnect();
      await servers.close();
      await service.stop();
      await engines.stop();
    },
  };
}

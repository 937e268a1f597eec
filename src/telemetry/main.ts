import { loadConfig } from '../config.js';
import { apiIsHealthy, workerIsHealthy } from './health.js';

/** `main.js api|worker`: the health check of a container. Ends with status 0 when all is well. */
try {
  const { port, redisUrl, redisSentinels } = loadConfig();
  const healthy =
    process.argv[2] === 'worker'
      ? await workerIsHealthy({ url: redisUrl ?? '', sentinels: redisSentinels })
      : await apiIsHealthy(port);
  process.exit(healthy ? 0 : 1);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

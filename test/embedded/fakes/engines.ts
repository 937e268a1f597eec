/** Starts both engines in the folder of its first argument, prints their numbers, and stays. */
import { join } from 'node:path';
import { setInterval } from 'node:timers';
import { startClickHouse } from '../../../src/embedded/engines/clickhouse.js';
import { startRedis } from '../../../src/embedded/engines/redis.js';
import { quietLog } from '../../support/engines.js';

const folder = process.argv[2] ?? '';
const [clickhouse, redis] = await Promise.all([
  startClickHouse({ dataDir: join(folder, 'clickhouse'), log: quietLog }),
  startRedis({ dataDir: join(folder, 'redis'), log: quietLog }),
]);
console.log(JSON.stringify({ clickhouse: clickhouse.pid, redis: redis.pid }));
setInterval(() => undefined, 1_000);

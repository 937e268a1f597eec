import { rmSync } from 'node:fs';
import { askRedis } from '../../src/redis/one-connection.js';
import { biUser } from '../../src/embedded/engines/bi-users.js';
import { BI_POOL, startBiProxy, type BiProxy } from './bi-proxy.js';
import { startEngines, startShardedEngines, type Engines } from './engines.js';

/** With TEST_SHARDS=2 the tests run on a ClickHouse of so many shards. */
const SHARDS = Number(process.env.TEST_SHARDS ?? 1);

let started: Promise<Engines> | undefined;
let running: Engines | undefined;
let proxy: Promise<BiProxy> | undefined;

/** One real ClickHouse and one real Redis for all tests of a process, started by the first that asks. */
export function sharedEngines(): Promise<Engines> {
  const users = BI_POOL.map(({ account }) => biUser(account));
  const start = () => (SHARDS > 1 ? startShardedEngines(SHARDS, users) : startEngines(users));
  return (started ??= start().then((engines) => (running = engines)));
}

/** The way of BI tools to the shared engine. */
export function sharedBiProxy(): Promise<BiProxy> {
  return (proxy ??= sharedEngines().then((engines) => startBiProxy(engines, BI_POOL)));
}

/**
 * Forgets what a file has left in Redis: jobs that nobody took, rebuild queues, limits. Which file comes next in this process hangs on how
 * long others take, and it is to find the same wherever it comes.
 */
export async function emptyRedis(): Promise<void> {
  if (running !== undefined) await askRedis(running.redis, (redis) => redis.flushall(), 60_000);
}

export async function stopEngines(): Promise<void> {
  await (await proxy)?.stop();
  const engines = await started;
  started = running = proxy = undefined;
  await engines?.stop();
}

// A process of a parallel run learns of the end of the run only when it has to exit.
process.once('exit', () => {
  if (running === undefined) return;
  for (const { pid } of [running.clickhouse, running.redis, ...(running.shards?.shards ?? [])]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  }
  rmSync(running.dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});
